#include "geometry/mesh_distance.h"

#include "base/box.h"
#include "base/check.h"
#include "exec/tile_index.h"
#include "geometry/orient_mesh.h"
#include "geometry/solid_boundary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

constexpr double band = 4;             // cells on each side of the surface
constexpr double reach = 3;            // the last grid goes so many times the mesh's size beyond it
constexpr double coarse_slack = 0.05;  // cells that values of the coarser grids may be too far
constexpr double finest_holes = 256;   // cells along the mesh, to close its holes with
constexpr int side = tile_side + 1;    // nodes
constexpr int tile_nodes = side * side * side;
constexpr int node_stride[3] = {side * side, side, 1};

Point node_place(const Point& first, double h, int node) {
  return first + Point{double(node / (side * side)), double(node / side % side), double(node % side)} * h;
}

// Calls f(neighbour) for the nodes of a tile one step from a node.
template <class F>
void for_neighbours(int node, const F& f) {
  const int at[3] = {node / (side * side), node / side % side, node % side};
  for (int a = 0; a < 3; ++a) {
    if (at[a] > 0) f(node - node_stride[a]);
    if (at[a] < side - 1) f(node + node_stride[a]);
  }
}

// A grid of tiles of cells of side h, of which only those are wanted that touch a box.
struct TileGrid {
  Point origin;
  double h;
  Bounds<3> wanted;

  Point first_node(const Coord<3>& tile) const { return origin + convert<double>(tile) * (tile_side * h); }
  bool wants(const Point& centre, double half) const {
    for (int a = 0; a < 3; ++a)
      if (centre[a] + half < wanted.lo[a] || centre[a] - half > wanted.hi[a]) return false;
    return true;
  }
};

// The tiles with a place within a distance of a surface: blocks of 2^k tiles a side are halved as long as the
// surface may be near.
void tiles_near(const TriangleTree& surface, const TileGrid& grid, double distance, const Coord<3>& lo,
                int tiles, std::vector<Coord<3>>& out) {
  const double half = 0.5 * tiles * tile_side * grid.h, most = distance + std::sqrt(3.) * half;
  const Point centre = grid.first_node(lo) + Point::filled(half);
  if (!grid.wants(centre, half)) return;
  if (surface.closest(centre, {.slack = most, .within = most}).triangle < 0) return;
  if (tiles == 1) {
    out.push_back(lo);
    return;
  }
  for_each_coord(Box<3>{{}, Coord<3>::filled(2)}, [&](const Coord<3>& step) {
    tiles_near(surface, grid, distance, lo + step * (tiles / 2), tiles / 2, out);
  });
}

// Gives the distances of a tile's nodes their signs. No surface is nearer to a node than its distance: one
// farther from it than a cell has the sign of its neighbours. So is_inside(node) is asked once for each such
// region of a tile, as far from the surface as may be, and for the few nodes that no region reaches.
template <class IsInside>
void find_signs(float* values, double h, const IsInside& is_inside) {
  std::array<int, tile_nodes> order, waiting;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return values[i] > values[j]; });
  std::array<bool, tile_nodes> known{};
  for (const int seed : order) {
    if (known[std::size_t(seed)]) continue;
    const bool inside = is_inside(seed);
    std::size_t count = 0;
    known[std::size_t(seed)] = true;
    waiting[count++] = seed;
    while (count > 0) {
      const int node = waiting[--count];
      const bool reaches = double(values[node]) > h;
      if (inside) values[node] = -values[node];
      if (!reaches) continue;
      for_neighbours(node, [&](int next) {
        if (!known[std::size_t(next)]) known[std::size_t(next)] = true, waiting[count++] = next;
      });
    }
  }
}

double longest_side(const Bounds<3>& box) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, box.hi[a] - box.lo[a]);
  return longest;
}

}  // namespace

Bounds<3> MeshDistance::all_space() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Point::filled(-infinity), Point::filled(infinity)};
}

Bounds<3> MeshDistance::section() {
  Bounds<3> plane = all_space();
  plane.lo[2] = plane.hi[2] = 0;
  return plane;
}

MeshDistance::MeshDistance(Exec& ex, const TriangleMesh& mesh, double cell_size, const Bounds<3>& wanted)
    : cell_size_(cell_size) {
  CHECK(cell_size > 0, "cells of ", cell_size);
  const TriangleMesh faces = oriented(ex, mesh);
  const TriangleTree tree(faces);
  const WindingNumber winding(tree);
  boundary_edges_ = whorl::boundary_edges(faces);
  const double hole_cell = std::max(cell_size, longest_side(tree.bounds()) / finest_holes);
  surface_ = TriangleTree(solid_boundary(ex, faces, tree, winding, hole_cell));
  bounds_ = {all_space().hi, all_space().lo};
  if (surface_.nodes().empty()) return;
  bounds_ = surface_.bounds();
  for (double h = cell_size; levels_.empty() || band * levels_.back().h < reach * longest_side(bounds_);
       h *= 2)
    levels_.push_back(make_level(ex, h, wanted, winding));
}

