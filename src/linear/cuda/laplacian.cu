#include "exec/cuda/shapes.cuh"
#include "linear/laplacian.h"

namespace whorl::cuda {

template void for_rows(const TileSet<2>&, const LaplacianKernel<float, 2>&);
template void for_rows(const TileSet<3>&, const LaplacianKernel<float, 3>&);
template void for_rows(const TileSet<2>&, const WeightedLaplacianKernel<float, 2>&);
template void for_rows(const TileSet<3>&, const WeightedLaplacianKernel<float, 3>&);

}  // namespace whorl::cuda
