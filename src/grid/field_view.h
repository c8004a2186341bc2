// How kernels see a field: the cell they stand on and its neighbours, one value a cell.
//
//   p(i)            the value at index i: a lane on the CPU, a number on a GPU
//   p(i, axis, +1)  one cell further along an axis, in the next tile if need be
//   out.store(i, x)
//
// A tile that does not exist reads as zero. By the rule that active cells have their faces, that is
// the velocity at an unstored closed wall, its open fraction, and the pressure of open air.
#pragma once

#include "base/portable.h"
#include "exec/tile_index.h"
#ifndef __CUDACC__
#include "exec/lane.h"
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace whorl {

// Reading and writing round a place in a tile, for views that know where tiles lie: Self has
// tile_data(index, place), the first cell of a tile in the index's neighbourhood.
template <class Self, class T, int D>
struct ViewOperations {
  using Value = std::remove_const_t<T>;

  WHORL_INLINE T* own(const auto& i) const {
    return self().tile_data(i, centre_of_neighbourhood<D>) + i.offset();
  }

  // One step (+1 or -1) along an axis; of a row, along any axis but the last.
  WHORL_INLINE T* stepped(const auto& i, int axis, int step) const {
    // Without a branch: a GPU then has all loads of a stencil under way at once.
    const bool inside = unsigned(i.at[axis] + step) < unsigned(tile_side);
    const int place = centre_of_neighbourhood<D> + (inside ? 0 : step * neighbour_step<D>(axis));
    const std::ptrdiff_t moved = (inside ? step : -step * (tile_side - 1)) * tile_stride<D>(axis);
    return self().tile_data(i, place) + moved + i.offset();
  }

  WHORL_INLINE Value operator()(const CellIndex<D>& i) const { return *own(i); }
  WHORL_INLINE Value operator()(const CellIndex<D>& i, int axis, int step) const {
    return *stepped(i, axis, step);
  }
  WHORL_INLINE void store(const CellIndex<D>& i, Value x) const { *own(i) = x; }

#ifndef __CUDACC__
  WHORL_INLINE Lane<Value> operator()(const RowIndex<D>& r) const { return Lane<Value>::load(own(r)); }
  WHORL_INLINE Lane<Value> operator()(const RowIndex<D>& r, int axis, int step) const {
    if (axis < D - 1) return Lane<Value>::load(stepped(r, axis, step));
    const T* next = self().tile_data(r, centre_of_neighbourhood<D> + step) + r.offset();
    return step < 0 ? shift_in_low((*this)(r), next[tile_side - 1]) : shift_in_high((*this)(r), next[0]);
  }
  WHORL_INLINE void store(const RowIndex<D>& r, Lane<Value> x) const { x.store(own(r)); }
#endif

 private:
  WHORL_INLINE const Self& self() const { return static_cast<const Self&>(*this); }
};

// A field on the topology that the kernel runs over.
template <class T, int D>
struct FieldView : ViewOperations<FieldView<T, D>, T, D> {
  T* data = nullptr;  // [slot][cell]; the slot after the last one is all zero

  FieldView() = default;
  WHORL_HD explicit FieldView(T* p) : data(p) {}
  WHORL_INLINE T* tile_data(const auto& i, int place) const {
    return data + std::size_t(i.neighbours[place]) * tile_cells<D>;
  }

#ifndef __CUDACC__
  // What a stencil reads of a tile of three dimensions and did not read of those before it, a share with each
  // row (exec/shapes.h): the tile after it along rows, which is the next to be visited or, at an edge, one of
  // which the first cells are read, and the layers that the next tiles along the other axes begin with. Faces
  // are read one further along their own axis alone.
  WHORL_INLINE void prefetch(const RowIndex<D>& i) const {
    prefetch_own(i);
    prefetch_next(i, 0);
    prefetch_next(i, 1);
  }
  WHORL_INLINE void prefetch_own(const RowIndex<D>& i) const {
    constexpr int rows_a_line = std::max(1, int(64 / (tile_side * sizeof(T))));
    if (i.at[1] % rows_a_line == 0)
      __builtin_prefetch(this->tile_data(i, centre_of_neighbourhood<D> + 1) + i.offset());
  }
  WHORL_INLINE void prefetch_next(const RowIndex<D>& i, int axis) const {
    constexpr int values_a_line = int(64 / sizeof(T));
    const T* next = tile_data(i, centre_of_neighbourhood<D> + neighbour_step<D>(axis));
    if (axis == 0 && i.at[1] == 1 && i.at[0] * values_a_line < tile_cells<D - 1>)
      __builtin_prefetch(next + i.at[0] * values_a_line);
    if (axis == 1 && i.at[1] == 2) __builtin_prefetch(next + i.at[0] * tile_stride<D>(0));
  }
#endif
};

// A field on another topology, read by a kernel that runs over this one.
template <class T, int D>
struct CrossView : ViewOperations<CrossView<T, D>, T, D> {
  T* data = nullptr;
  const int* table = nullptr;  // [tile of the kernel's topology][3^D] slots in the field's own

  CrossView() = default;
  WHORL_HD CrossView(T* p, const int* t) : data(p), table(t) {}
  WHORL_INLINE T* tile_data(const auto& i, int place) const {
    return data +
           std::size_t(table[std::size_t(i.tile) * neighbourhood<D> + std::size_t(place)]) * tile_cells<D>;
  }
};

// One view an axis; component a at index i is the low face of that cell along a.
template <class T, int D, template <class, int> class View = FieldView>
struct MacView {
  View<T, D> component[D];
  WHORL_INLINE const View<T, D>& operator[](int axis) const { return component[axis]; }
};

}  // namespace whorl
