#include "stages/particle_surface.h"

#include "base/check.h"
#include "exec/shapes.h"
#include "particles/occupied_cells.h"
#include "stages/particle_lane.h"
#include "stages/surface_height.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace whorl {

namespace {

constexpr double reach = surface_reach;

// Whether liquid that ends at a side goes on beyond it, for all that its surface has to know.
bool mirrors(Side side) { return side == Side::wall || side == Side::inflow || side == Side::water; }

// The surface in one tile; cells are counted from its first.
template <int D>
class SurfaceOfTile {
 public:
  // `wet`: the cells that have liquid.
  SurfaceOfTile(const ParticleSet<D>& p, const CellMask<D>& wet, int tile)
      : p_(p),
        neighbours_(p.topology->tile_set().neighbours + std::size_t(tile) * neighbourhood<D>),
        absent_(p.topology->tile_count()) {
    const Domain<D>& domain = p.topology->domain();
    for (int a = 0; a < D; ++a) {
      const int corner = p.topology->tiles()[std::size_t(tile)][a] * tile_side;
      const auto& ends = domain.sides[std::size_t(a)];
      wall_lo_[a] = mirrors(ends[0]) ? domain.cells.lo[a] - corner : -far_off;
      wall_hi_[a] = mirrors(ends[1]) ? domain.cells.hi[a] - corner : far_off;
    }
    find_near_and_deep(wet);
  }

  // |x - mean| / R at the centre of a cell; 1 where no particle is in reach, 0 where every cell has some.
  float distance(const Coord<D>& cell) const {
    const int row = row_of(cell), bit = cell[D - 1] + surface_reach;
    if (deep_[std::size_t(row)] >> bit & 1) return 0;
    if (!(near_[std::size_t(row)] >> bit & 1)) return 1;
    Vec<Real, D> x;
    for (int a = 0; a < D; ++a) x[a] = Real(float(cell[a]) + 0.5f);
    Real weight(0.f);
    Vec<Real, D> offset = Vec<Real, D>::filled(Real(0.f));
    for_runs(cell, [&](const std::uint32_t* first, int cells, const Mirror& mirror) {
      if (!first) return;
      Vec<Real, D> sign, from;
      for (int a = 0; a < D; ++a) {
        sign[a] = Real(float(mirror.sign[a]));
        from[a] = x[a] - Real(float(mirror.origin[a]));
      }
      for (std::uint32_t i = first[0]; i < first[cells]; i += lane_width) {
        const int count = int(std::min<std::uint32_t>(first[cells] - i, lane_width));
        Vec<Real, D> d;
        Real square(0.f);
        for (int a = 0; a < D; ++a) {
          d[a] = sign[a] * read_some(p_.position[std::size_t(a)].data() + i, count) - from[a];
          square = square + d[a] * d[a];
        }
        const Real near = max(Real(1.f) - square * Real(float(1 / (reach * reach))), Real(0.f));
        const Real some = select(Real::iota() < Real(float(count)), near * near * near, Real(0.f));
        weight += some;
        for (int a = 0; a < D; ++a) offset[a] += some * d[a];
      }
    });
    const double all = double(sum(weight));
    if (!(all > 0)) return 1;
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow(double(sum(offset[a])) / all, 2);
    return float(std::sqrt(square) / reach);
  }

 private:
  using Real = Lane<float>;

  static constexpr int far_off = 1 << 20;                     // cells
  static constexpr int side = tile_side + 2 * surface_reach;  // of the cells in reach of any of the tile's
  static constexpr int mask_rows = D == 3 ? side * side : side;
  using Masks = std::array<std::uint16_t, std::size_t(mask_rows)>;  // a bit a cell

  static int row_of(const Coord<D>& cell) {
    int row = 0;
    for (int a = 0; a < D - 1; ++a) row = row * side + cell[a] + surface_reach;
    return row;
  }

  // Where a cell beyond a wall is seen, or beyond the tile: in which of the three tiles along an axis, and
  // where in it.
  struct Seen {
    int tile, at;  // tile: 0 to 2, others are out of sight
  };
  Seen seen(int a, int x) const {
    const int inside = image(x, wall_before(a, x)), step = floor_div(inside, tile_side);
    return {step + 1, inside - step * tile_side};
  }

