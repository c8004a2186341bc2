// The three kernel shapes, on the CPU (docs/adr/0002-kernel-shapes.md). exec/cuda/shapes.cuh has the
// same three for a GPU; a kernel is a function object that knows neither.
//
//   row stencil    kernel(index)   index: a row of eight cells here, one cell on a GPU
//   point kernel   kernel(i)       i: any number of independent items
//   tile kernel    kernel(group)   one tile at a time with scratch memory, in phases
#pragma once

#include "base/vec.h"
#include "exec/exec.h"
#include "exec/lane.h"
#include "exec/reduce.h"
#include "exec/tile_index.h"

#include <algorithm>
#include <cstddef>

namespace whorl {

// Enough work to hide a launch, little enough to share out: 16 tiles of 512 cells in 3D, 128 of 64
// in 2D. Reductions use the same chunks, so this number is part of the bits.
template <int D>
inline constexpr std::int64_t tiles_per_chunk = 8192 / tile_cells<D>;

// Visits the rows of one tile. The loop over the last axis but one is unrolled, so that "is this
// the tile's edge" is known to the compiler.
template <int D, class Kernel>
WHORL_INLINE void for_rows_of_tile(const TileSet<D>& tiles, int tile, const Kernel& kernel) {
  RowIndex<D> r{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
  if constexpr (D == 3) {
    for (r.at[0] = 0; r.at[0] < tile_side; ++r.at[0]) {
#pragma GCC unroll 8
      for (int j = 0; j < tile_side; ++j) {
        r.at[1] = j;
        kernel(r);
      }
    }
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < tile_side; ++i) {
      r.at[0] = i;
      kernel(r);
    }
  }
}

// The same, and with each row the kernel asks memory for a share of what it will read of a tile to come, if
// it has a prefetch(index): index is the same row of that tile. All of it has to be inlined for certain: GCC
// takes a function that only asks for memory for one without an effect, and drops the call.
template <int D, class Kernel>
WHORL_INLINE void for_rows_of_tile_and_ahead(const TileSet<D>& tiles, std::int64_t k, const Kernel& kernel) {
  if constexpr (D == 3 && requires(RowIndex<D> i) { kernel.prefetch(i); }) {
    constexpr int ahead = 2;
    const int coming = tiles.tile(std::min<std::int64_t>(k + ahead, tiles.count - 1));
    const int* round_it = tiles.neighbours + std::size_t(coming) * neighbourhood<D>;
    for_rows_of_tile<D>(tiles, tiles.tile(k), [&](const RowIndex<D>& i) WHORL_INLINE_LAMBDA {
      kernel.prefetch(RowIndex<D>{coming, round_it, i.at});
      kernel(i);
    });
  } else {
    for_rows_of_tile<D>(tiles, tiles.tile(k), kernel);
  }
}

template <int D, class Kernel>
void for_rows(Exec& ex, const TileSet<D>& tiles, const Kernel& kernel) {
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    const Kernel local = kernel;
    for (std::int64_t k = begin; k < end; ++k) for_rows_of_tile_and_ahead(tiles, k, local);
  });
}

// kernel(index) also returns a lane; the sum over all cells, first along columns of rows, then the
// eight cells, then tile after tile.
template <class T, int D, class Kernel>
T sum_rows(Exec& ex, const TileSet<D>& tiles, const Kernel& kernel) {
  return reduce(
      ex, tiles.count, tiles_per_chunk<D>, T(0),
      [&](std::int64_t begin, std::int64_t end) {
        const Kernel local = kernel;
        T total(0);
        for (std::int64_t k = begin; k < end; ++k) {
          Lane<T> rows(T(0));
          for_rows_of_tile<D>(tiles, tiles.tile(k), [&](const RowIndex<D>& r) { rows += local(r); });
          total += sum(rows);
        }
        return total;
      },
      [](T x, T y) { return x + y; });
}

// The largest value that kernel(index) returns, and at least `least`. A NaN anywhere makes it NaN: a run
// that has gone wrong must not look well.
template <class T, int D, class Kernel>
T max_rows(Exec& ex, const TileSet<D>& tiles, T least, const Kernel& kernel) {
  return reduce(
      ex, tiles.count, tiles_per_chunk<D>, least,
      [&](std::int64_t begin, std::int64_t end) {
        const Kernel local = kernel;
        Lane<T> most(least);
        for (std::int64_t k = begin; k < end; ++k)
          for_rows_of_tile<D>(tiles, tiles.tile(k),
                              [&](const RowIndex<D>& r) { most = max_or_nan(local(r), most); });
        return max_element(most);
      },
      [](T x, T y) { return max_or_nan(y, x); });
}

template <class Kernel>
void for_points(Exec& ex, std::int64_t n, const Kernel& kernel) {
  constexpr std::int64_t points_per_chunk = 4096;
  ex.parallel_for(n, points_per_chunk, [&](std::int64_t begin, std::int64_t end) {
    const Kernel local = kernel;
    for (std::int64_t i = begin; i < end; ++i) local(i);
  });
}

// What a tile kernel works with: on the CPU a phase is a loop, and syncing is having ended it.
template <int D>
class TileGroup {
 public:
  TileGroup(const TileSet<D>& tiles, int tile, void* scratch)
      : tiles_(tiles), tile_(tile), scratch_(static_cast<std::byte*>(scratch)) {}

  int tile() const { return tile_; }
  template <class T>
  T* scratch(std::size_t offset_bytes = 0) const {
    return reinterpret_cast<T*>(scratch_ + offset_bytes);
  }

  template <class F>
  WHORL_INLINE void for_each(int n, const F& f) const {
    for (int i = 0; i < n; ++i) f(i);
  }
  template <class F>
  WHORL_INLINE void for_each(int n, int m, const F& f) const {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) f(i, j);
  }
  // Every cell of the tile: here a row at a time.
  template <class F>
  WHORL_INLINE void for_cells(const F& f) const {
    const int* neighbours = tiles_.neighbours + std::size_t(tile_) * neighbourhood<D>;
    for (int row = 0; row < tile_rows<D>; ++row) {
      RowIndex<D> r{tile_, neighbours, {}};
      for (int a = D - 2, rest = row; a >= 0; --a, rest /= tile_side) r.at[a] = rest % tile_side;
      f(r);
    }
  }
  // Does f hold anywhere in the tile?
  template <class F>
  WHORL_INLINE bool any_cell(const F& f) const {
    bool found = false;
    for_cells([&](const RowIndex<D>& r) { found = found || f(r); });
    return found;
  }
  // The eight values of a row of a tile.
  template <class T>
  WHORL_INLINE static void copy_row(T* to, const T* from) {
    Lane<T>::load(from).store(to);
  }
  template <class T>
  WHORL_INLINE static void fill_row(T* to, T value) {
    Lane<T>(value).store(to);
  }
  void sync() const {}

 private:
  TileSet<D> tiles_;
  int tile_;
  std::byte* scratch_;
};

// scratch_bytes(tile) says how much the kernel needs there.
template <int D, class Kernel, class ScratchBytes>
void for_tiles(Exec& ex, const TileSet<D>& tiles, const Kernel& kernel, const ScratchBytes& scratch_bytes) {
  constexpr std::int64_t tiles_per_task = tiles_per_chunk<D> / 4;  // these kernels are heavy
  ex.parallel_chunks(tiles.count, tiles_per_task,
                     [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
                       for (std::int64_t k = begin; k < end; ++k) {
                         const int tile = tiles.tile(k);
                         kernel(TileGroup<D>(tiles, tile, ex.scratch(worker, scratch_bytes(tile))));
                       }
                     });
}

}  // namespace whorl
