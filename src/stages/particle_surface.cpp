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
    for (int a = 0; a < D; ++a) position_[a] = p.position[std::size_t(a)].data();
    if (find_near_and_deep(wet)) find_runs();
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
    Vec<Real, D> sign, from;
    const auto look_along = [&](int a, const Seen& seen) WHORL_INLINE_LAMBDA {
      sign[a] = Real(seen.sign);
      from[a] = x[a] - Real(seen.origin);
    };
    for_runs(cell, look_along, [&](const std::uint32_t* first, int cells) WHORL_INLINE_LAMBDA {
      // Vectors from the centre to up to eight particles, and their weights.
      const auto add = [&](const Vec<Real, D>& places, int count) WHORL_INLINE_LAMBDA {
        Vec<Real, D> d;
        Real square(0.f);
        for (int a = 0; a < D; ++a) {
          d[a] = sign[a] * places[a] - from[a];
          square = square + d[a] * d[a];
        }
        const Real near = max(Real(1.f) - square * Real(float(1 / (reach * reach))), Real(0.f));
        Real some = near * near * near;
        if (count < lane_width) some = select(Real::iota() < Real(float(count)), some, Real(0.f));
        weight += some;
        for (int a = 0; a < D; ++a) offset[a] += some * d[a];
      };
      std::uint32_t i = first[0];
      const std::uint32_t end = first[cells];
      Vec<Real, D> places;
      for (; i + lane_width <= end; i += lane_width) {
        for (int a = 0; a < D; ++a) places[a] = Real::load(position_[a] + i);
        add(places, lane_width);
      }
      if (i == end) return;
      for (int a = 0; a < D; ++a) places[a] = load_some(position_[a] + i, int(end - i));
      add(places, int(end - i));
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
  // False where there is none.
  bool find_near_and_deep(const CellMask<D>& wet) {
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
      return false;
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
    return true;
  }

  // The wall along an axis that a cell lies beyond, if any.
  std::optional<int> wall_before(int a, int x) const {
    if (x < wall_lo_[a]) return wall_lo_[a];
    if (x >= wall_hi_[a]) return wall_hi_[a];
    return {};
  }
  static int image(int x, std::optional<int> wall) { return wall ? 2 * *wall - 1 - x : x; }

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

  // A particle of another tile is seen from this one at sign · its position + origin. Liquid goes on beyond
  // the domain's walls as its mirror image, so that it meets them at a right angle.
  struct Seen {
    int tile, at;  // along an axis: in which of the three tiles, 0 to 2, others are out of sight, and where
    float sign, origin;
  };
  Seen seen(int a, int x) const {
    const std::optional<int> wall = wall_before(a, x);
    const int inside = image(x, wall), step = floor_div(inside, tile_side), corner = step * tile_side;
    return {step + 1, inside - corner, wall ? -1.f : 1.f, float(wall ? 2 * *wall - corner : corner)};
  }

  // Cells side by side along the last axis, in one tile: their particles are, too.
  struct Run {
    Seen from;
    int cells;
  };
  struct Runs {
    std::array<Run, 2 * surface_reach + 1> list;
    int count = 0;
  };

  // What cells from lo to hi - 1 along the last axis are: before, between and after the walls, and of these
  // what is of one tile.
  Runs runs_between(int lo, int hi) const {
    constexpr int last = D - 1;
    Runs runs;
    for (int from = lo, to; from < hi; from = to) {
      const std::optional<int> wall = wall_before(last, from);
      to = from < wall_lo_[last] ? std::min(hi, wall_lo_[last]) : !wall ? std::min(hi, wall_hi_[last]) : hi;
      int low = wall ? image(to - 1, wall) : from;
      const int end = low + (to - from);
      for (int next; low < end; low = next) {
        const Seen first = seen(last, image(low, wall));
        next = std::min(end, low - first.at + tile_side);
        if (first.tile >= 0 && first.tile <= 2) runs.list[std::size_t(runs.count++)] = {first, next - low};
      }
    }
    return runs;
  }

  void find_runs() {
    for (int x = 0; x < tile_side; ++x)
      for (int half = 0; half <= surface_reach; ++half)
        runs_[std::size_t(x)][std::size_t(half)] = runs_between(x - half, x + half + 1);
    for (int a = 0; a < D - 1; ++a)
      for (int x = -surface_reach; x < tile_side + surface_reach; ++x)
        seen_[std::size_t(a)][std::size_t(x + surface_reach)] = seen(a, x);
  }

  // Calls f(first, cells) for all cells in reach, run by run: the particles of one are those from first[0] to
  // first[cells] - 1. How they are seen along an axis, look_along(axis, seen) has been told before.
  template <class Look, class F>
  WHORL_INLINE void for_runs(const Coord<D>& cell, const Look& look_along, const F& f) const {
    constexpr int last = D - 1;
    const std::uint32_t* const particles = p_.first.data();
    for (const Span& span : spans()) {
      int row_place = 0, offset = 0;
      bool in_sight = true;
      for (int a = 0; a < last; ++a) {
        const Seen& s = seen_[std::size_t(a)][std::size_t(cell[a] + span.offset[a] + surface_reach)];
        in_sight = in_sight && s.tile >= 0 && s.tile <= 2;
        row_place = row_place * 3 + s.tile;
        offset += s.at * tile_stride<D>(a);
        look_along(a, s);
      }
      if (!in_sight) continue;
      const Runs& runs = runs_[std::size_t(cell[last])][std::size_t(span.half)];
      for (int k = 0; k < runs.count; ++k) {
        const Run& run = runs.list[std::size_t(k)];
        const int slot = neighbours_[row_place * 3 + run.from.tile];
        if (slot == absent_) continue;
        const std::uint32_t* first =
            particles + std::size_t(slot) * tile_cells<D> + std::size_t(offset + run.from.at);
        if (first[0] == first[run.cells]) continue;
        look_along(last, run.from);
        f(first, run.cells);
      }
    }
  }

  const ParticleSet<D>& p_;
  const int* neighbours_;
  int absent_;
  Coord<D> wall_lo_, wall_hi_;  // cells from the tile's first
  Masks near_, deep_;
  const float* position_[D];
  std::array<std::array<Runs, surface_reach + 1>, tile_side> runs_;           // [cell][half of a span]
  std::array<std::array<Seen, std::size_t(side)>, std::size_t(D - 1)> seen_;  // [axis][cell + surface_reach]
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