MeshDistance::Level MeshDistance::make_level(Exec& ex, double h, const Bounds<3>& wanted,
                                             const WindingNumber& winding) const {
  Level level{bounds_.lo, h, {}, {}};
  const TileGrid grid{level.origin, h, wanted};
  // A cell more than the band: what is missing is then beyond it, however the values there are interpolated.
  const double wide = (band + 1) * h;
  int tiles = 1;
  while (tiles * tile_side * h < longest_side(bounds_) + 2 * wide) tiles *= 2;
  const int below = -int(std::ceil(wide / (tile_side * h)));
  std::vector<Coord<3>> list;
  tiles_near(surface_, grid, wide, Coord<3>::filled(below), 2 * tiles, list);
  std::sort(list.begin(), list.end());
  level.map = TileMap<3>(list);
  level.values.resize(list.size() * tile_nodes);
  ex.parallel_for(std::int64_t(list.size()), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t t = std::size_t(begin); t < std::size_t(end); ++t)
      fill_tile(grid.first_node(list[t]), h, winding, &level.values[t * tile_nodes]);
  });
  return level;
}

void MeshDistance::fill_tile(const Point& first, double h, const WindingNumber& winding,
                             float* values) const {
  // What lies farther need not be told apart: no place of a cell with such a node is in the band.
  const double most = (band + 2) * h;
  const double slack = levels_.empty() ? 0 : coarse_slack * h;
  int hint = -1;
  for (int node = 0; node < tile_nodes; ++node) {
    const auto closest = surface_.closest(node_place(first, h, node), {hint, slack, most});
    if (closest.triangle >= 0) hint = closest.triangle;
    values[node] = float(std::sqrt(closest.squared_distance));
  }
  find_signs(values, h, [&](int node) { return winding.at(node_place(first, h, node)) >= 0.5; });
}

bool MeshDistance::Level::sample(const Point& at, double& value) const {
  Coord<3> tile, cell;
  Point part;
  for (int a = 0; a < 3; ++a) {
    const double x = (at[a] - origin[a]) / h;
    if (!(std::abs(x) < 1e9)) return false;
    const double floor = std::floor(x);
    cell[a] = int(floor) & (tile_side - 1);
    tile[a] = (int(floor) - cell[a]) / tile_side;
    part[a] = x - floor;
  }
  const int slot = map.find(tile);
  if (slot < 0) return false;
  const float* v = &values[std::size_t(slot) * tile_nodes];
  v += cell[0] * node_stride[0] + cell[1] * node_stride[1] + cell[2];
  const auto along = [&](int from) {
    return double(v[from]) + part[2] * (double(v[from + 1]) - double(v[from]));
  };
  const double y0 = along(0), y1 = along(node_stride[1]);
  const double z0 = along(node_stride[0]), z1 = along(node_stride[0] + node_stride[1]);
  const double low = y0 + part[1] * (y1 - y0), high = z0 + part[1] * (z1 - z0);
  value = low + part[0] * (high - low);
  return true;
}

double MeshDistance::distance(const Point& at) const {
  double sum = 0, left = 1;
  for (const Level& level : levels_) {
    double value = 0;
    if (!level.sample(at, value)) continue;
    const double coarser = std::clamp(std::abs(value) / level.h - (band - 1), 0., 1.);
    sum += left * (1 - coarser) * value;
    left *= coarser;
    if (left == 0) return sum;
  }
  return sum + left * std::sqrt(surface_.closest(at).squared_distance);  // so far off is outside
}

bool MeshDistance::has_inside() const {
  const auto negative = [](float value) { return value < 0; };
  return !levels_.empty() && std::any_of(levels_[0].values.begin(), levels_[0].values.end(), negative);
}

std::int64_t MeshDistance::stored_values() const {
  std::int64_t count = 0;
  for (const Level& level : levels_) count += std::int64_t(level.values.size());
  return count;
}

std::size_t MeshDistance::bytes() const {
  return std::size_t(stored_values()) * sizeof(float) + surface_.bytes();
}

double mesh_cell_size(const TriangleMesh& mesh, double h, int dimension) {
  // A cell of the surface has some 18 cells above and below in tiles, a tile's nodes are 1.4 times its cells,
  // the coarser grids a third more: 33 values of four bytes. A section has but a layer of tiles.
  constexpr double most_cells = (256 << 20) / (4 * 33.), most_across = 4096, fewest_across = 64;
  Bounds<3> box{Point::filled(std::numeric_limits<double>::infinity()), {}};
  box.hi = box.lo * -1.;
  for (const Point& x : mesh.vertices)
    for (int a = 0; a < 3; ++a) box.lo[a] = std::min(box.lo[a], x[a]), box.hi[a] = std::max(box.hi[a], x[a]);
  const double size = longest_side(box), wanted = std::min(h / 2, size / fewest_across);
  return std::max(wanted, dimension == 2 ? size / most_across : std::sqrt(surface_area(mesh) / most_cells));
}

}  // namespace whorl
