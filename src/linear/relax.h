// Relaxation as a solver: the simplest there are, and the yardstick for the others.
#pragma once

#include "linear/pcg.h"

namespace whorl {

enum class Relaxation { jacobi, red_black };

// As solve_pcg.
template <int D>
SolveReport solve_relaxed(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                          const PressureSystem<D>& system, const Regions<D>& regions, double h,
                          const SolveTarget& target, Relaxation kind);

}  // namespace whorl
