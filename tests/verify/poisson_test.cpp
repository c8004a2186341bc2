// V-P1: how many iterations each solver takes.
#include "cases/poisson.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(Poisson, PlainCgTakesTheIterationsOfTheTable) { expect_rows(cg_iterations); }
TEST(Poisson, IcTakesTheIterationsOfTheTable) { expect_rows(ic_iterations); }
TEST(Poisson, MicTakesTheIterationsOfTheTable) { expect_rows(mic_iterations); }
TEST(Poisson, MultigridDoesNotSlowDownOnFinerGrids) { expect_rows(multigrid_iterations); }

// The simplest solvers get there, too; red-black Gauss-Seidel in half of Jacobi's sweeps.
TEST(Poisson, RelaxationConverges) {
  Exec ex;
  Findings found;
  const PoissonCase<3> problem(ex, 16);
  const int jacobi = solve_case(found, ex, problem, PressureSolver::jacobi, 1e-5).iterations,
            gauss_seidel = solve_case(found, ex, problem, PressureSolver::gauss_seidel, 1e-5).iterations;
  // Jacobi is damped by 0.9.
  found.within("Gauss-Seidel's sweeps", gauss_seidel, 0.9 * jacobi / 2, 0.1 * jacobi);
  expect_rows(found);
}

TEST(Poisson, MultigridConvergesByItself) {
  Exec ex;
  Findings found;
  for (const int n : {32, 64})
    found.at_most("cycles to 1e-8, N = " + std::to_string(n),
                  solve_case(found, ex, PoissonCase<3>(ex, n), PressureSolver::multigrid, 1e-8).iterations,
                  25);
  expect_rows(found);
}

}  // namespace
}  // namespace whorl
