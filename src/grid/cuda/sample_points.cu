#include "exec/cuda/shapes.cuh"
#include "grid/sample_points.h"

namespace whorl::cuda {

template void for_points(std::int64_t, const SamplePointsKernel<CatmullRom, 2>&);
template void for_points(std::int64_t, const SamplePointsKernel<CatmullRom, 3>&);

}  // namespace whorl::cuda
