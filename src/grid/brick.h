// A brick: the cells of a tile and as many round it as a kernel will sample, copied side by side, so
// that sampling is arithmetic on one dense array (docs/adr/0002-kernel-shapes.md).
#pragma once

#include "exec/scalar_ops.h"
#include "exec/tile_index.h"
#include "grid/sample_view.h"

namespace whorl {

// Cells [lo, hi) relative to the tile's first; at most the 3^D tiles round it. Along the last axis
// whole tiles, so that rows are copied whole.
template <int D>
struct BrickBox {
  Coord<D> lo, hi;

  // From `before` cells below the tile's first to `after` cells above its last, along each axis.
  WHORL_INLINE static BrickBox around(const Coord<D>& before, const Coord<D>& after) {
    BrickBox b;
    for (int a = 0; a < D; ++a) {
      b.lo[a] = -min(max(before[a], 0), tile_side);
      b.hi[a] = tile_side + min(max(after[a], 0), tile_side);
    }
    b.lo[D - 1] = b.lo[D - 1] < 0 ? -tile_side : 0;
    b.hi[D - 1] = b.hi[D - 1] > tile_side ? 2 * tile_side : tile_side;
    return b;
  }
  WHORL_INLINE int size(int axis) const { return hi[axis] - lo[axis]; }
  WHORL_INLINE int stride(int axis) const {
    int s = 1;
    for (int a = D - 1; a > axis; --a) s *= size(a);
    return s;
  }
  WHORL_INLINE int cells() const { return size(0) * stride(0); }
  // As cells() <= most, for boxes of any size.
  WHORL_INLINE bool holds_at_most(int most) const {
    for (int a = 0; a < D; ++a) most /= max(size(a), 1);
    return most > 0;
  }
};

// Where a row of points stands whose samples lie side by side in a brick, in one run or in two.
template <int runs, int D, class Mask>
struct BrickRow {
  const float* first;
  const float* second;
  Mask in_first;
  const int* stride;

  template <int width, class Real>
  WHORL_INLINE void row(const Coord<D>& offset, Real* out) const {
    std::ptrdiff_t o = offset[D - 1];
    for (int a = 0; a < D - 1; ++a) o += std::ptrdiff_t(offset[a]) * stride[a];
    for (int k = 0; k < width; ++k) {
      out[k] = Real::load(first + o + k);
      if constexpr (runs == 2) out[k] = select(in_first, out[k], Real::load(second + o + k));
    }
  }
};

// Where a sampler stands in a brick; Int is one index or a lane of them.
template <class Int, int D>
struct BrickPlace {
  const float* data;
  Int index;
  int lowest, highest;  // indices whose stencils the brick holds
  int stride[D];

  template <int width, class Real>
  WHORL_INLINE void row(const Coord<D>& offset, Real* out) const {
    static_assert(width % 2 == 0);
    const float* p = data + offset[D - 1];
    for (int a = 0; a < D - 1; ++a) p += offset[a] * stride[a];
    for (int k = 0; k < width; k += 2) gather_pair(p + k, index, out[k], out[k + 1]);
  }

  // Calls f with the place in its cheapest form.
  template <class F>
  WHORL_INLINE auto visit(const F& f) const {
    if constexpr (LaneTraits<Int>::width > 1) {
      const auto runs = runs_of(index);
      using Mask = decltype(runs.in_first);
      if (runs.one) return f(BrickRow<1, D, Mask>{data + runs.first, nullptr, {}, stride});
      // What a run reads in the other's place must be there, too.
      if (runs.two && min(runs.first, runs.second) >= lowest &&
          max(runs.first, runs.second) + LaneTraits<Int>::width - 1 <= highest)
        return f(BrickRow<2, D, Mask>{data + runs.first, data + runs.second, runs.in_first, stride});
    }
    return f(*this);
  }
};

template <int D>
struct Brick {
  float* data;
  BrickBox<D> box;

  WHORL_INLINE float* at(const Coord<D>& cell) const {
    int i = 0;
    for (int a = 0; a < D; ++a) i = i * box.size(a) + (cell[a] - box.lo[a]);
    return data + i;
  }

