// A multigrid V-cycle for the pressure: three weighted Jacobi sweeps before and after each coarser grid, the
// same weights in reverse after, so that the cycle is symmetric; a dense Cholesky at the bottom. All of it in
// float and without h: each grid's right side is scaled by its own h².
#pragma once

#include "linear/pcg.h"

#include <memory>

namespace whorl {

struct MultigridParams {
  int bottom_cells = 128;  // at most, for the dense solve
};

// The system must outlive it.
template <int D>
std::unique_ptr<Preconditioner<float, D>> make_multigrid(Exec& ex, const PressureSystem<D>& system,
                                                         const MultigridParams& params = {});

}  // namespace whorl
