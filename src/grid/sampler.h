// Samplers that look tiles up tap by tap: through the table of the 3^D tiles round one (points within
// a tile's reach, GPU threads), or through the hash (points anywhere). Bricks are faster where a whole
// tile samples at once; all three give the same values.
#pragma once

#include "exec/scalar_ops.h"
#include "grid/interpolate.h"
#include "grid/sample_view.h"
#include "grid/tile_map.h"

namespace whorl {

// Reads samples round a cell (or a lane of cells) through Sampler::fetch, one at a time.
template <class Sampler, class Int, int D>
struct FetchPlace {
  const Sampler* sampler;
  Vec<Int, D> cell;

  template <int width, class Real>
  WHORL_INLINE void row(const Coord<D>& offset, Real* out) const {
    for (int k = 0; k < width; ++k)
      out[k] = from_elements<Real>([&](int e) {
        Coord<D> at;
        for (int a = 0; a < D; ++a) at[a] = element(cell[a], e) + offset[a];
        at[D - 1] += k;
        return sampler->fetch(at);
      });
  }
  template <class F>
  WHORL_INLINE auto visit(const F& f) const {
    return f(*this);
  }
};

// Where a boundary fixes the value at `at` (cells from `origin`), returns true; where it extends the
// field, moves `at` to the nearest valid cell. Axis after axis, as bricks do: the last one wins.
template <int D>
WHORL_INLINE bool fixed_by_boundary(const Boundary<D>& b, const Coord<D>& origin, Coord<D>& at,
                                    float& value) {
  bool fixed = false;
  for (int a = 0; a < D; ++a) {
    const int first = b.lo[a] - origin[a], end = b.hi[a] - origin[a];
    if (at[a] >= first && at[a] < end) continue;
    const int side = at[a] >= end;
    if (b.extend[a][side]) {
      at[a] = side ? end - 1 : first;
    } else {
      fixed = true;
      value = b.value[a][side];
    }
  }
  return fixed;
}

// Splits the displacement d from cell `at` into whole cells, kept within [first, last], and a rest.
template <int D, class Real>
WHORL_INLINE auto whole_cells(const Coord<D>& at, const Vec<Real, D>& d, int first, int last,
                              Vec<Real, D>& t) {
  using Int = typename LaneTraits<Real>::Int;
  Vec<Int, D> cell;
  for (int a = 0; a < D; ++a) {
    const Real own = Real(float(at[a])) + (a == D - 1 ? row_steps<Real>() : Real(0.f));
    const Real whole = min(max(floor(d[a]), Real(float(first)) - own), Real(float(last)) - own);
    t[a] = min(max(d[a] - whole, Real(0.f)), Real(1.f));
    cell[a] = truncate(whole + own);
  }
  return cell;
}

template <int D>
struct TableSampler {
  SampleView<D> field;
  int tile;

  // The point `d` cells away from the sample of cell `at` of the tile, as Brick::locate has it.
  template <class Method, class Real>
  WHORL_INLINE auto locate(const Coord<D>& at, const Vec<Real, D>& d, Vec<Real, D>& t) const {
    using Int = typename LaneTraits<Real>::Int;
    constexpr int first = Method::before - tile_side, last = 2 * tile_side - 1 - Method::after;
    return FetchPlace<TableSampler, Int, D>{this, whole_cells(at, d, first, last, t)};
  }

  WHORL_INLINE float fetch(Coord<D> at) const {
    float value;
    if (fixed_by_boundary(field.boundary, field.tiles[tile] * tile_side, at, value)) return value;
    int place = 0;
    for (int a = 0; a < D; ++a) {
      place = place * 3 + (at[a] + tile_side) / tile_side;
      at[a] = (at[a] + tile_side) % tile_side;
    }
    const int slot = field.table[std::size_t(tile) * neighbourhood<D> + std::size_t(place)];
    if (slot == field.absent) return field.background;
    return field.data[std::size_t(slot) * tile_cells<D> + std::size_t(cell_offset<D>(at))];
  }
};

template <int D>
struct HashSampler {
  SampleView<D> field;  // its table is not used
  TileMapView<D> map;
  Coord<D> origin;      // the cell that others are counted from
  Coord<D> first_tile;  // of the period, and its length, along periodic axes …
  Coord<D> period;      // … 0 along the others

  // The point `d` cells away from the sample of cell `at`, counted from the origin; any distance.
  template <class Method, class Real>
  WHORL_INLINE auto locate(const Coord<D>& at, const Vec<Real, D>& d, Vec<Real, D>& t) const {
    using Int = typename LaneTraits<Real>::Int;
    constexpr int far_away = 1 << 23;  // a float still tells one cell from the next
    return FetchPlace<HashSampler, Int, D>{this, whole_cells(at, d, -far_away, far_away, t)};
  }

  WHORL_INLINE float fetch(Coord<D> at) const {
    float value;
    if (fixed_by_boundary(field.boundary, origin, at, value)) return value;
    Coord<D> tile, local;
    for (int a = 0; a < D; ++a) {
      const int cell = origin[a] + at[a];
      local[a] = cell & (tile_side - 1);
      tile[a] = (cell - local[a]) / tile_side;
    }
    const float* cells = cells_of(tile);
    return cells ? cells[cell_offset<D>(local)] : field.background;
  }

  // The cells of a tile anywhere; null where there is none.
  WHORL_INLINE const float* cells_of(Coord<D> tile) const {
    for (int a = 0; a < D; ++a)
      if (period[a]) {
        tile[a] = (tile[a] - first_tile[a]) % period[a];
        tile[a] += first_tile[a] + (tile[a] < 0 ? period[a] : 0);
      }
    const int slot = map.find(tile, field.absent);
    return slot == field.absent ? nullptr : field.data + std::size_t(slot) * tile_cells<D>;
  }
};

// The field at a point, by any sampler.
template <class Method, int D, class Sampler, class Real>
WHORL_INLINE Real sample(const Sampler& sampler, const Coord<D>& at, const Vec<Real, D>& d) {
  Vec<Real, D> t;
  const auto place = sampler.template locate<Method>(at, d, t);
  return place.visit([&](const auto& p) WHORL_INLINE_LAMBDA { return interpolate<Method, D>(p, t); });
}

template <class Method, int D, class Sampler, class Real>
WHORL_INLINE Sampled<Real> sample_with_bounds(const Sampler& sampler, const Coord<D>& at,
                                              const Vec<Real, D>& d) {
  Vec<Real, D> t;
  const auto place = sampler.template locate<Method>(at, d, t);
  return place.visit([&](const auto& p)
                         WHORL_INLINE_LAMBDA { return interpolate_with_bounds<Method, D>(p, t); });
}

}  // namespace whorl
