#include "geometry/solid_boundary.h"

#include "base/box.h"
#include "exec/tile_index.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

constexpr double inside = 0.5;
constexpr double smooth = 0.5;  // the winding number changes by 1 at a triangle, by less in a step beside it
constexpr int nodes_side = tile_side + 1;

// ---- triangles with the same on both sides

// The mean of both sides at a point of a triangle.
bool is_hidden(const WindingNumber& winding, const Point& x, int triangle) {
  constexpr double doubt = 0.1;
  const double mean = winding.at(x, triangle);
  return mean > 1 + doubt || mean < -doubt;
}

std::vector<char> hidden_triangles(Exec& ex, const TriangleTree& tree, const WindingNumber& winding) {
  std::vector<char> hidden(tree.triangles().size(), 0);
  ex.parallel_for(std::int64_t(hidden.size()), 256, [&](std::int64_t begin, std::int64_t end) {
    for (int i = int(begin); i < int(end); ++i) {
      const Triangle& t = tree.triangles()[std::size_t(i)];
      const Point middle = centroid(t);
      bool all = is_hidden(winding, middle, i);
      for (int c = 0; c < 3 && all; ++c)
        all = is_hidden(winding, middle + (t[std::size_t(c)] - middle) * 0.95, i);
      hidden[std::size_t(tree.original(i))] = all;
    }
  });
  return hidden;
}

// ---- what closes the holes

// Tiles of a grid with its origin at `origin`, as cells of side h.
struct HoleGrid {
  Point origin;
  double h;

  Point place(const Coord<3>& node) const { return origin + convert<double>(node) * h; }
  Coord<3> tile_of(const Point& x) const {
    Coord<3> tile;
    for (int a = 0; a < 3; ++a) tile[a] = int(std::floor((x[a] - origin[a]) / (tile_side * h)));
    return tile;
  }
};

// Sides whose triangles do not cancel out: the surface ends there.
std::vector<std::array<Point, 2>> rim_of(const TriangleMesh& mesh) {
  std::vector<std::array<Point, 2>> rim;
  const std::vector<MeshEdge> edges = edges_of(mesh);
  for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
    int sum = 0;
    for (; end < edges.size() && edges[end].lo == edges[i].lo && edges[end].hi == edges[i].hi; ++end)
      sum += edges[end].forward ? 1 : -1;
    if (sum != 0)
      rim.push_back({mesh.vertices[std::size_t(edges[i].lo)], mesh.vertices[std::size_t(edges[i].hi)]});
  }
  return rim;
}

// The tiles within a cell of the rim.
std::vector<Coord<3>> tiles_along(const std::vector<std::array<Point, 2>>& rim, const HoleGrid& grid) {
  std::set<Coord<3>> tiles;
  for (const auto& [from, to] : rim) {
    const int steps = int(std::ceil(length(to - from) / grid.h)) + 1;
    for (int i = 0; i <= steps; ++i) {
      const Point x = from + (to - from) * (double(i) / steps), reach = Point::filled(1.5 * grid.h);
      const Box<3> round{grid.tile_of(x - reach), grid.tile_of(x + reach) + Coord<3>::filled(1)};
      for_each_coord(round, [&](const Coord<3>& tile) { tiles.insert(tile); });
    }
  }
  return {tiles.begin(), tiles.end()};
}

struct Node {
  Point x;
  double w;
};

// The part of the surface on which w is a half that lies in a tetrahedron, as triangles.
void march(const std::array<Node, 4>& corner, std::vector<Triangle>& out) {
  int in[4], ins = 0, outside[4], outs = 0;
  double least = corner[0].w, most = corner[0].w;
  for (int i = 0; i < 4; ++i) {
    const double w = corner[std::size_t(i)].w;
    if (w >= inside)
      in[ins++] = i;
    else
      outside[outs++] = i;
    least = std::min(least, w), most = std::max(most, w);
  }
  if (ins == 0 || outs == 0 || most - least > smooth) return;  // nothing, or the mesh itself is here
  const auto cut = [&](int i, int j) {
    const Node &a = corner[std::size_t(i)], &b = corner[std::size_t(j)];
    return a.x + (b.x - a.x) * ((inside - a.w) / (b.w - a.w));
  };
  if (ins == 2) {
    const Point p = cut(in[0], outside[0]), q = cut(in[0], outside[1]), r = cut(in[1], outside[1]),
                s = cut(in[1], outside[0]);
    out.push_back({p, q, r});
    out.push_back({p, r, s});
  } else {
    const int alone = ins == 1 ? in[0] : outside[0];
    const int* rest = ins == 1 ? outside : in;
    out.push_back({cut(alone, rest[0]), cut(alone, rest[1]), cut(alone, rest[2])});
  }
}

