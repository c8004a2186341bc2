// Conjugate gradients without a preconditioner, for the pressure (Hestenes & Stiefel 1952).
// The yardstick for what comes after it, and in double: float alone stalls far above 1e-6.
#pragma once

#include "grid/field.h"
#include "linear/solve_report.h"

namespace whorl {

// A p = right_side on the active cells; p holds the first guess and receives the answer.
// `weight` is the open fraction of each face. Where no cell touches air, A takes no notice of a
// constant: then the mean of the right side is taken off, and that of p is zero.
template <int D>
SolveReport solve_cg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                     const MacField<float, D>& weight, double h, const SolveTarget& target);

}  // namespace whorl
