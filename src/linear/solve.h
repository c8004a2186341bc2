// The pressure solvers, by name.
#pragma once

#include "linear/pressure_system.h"
#include "linear/regions.h"
#include "linear/solve_report.h"

namespace whorl {

enum class PressureSolver {
  multigrid_pcg,  // conjugate gradients, preconditioned by a multigrid cycle: the one to use
  multigrid,      // the cycle alone, with the best step along each correction
  mic_pcg,        // … by modified incomplete Cholesky, τ = 0.97
  ic_pcg,         // … by incomplete Cholesky
  cg,             // … by nothing
  gauss_seidel,   // red and black cells in turn
  jacobi,         // damped
};

// A p = right_side on the unknowns; p holds the first guess and receives the answer, zero elsewhere. In each
// region that touches no air the mean of the right side is taken off first, and the answer has mean zero.
template <int D>
SolveReport solve(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                  const PressureSystem<D>& system, const Regions<D>& regions, PressureSolver solver, double h,
                  const SolveTarget& target);

}  // namespace whorl