// What closes holes in one tile, and by which of its sides it goes on: bit 2·axis + (0: low, 1: high).
struct Patch {
  std::vector<Triangle> triangles;
  unsigned leaves = 0;
};

Patch march_tile(const WindingNumber& winding, const HoleGrid& grid, const Coord<3>& tile) {
  std::vector<Node> nodes;
  nodes.reserve(ipow<3>(nodes_side));
  const Coord<3> first = tile * tile_side;
  for_each_coord(Box<3>{first, first + Coord<3>::filled(nodes_side)}, [&](const Coord<3>& node) {
    const Point x = grid.place(node);
    nodes.push_back({x, winding.at(x)});
  });
  const auto at = [&](const Coord<3>& c) {
    return nodes[std::size_t((c[0] * nodes_side + c[1]) * nodes_side + c[2])];
  };
  // Six tetrahedra round the diagonal of a cell, one for each order of the axes (Kuhn).
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  Patch patch;
  for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& cell) {
    const std::size_t before = patch.triangles.size();
    for (const auto& order : orders) {
      Coord<3> corner = cell;
      std::array<Node, 4> tetrahedron{at(corner)};
      for (int k = 0; k < 3; ++k) ++corner[order[k]], tetrahedron[std::size_t(k) + 1] = at(corner);
      march(tetrahedron, patch.triangles);
    }
    if (patch.triangles.size() == before) return;
    for (int a = 0; a < 3; ++a) {
      if (cell[a] == 0) patch.leaves |= 1u << 2 * a;
      if (cell[a] == tile_side - 1) patch.leaves |= 2u << 2 * a;
    }
  });
  return patch;
}

// From the rim on, tile by tile, as far as the surface goes.
std::vector<Triangle> hole_triangles(Exec& ex, const TriangleMesh& mesh, const TriangleTree& tree,
                                     const WindingNumber& winding, double h) {
  const HoleGrid grid{tree.bounds().lo, h};
  std::vector<Coord<3>> front = tiles_along(rim_of(mesh), grid);
  std::set<Coord<3>> seen(front.begin(), front.end());
  std::vector<Triangle> triangles;
  while (!front.empty()) {
    std::vector<Patch> patches(front.size());
    ex.parallel_for(std::int64_t(front.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
        patches[i] = march_tile(winding, grid, front[i]);
    });
    std::vector<Coord<3>> next;
    for (std::size_t i = 0; i < front.size(); ++i) {
      triangles.insert(triangles.end(), patches[i].triangles.begin(), patches[i].triangles.end());
      for (int side = 0; side < 6; ++side) {
        if (!(patches[i].leaves >> side & 1)) continue;
        const Coord<3> tile = front[i] + Coord<3>::unit(side / 2, side % 2 ? 1 : -1);
        if (seen.insert(tile).second) next.push_back(tile);
      }
    }
    front = std::move(next);
  }
  return triangles;
}

}  // namespace

TriangleMesh solid_boundary(Exec& ex, const TriangleMesh& mesh, const TriangleTree& tree,
                            const WindingNumber& winding, double h) {
  TriangleMesh boundary{mesh.vertices, {}};
  if (mesh.triangles.empty()) return boundary;
  const std::vector<char> hidden = hidden_triangles(ex, tree, winding);
  for (std::size_t i = 0; i < hidden.size(); ++i)
    if (!hidden[i]) boundary.triangles.push_back(mesh.triangles[i]);
  for (const Triangle& t : hole_triangles(ex, mesh, tree, winding, h)) {
    const int first = int(boundary.vertices.size());
    boundary.vertices.insert(boundary.vertices.end(), t.begin(), t.end());
    boundary.triangles.push_back({first, first + 1, first + 2});
  }
  return boundary;
}

}  // namespace whorl
