// The kernel shapes on a GPU. exec/shapes.h has the CPU's, for the same kernels.
#pragma once

#include "base/check.h"
#include "exec/cuda/launch.h"
#include "exec/scalar_ops.h"

#include <cuda_runtime.h>

namespace whorl::cuda {

template <int D>
__device__ CellIndex<D> own_cell(const TileSet<D>& tiles) {
  const int tile = tiles.tile(blockIdx.x);
  CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
  int rest = int(threadIdx.x);
  for (int a = D - 1; a >= 0; --a, rest /= tile_side) i.at[a] = rest % tile_side;
  return i;
}

// What a tile kernel works with: a block a tile, a thread a cell; a phase is shared out over the threads.
template <int D>
class BlockGroup {
 public:
  __device__ BlockGroup(const CellIndex<D>& own, unsigned char* scratch) : own_(own), scratch_(scratch) {}

  __device__ int tile() const { return own_.tile; }
  template <class T>
  __device__ T* scratch() const {
    return reinterpret_cast<T*>(scratch_);
  }

  template <class F>
  __device__ void for_each(int n, const F& f) const {
    for (int i = int(threadIdx.x); i < n; i += int(blockDim.x)) f(i);
  }
  template <class F>
  __device__ void for_each(int n, int m, const F& f) const {
    for (int i = int(threadIdx.x); i < n * m; i += int(blockDim.x)) f(i / m, i % m);
  }
  template <class F>
  __device__ void for_cells(const F& f) const {
    f(own_);
  }
  template <class F>
  __device__ bool any_cell(const F& f) const {
    return __syncthreads_or(f(own_));
  }
  template <class T>
  __device__ static void copy_row(T* to, const T* from) {
    for (int k = 0; k < tile_side; ++k) to[k] = from[k];
  }
  template <class T>
  __device__ static void fill_row(T* to, T value) {
    for (int k = 0; k < tile_side; ++k) to[k] = value;
  }
  __device__ void sync() const { __syncthreads(); }

 private:
  CellIndex<D> own_;
  unsigned char* scratch_;
};

// Row stencils: a thread a column of eight cells along the first axis, so that addresses are worked out
// once for eight cells and neighbours along the column come from the nearest cache. On an H200, 512³:
// 0.69 of the copy's bandwidth; with a thread a cell 0.29.
inline constexpr int row_threads = 64;
template <int D>
inline constexpr int tiles_per_block = row_threads* tile_side / tile_cells<D>;

template <int D, class Kernel>
__global__ void __launch_bounds__(row_threads) run_rows(const TileSet<D> tiles, const Kernel kernel) {
  __shared__ int neighbours[tiles_per_block<D>][neighbourhood<D>];
  constexpr int columns = row_threads / tiles_per_block<D>;
  const int own = int(threadIdx.x) / columns, column = int(threadIdx.x) % columns;
  const std::int64_t k = std::int64_t(blockIdx.x) * tiles_per_block<D> + own;
  const int tile = k < tiles.count ? tiles.tile(k) : -1;
  if (tile >= 0)
    for (int n = column; n < neighbourhood<D>; n += columns)
      neighbours[own][n] = tiles.neighbours[std::size_t(tile) * neighbourhood<D> + n];
  __syncthreads();
  if (tile < 0) return;

  CellIndex<D> i{tile, neighbours[own], {}};
  int rest = column;
  for (int a = D - 1; a > 0; --a, rest /= tile_side) i.at[a] = rest % tile_side;
#pragma unroll
  for (int x = 0; x < tile_side; ++x) {
    i.at[0] = x;
    kernel(i);
  }
}

inline constexpr int point_threads = 256;

template <class Kernel>
__global__ void __launch_bounds__(point_threads) run_points(const std::int64_t n, const Kernel kernel) {
  const std::int64_t i = std::int64_t(blockIdx.x) * point_threads + threadIdx.x;
  if (i < n) kernel(i);
}

template <int D, class Kernel>
__global__ void __launch_bounds__(tile_cells<D>) run_tiles(const TileSet<D> tiles, const Kernel kernel) {
  extern __shared__ __align__(16) unsigned char scratch[];
  kernel(BlockGroup<D>(own_cell(tiles), scratch));
}

template <int D, class Kernel>
void for_rows(const TileSet<D>& tiles, const Kernel& kernel) {
  const unsigned blocks = unsigned((tiles.count + tiles_per_block<D> - 1) / tiles_per_block<D>);
  if (blocks > 0) run_rows<<<blocks, row_threads>>>(tiles, kernel);
}

template <class Kernel>
void for_points(std::int64_t n, const Kernel& kernel) {
  const unsigned blocks = unsigned((n + point_threads - 1) / point_threads);
  if (blocks > 0) run_points<<<blocks, point_threads>>>(n, kernel);
}

template <int D, class Kernel>
void for_tiles(const TileSet<D>& tiles, const Kernel& kernel, std::size_t scratch_bytes) {
  if (tiles.count == 0) return;
  CHECK(scratch_bytes <= max_scratch_bytes(), scratch_bytes, " bytes of scratch a tile");
  const cudaError_t status = cudaFuncSetAttribute(
      run_tiles<D, Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(scratch_bytes));
  CHECK(status == cudaSuccess, cudaGetErrorString(status));
  constexpr int threads = tile_cells<D>;
  run_tiles<<<unsigned(tiles.count), threads, scratch_bytes>>>(tiles, kernel);
}

}  // namespace whorl::cuda
