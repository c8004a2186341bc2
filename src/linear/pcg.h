// Preconditioned conjugate gradients for the pressure (Hestenes & Stiefel 1952), in double: float alone
// stalls far above 1e-6. Preconditioners may be in float.
#pragma once

#include "linear/pressure_system.h"
#include "linear/solve_report.h"

namespace whorl {

// z ≈ A⁻¹ r, up to a constant factor; symmetric, and the same at every call.
template <int D>
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void apply(Exec& ex, Field<double, D>& z, const Field<double, D>& r) = 0;
};

// A p = right_side on the active cells; p holds the first guess and receives the answer, and is zero on all
// other cells. Without a preconditioner, plain CG. Where no cell touches air, the mean of the right side is
// taken off first, and the answer has mean zero.
template <int D>
SolveReport solve_pcg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                      const PressureSystem<D>& system, double h, const SolveTarget& target,
                      Preconditioner<D>* preconditioner = nullptr);

}  // namespace whorl
