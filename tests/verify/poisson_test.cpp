// V-P1: how many iterations each solver takes, against a table that independent small programs agree on.
#include "linear/mic.h"
#include "linear/multigrid.h"
#include "poisson_case.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

SolveReport solve(Exec& ex, const PoissonCase<3>& problem, Preconditioner<3>* preconditioner,
                  double relative) {
  Field<double, 3> p(ex, problem.topology);
  const SolveReport report =
      solve_pcg(ex, p, problem.right_side, problem.system, problem.h, {.relative = relative}, preconditioner);
  EXPECT_TRUE(report.converged);
  // What the recurrence says is true: the residual worked out afresh.
  const ApplySystem<double, 3> a_p = apply_system(problem.system, p);
  const FieldView<const double, 3> b = problem.right_side.view();
  const TopologyView<3> cells = problem.topology->view();
  const Lane<double> inv_h2(1 / (problem.h * problem.h));
  const double residual =
      max_rows<double>(ex, problem.topology->active_tile_set(), 0., [=](const RowIndex<3>& i) {
        return abs(select(Lane<double>::mask_from_bits(cells.active_bits(i)), b(i) - a_p(i) * inv_h2,
                          Lane<double>(0.)));
      });
  EXPECT_LE(residual, 1.01 * relative * report.initial);
  return report;
}

TEST(Poisson, PlainCgTakesTheIterationsOfTheTable) {
  Exec ex;
  const PoissonCase<3> problem(ex, 32);
  const int coarse = solve(ex, problem, nullptr, 1e-4).iterations,
            fine = solve(ex, problem, nullptr, 1e-8).iterations;
  std::printf("CG, N = 32: %d / %d, table 157 / 238\n", coarse, fine);
  EXPECT_NEAR(coarse, 157, 0.15 * 157);
  EXPECT_NEAR(fine, 238, 0.15 * 238);
}

TEST(Poisson, MicTakesTheIterationsOfTheTable) {
  Exec ex;
  const int expected[][3] = {{32, 32, 48}, {64, 60, 91}};
  for (const auto& [n, at_1e4, at_1e8] : expected) {
    const PoissonCase<3> problem(ex, n);
    const auto mic = make_mic(ex, problem.system);
    const int coarse = solve(ex, problem, mic.get(), 1e-4).iterations,
              fine = solve(ex, problem, mic.get(), 1e-8).iterations;
    std::printf("MIC(0)-PCG, N = %d: %d / %d, table %d / %d\n", n, coarse, fine, at_1e4, at_1e8);
    EXPECT_NEAR(coarse, at_1e4, 0.15 * at_1e4);
    EXPECT_NEAR(fine, at_1e8, 0.15 * at_1e8);
  }
}

// The target of V-P1: at most 12 iterations to 1e-8, and hardly more on finer grids.
TEST(Poisson, MultigridDoesNotSlowDownOnFinerGrids) {
  Exec ex;
  std::vector<int> iterations;
  for (const int n : {32, 64, 128}) {
    const PoissonCase<3> problem(ex, n);
    const auto multigrid = make_multigrid(ex, problem.system);
    const int coarse = solve(ex, problem, multigrid.get(), 1e-4).iterations;
    const SolveReport fine = solve(ex, problem, multigrid.get(), 1e-8);
    std::printf("multigrid-PCG, N = %d: %d / %d, %.0f ns a cell\n", n, coarse, fine.iterations,
                1e9 * fine.seconds / (double(n) * n * n));
    EXPECT_LE(fine.iterations, 12);
    iterations.push_back(fine.iterations);
  }
  EXPECT_LE(iterations.back(), 1.3 * iterations.front());
}

}  // namespace
}  // namespace whorl
