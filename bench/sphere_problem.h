// V-P1's problem on a dense grid, without a line of Whorl's solvers: the unit cube with solid sides and
// floor, air above, a solid sphere of radius 0.2 inside, and a right side that is smooth with a tenth of
// noise.
#pragma once

#include "poisson_file.h"

namespace whorl::bench {

Result<PoissonFile> sphere_problem(int n);

}  // namespace whorl::bench
