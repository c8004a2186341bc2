#include "exec/cuda/shapes.cuh"
#include "stages/advect_kernel.h"

namespace whorl::cuda {

template void for_tiles(const TileSet<2>&, const AdvectKernel<Linear, 2>&, std::size_t);
template void for_tiles(const TileSet<3>&, const AdvectKernel<Linear, 3>&, std::size_t);

}  // namespace whorl::cuda
