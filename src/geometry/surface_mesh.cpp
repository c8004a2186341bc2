#include "geometry/surface_mesh.h"

#include "base/check.h"
#include "exec/scan.h"
#include "geometry/cube_cases.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace whorl {

namespace {

constexpr int side = tile_side + 1;  // nodes of a tile's cubes along an axis
constexpr int node_rows = side * side;
constexpr int own_rows = tile_rows<3>;

// A node is the centre of a cell. Beyond each side of the domain there are two more: one on the side itself,
// and one that is always outside. Cube n has the nodes n to n + 1; edge (n, a) ends at n and n + unit(a).
class Nodes {
 public:
  Nodes(const Field<float, 3>& phi, double h) : phi_(phi), domain_(phi.topology()->domain()), h_(h) {}

  bool outermost(int axis, int n) const {
    return n < domain_.cells.lo[axis] - 1 || n > domain_.cells.hi[axis];
  }
  bool outermost(const Coord<3>& n) const {
    return outermost(0, n[0]) || outermost(1, n[1]) || outermost(2, n[2]);
  }
  bool on_side(int axis, int n) const {
    return n == domain_.cells.lo[axis] - 1 || n == domain_.cells.hi[axis];
  }

  float value(const Coord<3>& n) const { return outermost(n) ? 1.f : mean(n, 0); }
  Vec<double, 3> position(const Coord<3>& n) const {
    Vec<double, 3> x;
    for (int a = 0; a < 3; ++a)
      x[a] = h_ * std::clamp(n[a] + 0.5, double(domain_.cells.lo[a]), double(domain_.cells.hi[a]));
    return x;
  }

  // Are all nodes of a tile's cubes cells of the domain?
  bool within(const Coord<3>& tile) const {
    const Coord<3> lo = tile * tile_side;
    return domain_.cells.contains(Box<3>{lo, lo + Coord<3>::filled(side)});
  }

  // The values at all nodes of a tile's cubes.
  void load(const Coord<3>& tile, float* values) const {
    const Coord<3> corner = tile * tile_side;
    const Box<3> nodes{{}, Coord<3>::filled(side)};
    if (!within(tile)) {
      for_each_coord(nodes, [&](const Coord<3>& n) { *values++ = value(corner + n); });
      return;
    }
    const float* tiles[8];
    for (int k = 0; k < 8; ++k) {
      const int slot = phi_.topology()->map().find(tile + Coord<3>{k >> 2 & 1, k >> 1 & 1, k & 1});
      tiles[k] = slot < 0 ? nullptr : phi_.data() + std::size_t(slot) * tile_cells<3>;
    }
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j, values += side) {
        const int which = (i / tile_side) << 2 | (j / tile_side) << 1;
        const std::ptrdiff_t row = cell_offset<3>(Coord<3>{i % tile_side, j % tile_side, 0});
        const float *here = tiles[which], *next = tiles[which | 1];
        if (here)
          std::memcpy(values, here + row, tile_side * sizeof(float));
        else
          std::fill_n(values, tile_side, phi_.background());
        values[tile_side] = next ? next[row] : phi_.background();
      }
  }

 private:
  // A node on a side lies between two cells: the one before it and its mirror image, or the one a period
  // away.
  float mean(Coord<3> n, int axis) const {
    if (axis == 3) return phi_.get(n);
    const int lo = domain_.cells.lo[axis], hi = domain_.cells.hi[axis];
    if (!on_side(axis, n[axis])) return mean(n, axis + 1);
    const bool low = n[axis] < lo;
    n[axis] = low ? lo : hi - 1;
    const float here = mean(n, axis + 1);
    if (!domain_.periodic(axis)) return here;
    n[axis] = low ? hi - 1 : lo;
    return 0.5f * (here + mean(n, axis + 1));
  }

  const Field<float, 3>& phi_;
  const Domain<3>& domain_;
  double h_;
};

// The cubes of one tile, and the vertices on edges whose lower node is a cell of it.
struct CubeTile {
  Coord<3> tile;
  std::uint16_t inside[node_rows];     // a bit a node
  std::uint8_t vertices[3][own_rows];  // [axis][row] a bit an edge
  std::uint16_t before[3][own_rows];   // vertices of the rows before
  std::uint32_t vertex_count, triangle_count;
  bool mixed, at_side;
  std::uint32_t first_vertex, first_triangle;
};

struct Edge {
  Coord<3> low;
  int axis;
  bool operator==(const Edge&) const = default;
};

// Where a node on a side is inside, the mesh has one vertex there, for the edges to all outermost nodes next
// to it: at the edges of the domain two sides share it. The edge that stands for all.
Edge standing_for(const Nodes& nodes, const Edge& e) {
  const Coord<3> high = e.low + Coord<3>::unit(e.axis);
  const bool out_low = nodes.outermost(e.axis, e.low[e.axis]),
             out_high = nodes.outermost(e.axis, high[e.axis]);
  if (!out_low && !out_high) return e;
  const Coord<3> n = out_low ? high : e.low;
  for (int a = 0;; ++a)
    if (nodes.on_side(a, n[a])) return {nodes.outermost(a, n[a] + 1) ? n : n - Coord<3>::unit(a), a};
}

