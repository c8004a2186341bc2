// The pressure solvers, by name.
#pragma once

#include "linear/pcg.h"
#include "linear/pressure_system.h"
#include "linear/regions.h"
#include "linear/solve_report.h"

#include <memory>
#include <optional>

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

// What solves of one and the same system share: the first of them makes it.
template <int D>
struct SolverCache {
  std::optional<Regions<D>> regions;
  std::unique_ptr<Preconditioner<float, D>> multigrid;
};

// A p = right_side on the unknowns; p holds the first guess and receives the answer, zero elsewhere. In each
// region that touches no air the mean of the right side is taken off first, and the answer has mean zero.
template <int D>
SolveReport solve(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                  const PressureSystem<D>& system, const Regions<D>& regions, PressureSolver solver, double h,
                  const SolveTarget& target, SolverCache<D>* cache = nullptr);

}  // namespace whorl