  // The point that is `d` cells away from the sample of cell `at` (of a row: from each of its cells'), as a
  // place and the rest t in [0, 1). Only d is split, so the result does not depend on where in the tile it
  // is. The brick must hold the point and its stencil; what it does not hold, or a NaN, reads some samples of
  // it.
  template <class Method, class Real>
  WHORL_INLINE auto locate(const Coord<D>& at, const Vec<Real, D>& d, Vec<Real, D>& t) const {
    using Int = typename LaneTraits<Real>::Int;
    BrickPlace<Int, D> place{data, {}, 0, box.cells() - 1, {}};
    Real steps(0.f);  // whole numbers far below 2^24: exact
    for (int a = 0; a < D; ++a) {
      const Real whole = floor(d[a]);
      t[a] = d[a] - whole;
      place.stride[a] = box.stride(a);
      steps = steps + whole * Real(float(place.stride[a]));
      place.lowest += Method::before * place.stride[a];
      place.highest -= Method::after * place.stride[a];
    }
    const Int index = row_steps<Int>() + Int(int(this->at(at) - data)) + truncate(steps);
    place.index = min(max(index, Int(place.lowest)), Int(place.highest));
    return place;
  }
};

namespace detail {

// Fills what lies beyond the valid cells along one axis, row by row.
template <class Group, int D>
WHORL_INLINE void fill_beyond(const Group& group, const Brick<D>& brick, int axis, int first, int end,
                              const bool* extend, const float* value) {
  const BrickBox<D>& box = brick.box;
  const int lo = min(max(first, box.lo[axis]), box.hi[axis] - 1);  // valid cells that the brick holds
  const int hi = max(min(end, box.hi[axis]), lo + 1);
  const int rows = D == 3 ? box.size(0) : 1, columns = box.size(D - 2), length = box.size(D - 1);
  group.for_each(rows, columns, [&](int i, int j) {
    Coord<D> at = box.lo;
    if (D == 3) at[0] += i;
    at[D - 2] += j;
    float* row = brick.at(at);
    if (axis == D - 1) {
      const int low = lo - box.lo[axis], high = hi - box.lo[axis];
      if (first > box.lo[axis])
        for (int k = 0; k < low; ++k) row[k] = extend[0] ? row[low] : value[0];
      if (end < box.hi[axis])
        for (int k = high; k < length; ++k) row[k] = extend[1] ? row[high - 1] : value[1];
    } else if (at[axis] < first || at[axis] >= end) {
      const int side = at[axis] >= end;
      Coord<D> nearest = at;
      nearest[axis] = side ? hi - 1 : lo;
      const float* from = brick.at(nearest);
      for (int k = 0; k < length; ++k) row[k] = extend[side] ? from[k] : value[side];
    }
  });
  group.sync();
}

}  // namespace detail

// Applies a boundary to a brick that is counted from `origin` and holds the samples within the domain.
template <class Group, int D>
WHORL_INLINE void fill_beyond_sides(const Group& group, const Brick<D>& brick, const Boundary<D>& boundary,
                                    const Coord<D>& origin) {
  for (int a = 0; a < D; ++a) {
    const int first = boundary.lo[a] - origin[a], end = boundary.hi[a] - origin[a];
    if (first > brick.box.lo[a] || end < brick.box.hi[a])
      detail::fill_beyond(group, brick, a, first, end, boundary.extend[a], boundary.value[a]);
  }
}

// Copies the field into the brick, background where no tile is, and applies its boundary.
template <class Group, int D>
WHORL_INLINE void load_brick(const Group& group, const Brick<D>& brick, const SampleView<D>& field) {
  const BrickBox<D>& box = brick.box;
  const int* slots = field.table + std::size_t(group.tile()) * neighbourhood<D>;
  const int first_column = (box.lo[D - 1] + tile_side) / tile_side, columns = box.size(D - 1) / tile_side;

  for (int block = 0; block < neighbourhood<D - 1>; ++block) {  // of tiles, the last axis aside
    Coord<D> from, count;
    for (int a = D - 2, rest = block; a >= 0; --a, rest /= 3) {
      const int start = (rest % 3 - 1) * tile_side;
      from[a] = max(box.lo[a], start);
      count[a] = min(box.hi[a], start + tile_side) - from[a];
    }
    from[D - 1] = box.lo[D - 1];
    bool empty = false;
    for (int a = 0; a < D - 1; ++a) empty = empty || count[a] <= 0;
    if (empty) continue;

    const float* tiles[3];
    for (int c = 0; c < columns; ++c) {
      const int slot = slots[block * 3 + first_column + c];
      tiles[c] = slot == field.absent ? nullptr : field.data + std::size_t(slot) * tile_cells<D>;
    }
    group.for_each(D == 3 ? count[0] : 1, count[D - 2], [&](int i, int j) {
      Coord<D> at = from;
      if (D == 3) at[0] += i;
      at[D - 2] += j;
      float* row = brick.at(at);
      Coord<D> local{};
      for (int a = 0; a < D - 1; ++a) local[a] = at[a] & (tile_side - 1);
      const std::ptrdiff_t offset = cell_offset<D>(local);
      for (int c = 0; c < columns; ++c)
        if (tiles[c])
          group.copy_row(row + c * tile_side, tiles[c] + offset);
        else
          group.fill_row(row + c * tile_side, field.background);
    });
  }
  group.sync();

  fill_beyond_sides(group, brick, field.boundary, field.tiles[group.tile()] * tile_side);
}

}  // namespace whorl
