// The kernel shapes on a GPU, as host code sees them. exec/cuda/shapes.cuh defines them; a .cu file
// instantiates them for each kernel that is to run there. Every pointer is the device's.
#pragma once

#include "exec/tile_index.h"

#include <cstddef>

namespace whorl::cuda {

template <int D, class Kernel>
void for_rows(const TileSet<D>& tiles, const Kernel& kernel);

template <class Kernel>
void for_points(std::int64_t n, const Kernel& kernel);

template <int D, class Kernel>
void for_tiles(const TileSet<D>& tiles, const Kernel& kernel, std::size_t scratch_bytes);

// What one tile's scratch may hold here; 0 without a device.
std::size_t max_scratch_bytes();

}  // namespace whorl::cuda