// Which tiles have cubes with a node that may be inside.
std::vector<Coord<3>> tiles_of_cubes(Exec& ex, const Field<float, 3>& phi) {
  const Topology<3>& topology = *phi.topology();
  const Domain<3>& domain = topology.domain();
  std::vector<std::uint8_t> inside(std::size_t(topology.tile_count()));
  ex.parallel_for(topology.tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const float* cells = phi.data() + std::size_t(tile) * tile_cells<3>;
      inside[std::size_t(tile)] = std::any_of(cells, cells + tile_cells<3>, [](float x) { return x < 0; });
    }
  });
  std::vector<Coord<3>> tiles;
  for (std::size_t t = 0; t < inside.size(); ++t) {
    if (!inside[t]) continue;
    const Coord<3> lo = topology.tiles()[t] * tile_side;
    // Cubes round the tile's nodes; with those beyond the sides, also a period away.
    Box<3> boxes[8] = {{lo - Coord<3>::filled(1), lo + Coord<3>::filled(tile_side)}};
    int count = 1;
    for (int a = 0; a < 3; ++a) {
      const int first = domain.cells.lo[a], end = domain.cells.hi[a];
      const bool low = lo[a] <= first, high = lo[a] + tile_side >= end;
      for (int k = 0; k < count; ++k) {
        if (low) boxes[k].lo[a] = first - 2;
        if (high) boxes[k].hi[a] = end + 1;
      }
      if (!domain.periodic(a) || low == high) continue;
      for (int k = 0; k < count; ++k) {
        boxes[count + k] = boxes[k];
        boxes[count + k].lo[a] = low ? end - 1 : first - 2;
        boxes[count + k].hi[a] = low ? end + 1 : first;
      }
      count *= 2;
    }
    for (int k = 0; k < count; ++k)
      for_each_coord(tiles_of(boxes[k]), [&](const Coord<3>& tile) { tiles.push_back(tile); });
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

class Extraction {
 public:
  Extraction(Exec& ex, const Field<float, 3>& phi, double h, MeshSides sides)
      : ex_(ex), nodes_(phi, h), capped_(sides == MeshSides::capped) {
    for (const Coord<3>& tile : tiles_of_cubes(ex, phi)) {
      tiles_.emplace_back();
      tiles_.back().tile = tile;
    }
    for_tiles([&](CubeTile& t) { find_vertices(t); });
    std::erase_if(tiles_, [](const CubeTile& t) { return !t.mixed; });
    std::vector<Coord<3>> coords;
    for (const CubeTile& t : tiles_) coords.push_back(t.tile);
    map_ = TileMap<3>(coords);
  }

  TriangleMesh mesh() {
    std::int64_t vertices = 0, triangles = 0;
    for_tiles([&](CubeTile& t) {
      t.triangle_count = 0;
      for_triangles(t, [&](const Edge*) { ++t.triangle_count; });
    });
    for (CubeTile& t : tiles_) {
      t.first_vertex = std::uint32_t(vertices);
      t.first_triangle = std::uint32_t(triangles);
      vertices += t.vertex_count;
      triangles += t.triangle_count;
    }
    CHECK(vertices < 1ll << 31 && triangles < 1ll << 31, "a mesh of ", triangles, " triangles is too large");
    TriangleMesh mesh;
    mesh.vertices.resize(std::size_t(vertices));
    mesh.triangles.resize(std::size_t(triangles));
    for_tiles([&](CubeTile& t) {
      write_vertices(t, mesh);
      write_triangles(t, mesh);
    });
    return mesh;
  }

 private:
  template <class F>
  void for_tiles(const F& f) {
    ex_.parallel_for(std::int64_t(tiles_.size()), 8, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) f(tiles_[std::size_t(k)]);
    });
  }

  void find_vertices(CubeTile& t) const {
    float values[node_rows * side];
    nodes_.load(t.tile, values);
    t.at_side = !nodes_.within(t.tile);
    unsigned some = 0, all = (1u << side) - 1;
    for (int row = 0; row < node_rows; ++row) {
      unsigned bits = 0;
      for (int k = 0; k < side; ++k) bits |= unsigned(values[row * side + k] < 0) << k;
      t.inside[row] = std::uint16_t(bits);
      some |= bits;
      all &= bits;
    }
    t.mixed = some != 0 && all != (1u << side) - 1;
    t.vertex_count = 0;
    if (!t.mixed) return;
    for (int a = 0; a < 3; ++a)
      for (int row = 0; row < own_rows; ++row) {
        const int i = row / tile_side, j = row % tile_side, node = i * side + j;
        const unsigned here = t.inside[node];
        const unsigned next = a == 2 ? here >> 1 : t.inside[node + (a == 0 ? side : 1)];
        unsigned crossed = (here ^ next) & 0xff;
        if (t.at_side)
          for (unsigned rest = crossed; rest; rest &= rest - 1) {
            const int k = std::countr_zero(rest);
            const Edge e{t.tile * tile_side + Coord<3>{i, j, k}, a};
            const bool to_outermost = nodes_.outermost(a, e.low[a]) || nodes_.outermost(a, e.low[a] + 1);
            if (!(standing_for(nodes_, e) == e) || (to_outermost && !capped_)) crossed &= ~(1u << k);
          }
        t.vertices[a][row] = std::uint8_t(crossed);
        t.before[a][row] = std::uint16_t(t.vertex_count);
        t.vertex_count += unsigned(std::popcount(crossed));
      }
  }

  // Calls f(three edges) for all triangles of a tile's cubes that have three different vertices.
  template <class F>
  void for_triangles(const CubeTile& t, const F& f) const {
    const auto& cases = cube_cases();
    for (int i = 0; i < tile_side; ++i)
      for (int j = 0; j < tile_side; ++j) {
        const unsigned rows[4] = {t.inside[i * side + j], t.inside[(i + 1) * side + j],
                                  t.inside[i * side + j + 1], t.inside[(i + 1) * side + j + 1]};
        if (!(rows[0] | rows[1] | rows[2] | rows[3])) continue;
        for (int k = 0; k < tile_side; ++k) {
          unsigned inside = 0;
          for (int c = 0; c < 8; ++c) inside |= (rows[c & 3] >> (k + (c >> 2)) & 1) << c;
          if (inside == 0 || inside == 255) continue;
          const Coord<3> cube = t.tile * tile_side + Coord<3>{i, j, k};
          if (t.at_side && !capped_ &&
              (nodes_.outermost(cube) || nodes_.outermost(cube + Coord<3>::filled(1))))
            continue;
          for (const CubeTriangle& triangle : cases[inside]) {
            Edge edges[3];
            for (std::size_t n = 0; n < 3; ++n) {
              const int low = low_corner(triangle[n]);
              edges[n] = {cube + Coord<3>{low & 1, low >> 1 & 1, low >> 2 & 1}, triangle[n] / 4};
              if (t.at_side) edges[n] = standing_for(nodes_, edges[n]);
            }
            if (t.at_side && (edges[0] == edges[1] || edges[1] == edges[2] || edges[2] == edges[0])) continue;
            f(edges);
          }
        }
      }
  }

  void write_vertices(const CubeTile& t, TriangleMesh& mesh) const {
    float values[node_rows * side];
    nodes_.load(t.tile, values);
    Vec<double, 3>* out = mesh.vertices.data() + t.first_vertex;
    for (int a = 0; a < 3; ++a)
      for (int row = 0; row < own_rows; ++row)
        for (unsigned rest = t.vertices[a][row]; rest; rest &= rest - 1) {
          const Coord<3> n{row / tile_side, row % tile_side, std::countr_zero(rest)};
          const int place = (n[0] * side + n[1]) * side + n[2];
          const double from = double(values[place]);
          const double to = double(values[place + (a == 0 ? node_rows : a == 1 ? side : 1)]);
          // Never quite at a node, where the triangles round it would have no area.
          constexpr double least = 1e-3;
          const double t_zero = from / (from - to);
          const double s = t_zero > least ? std::min(t_zero, 1 - least) : least;
          const Coord<3> low = t.tile * tile_side + n;
          const Vec<double, 3> x = nodes_.position(low);
          *out++ = x + (nodes_.position(low + Coord<3>::unit(a)) - x) * s;
        }
  }

  void write_triangles(const CubeTile& t, TriangleMesh& mesh) const {
    int slots[27];  // of the tiles round this one
    int k = 0;
    for_each_coord(Box<3>{Coord<3>::filled(-1), Coord<3>::filled(2)},
                   [&](const Coord<3>& step) { slots[k++] = map_.find(t.tile + step); });
    const Coord<3> corner = t.tile * tile_side;
    std::array<int, 3>* out = mesh.triangles.data() + t.first_triangle;
    for_triangles(t, [&](const Edge* edges) {
      for (std::size_t n = 0; n < 3; ++n) {
        const Edge& e = edges[n];
        int place = 0, row = 0;
        for (int a = 0; a < 3; ++a) {
          const int at = e.low[a] - corner[a] + tile_side;
          place = place * 3 + at / tile_side;
          if (a < 2) row = row * tile_side + at % tile_side;
        }
        const CubeTile& owner = tiles_[std::size_t(slots[place])];
        const unsigned below = (1u << (e.low[2] & (tile_side - 1))) - 1;
        (*out)[n] = int(owner.first_vertex + owner.before[e.axis][row] +
                        unsigned(std::popcount(owner.vertices[e.axis][row] & below)));
      }
      ++out;
    });
  }

  Exec& ex_;
  Nodes nodes_;
  bool capped_;
  std::vector<CubeTile> tiles_;
  TileMap<3> map_;
};

}  // namespace

TriangleMesh surface_mesh(Exec& ex, const Field<float, 3>& phi, double h, MeshSides sides) {
  const Zone zone(ex.profile(), "surface_mesh");
  CHECK(!(phi.background() < 0), "where no tile is must be outside");
  return Extraction(ex, phi, h, sides).mesh();
}

}  // namespace whorl
