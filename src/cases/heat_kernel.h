// V-B8, the heat kernel: the variance of what diffuses grows by 2 κ t along each axis.
#pragma once

#include "cases/findings.h"

namespace whorl {

template <int D>
void heat_kernel(Findings& found);

// A wave fades with the order in time that each scheme says.
void orders_of_diffusion(Findings& found);

// All of it, in 2D and 3D.
void diffusion(Findings& found);

}  // namespace whorl
