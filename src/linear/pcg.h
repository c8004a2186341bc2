// Preconditioned conjugate gradients for the pressure (Hestenes & Stiefel 1952).
//
// The answer is kept in double; the other vectors may be stored in float (T). What that costs in precision is
// made up for whenever the residual has fallen by four digits: it is worked out afresh in double from the
// answer, and the iteration goes on from there (van der Vorst & Ye 2000).
#pragma once

#include "linear/pressure_system.h"
#include "linear/regions.h"
#include "linear/solve_report.h"

namespace whorl {

// z ≈ A⁻¹ r, up to a constant factor; symmetric, and the same at every call. Returns z · r. Both are zero on
// cells that are no unknowns.
template <class T, int D>
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual double apply(Exec& ex, Field<T, D>& z, const Field<T, D>& r) = 0;
};

// No preconditioner: plain CG.
template <class T, int D>
class Identity final : public Preconditioner<T, D> {
 public:
  double apply(Exec& ex, Field<T, D>& z, const Field<T, D>& r) override;
};

// Conjugate to all before, or each correction by itself.
enum class Directions { conjugate, steepest };

// A p = right_side on the unknowns; p holds the first guess and receives the answer, and is zero on all other
// cells. In each floating region the right side has mean zero, and so has the answer.
template <class T, int D>
SolveReport solve_pcg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                      const PressureSystem<D>& system, const Regions<D>& regions, double h,
                      const SolveTarget& target, Preconditioner<T, D>& preconditioner,
                      Directions directions = Directions::conjugate);

struct Norms {
  double squares = 0, worst = 0;  // the sum of the squares, and the largest size

  double size(ResidualNorm norm) const;
};

// What every solve begins with.
template <int D>
SolveReport begin_report(Exec& ex, const Field<double, D>& right_side, const PressureSystem<D>& system,
                         const Regions<D>& regions, Norms& of_right_side);

// How small the residual must be, in the norm that is asked for.
double solve_goal(const SolveTarget& target, const Norms& of_right_side);

// r = (right side - A p) / scale, less the means.
template <class T, int D>
Norms true_residual(Exec& ex, Field<T, D>& r, const Field<double, D>& p, const Field<double, D>& right_side,
                    const PressureSystem<D>& system, const Regions<D>& regions, double h, double scale);

// Zero on cells that are no unknowns.
template <int D>
void clear_others(Exec& ex, Field<double, D>& p, const PressureSystem<D>& system);

}  // namespace whorl