  // The cells in reach of the tile that have liquid, of the row that lies `at` the first axes: a bit a cell.
  unsigned wet_row(const CellMask<D>& wet, const Coord<D>& at) const {
    constexpr int last = D - 1;
    int place = 0, row = 0;
    for (int a = 0; a < last; ++a) {
      const Seen s = seen(a, at[a]);
      if (s.tile < 0 || s.tile > 2) return 0;
      place = place * 3 + s.tile;
      row = row * tile_side + s.at;
    }
    unsigned found = 0;  // of three tiles
    for (int k = 0; k < 3; ++k)
      found |= unsigned(wet.rows[std::size_t(neighbours_[place * 3 + k]) * tile_rows<D> + std::size_t(row)])
               << k * tile_side;
    unsigned bits = found >> (tile_side - surface_reach) & ((1u << side) - 1);
    for (int x = -surface_reach; x < tile_side + surface_reach; ++x) {
      if (x >= wall_lo_[last] && x < wall_hi_[last]) {
        x = std::min(wall_hi_[last], tile_side + surface_reach) - 1;
        continue;
      }
      const Seen s = seen(last, x);
      if (s.tile >= 0 && s.tile <= 2)
        bits |= (found >> (s.tile * tile_side + s.at) & 1) << (x + surface_reach);
    }
    return bits;
  }

  // Cells that have a particle in reach, and those of which every cell in reach has one: bits are joined with
  // those before and after them, axis by axis.
  void find_near_and_deep(const CellMask<D>& wet) {
    near_ = {};
    Box<D> rows{Coord<D>::filled(-surface_reach), Coord<D>::filled(tile_side + surface_reach)};
    rows.lo[D - 1] = 0;
    rows.hi[D - 1] = 1;
    unsigned some_found = 0;
    for_each_coord(rows, [&](const Coord<D>& at) {
      const unsigned bits = wet_row(wet, at);
      near_[std::size_t(row_of(at))] = std::uint16_t(bits);
      some_found |= bits;
    });
    if (!some_found) {
      deep_ = {};
      return;
    }
    deep_ = near_;
    for (std::size_t row = 0; row < mask_rows; ++row) {
      const unsigned found = near_[row];
      unsigned some = found, every = found;
      for (int k = 1; k <= surface_reach; ++k) {
        some |= found << k | found >> k;
        every &= found << k & found >> k;
      }
      near_[row] = std::uint16_t(some);
      deep_[row] = std::uint16_t(every);
    }
    for (int stride = 1; stride < mask_rows; stride *= side) {
      const Masks some = near_, every = deep_;
      for (int row = surface_reach * stride; row < mask_rows - surface_reach * stride; ++row)
        for (int k = -surface_reach; k <= surface_reach; ++k) {
          near_[std::size_t(row)] |= some[std::size_t(row + k * stride)];
          deep_[std::size_t(row)] &= every[std::size_t(row + k * stride)];
        }
    }
  }

  // Where a particle of another tile is seen from this one: at sign · its position + origin.
  struct Mirror {
    Coord<D> sign, origin;
  };

  // The wall along an axis that a cell lies beyond, if any.
  std::optional<int> wall_before(int a, int x) const {
    if (x < wall_lo_[a]) return wall_lo_[a];
    if (x >= wall_hi_[a]) return wall_hi_[a];
    return {};
  }
  static int image(int x, std::optional<int> wall) { return wall ? 2 * *wall - 1 - x : x; }
  static void set(Mirror& mirror, int a, std::optional<int> wall, int tile_corner) {
    mirror.sign[a] = wall ? -1 : 1;
    mirror.origin[a] = wall ? 2 * *wall - tile_corner : tile_corner;
  }

  // A row of cells that are in reach of a cell's centre, at least in part: `offset` from it along the first
  // axes, and so many cells to both sides along the last.
  struct Span {
    Coord<D> offset;
    int half;
  };
  static std::vector<Span> find_spans() {
    const auto gap = [](int cells) { return std::max(std::abs(cells) - 0.5, 0.); };  // from the centre
    std::vector<Span> spans;
    Box<D> rows{Coord<D>::filled(-surface_reach), Coord<D>::filled(surface_reach + 1)};
    rows.lo[D - 1] = 0;
    rows.hi[D - 1] = 1;
    for_each_coord(rows, [&](const Coord<D>& offset) {
      double square = 0;
      for (int a = 0; a < D - 1; ++a) square += gap(offset[a]) * gap(offset[a]);
      int half = surface_reach;
      while (half >= 0 && square + gap(half) * gap(half) >= reach * reach) --half;
      if (half >= 0) spans.push_back({offset, half});
    });
    return spans;
  }
  static const std::vector<Span>& spans() {
    static const std::vector<Span> found = find_spans();
    return found;
  }

  // Calls f(first, cells, mirror) for all cells in reach, row by row and tile by tile: the particles of such
  // a run lie side by side, from first[0] to first[cells]. `first` is null where there is no tile.
  // Liquid goes on beyond the domain's walls as its mirror image, so that it meets them at a right angle.
  template <class F>
  void for_runs(const Coord<D>& cell, const F& f) const {
    constexpr int last = D - 1;
    for (const Span& span : spans()) {
      const Coord<D> row = cell + span.offset;
      const int lo = cell[last] - span.half, hi = cell[last] + span.half + 1;
      Mirror mirror;
      Coord<D> at;
      int row_place = 0;
      for (int a = 0; a < last; ++a) {
        const Seen s = seen(a, row[a]);
        if (s.tile < 0 || s.tile > 2) row_place = -far_off;
        row_place = row_place * 3 + s.tile;
        at[a] = s.at;
        set(mirror, a, wall_before(a, row[a]), (s.tile - 1) * tile_side);
      }
      if (row_place < 0) continue;
      // Before, between and after the walls, and of these what is of one tile.
      for (int from = lo, to; from < hi; from = to) {
        const std::optional<int> wall = wall_before(last, from);
        to = from < wall_lo_[last] ? std::min(hi, wall_lo_[last]) : !wall ? std::min(hi, wall_hi_[last]) : hi;
        int low = wall ? image(to - 1, wall) : from;
        const int end = low + (to - from);
        for (int next; low < end; low = next) {
          const int step = floor_div(low, tile_side);
          next = std::min(end, (step + 1) * tile_side);
          if (step < -1 || step > 1) continue;
          at[last] = low - step * tile_side;
          set(mirror, last, wall, step * tile_side);
          const int slot = neighbours_[row_place * 3 + step + 1];
          f(slot == absent_
                ? nullptr
                : p_.first.data() + std::size_t(slot) * tile_cells<D> + std::size_t(cell_offset<D>(at)),
            next - low, mirror);
        }
      }
    }
  }

  const ParticleSet<D>& p_;
  const int* neighbours_;
  int absent_;
  Coord<D> wall_lo_, wall_hi_;  // cells from the tile's first
  Masks near_, deep_;
};

}  // namespace

template <int D>
Field<float, D> surface_from_particles(Exec& ex, const ParticleSet<D>& p, double h, const CellMask<D>& core) {
  const Zone zone(ex.profile(), "surface_from_particles");
  const SurfaceHeight<D>& height = surface_height<D>();
  const float far = float(reach * h);
  Field<float, D> surface(ex, p.topology, far);
  const CellMask<D> wet = occupied_cells(ex, p, core);
  ex.parallel_for(p.topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const SurfaceOfTile<D> around(p, wet, tile);
      float* out = surface.data() + std::size_t(tile) * tile_cells<D>;
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& cell) {
        out[cell_offset<D>(cell)] = far * height(around.distance(cell));
      });
    }
  });
  return surface;
}

template Field<float, 2> surface_from_particles(Exec&, const ParticleSet<2>&, double, const CellMask<2>&);
template Field<float, 3> surface_from_particles(Exec&, const ParticleSet<3>&, double, const CellMask<3>&);

}  // namespace whorl
