#include "cases/poisson.h"
#include "linear/pcg.h"

#include <cstdio>

namespace whorl {

namespace {

std::string what(const char* solver, int n, const char* relative) {
  char words[80];
  std::snprintf(words, sizeof words, "%s to %s, N = %d", solver, relative, n);
  return words;
}

struct Iterations {
  int n, at_1e4, at_1e8;
};

void compare(Findings& found, PressureSolver solver, const char* name, const Iterations& table) {
  Exec ex;
  const PoissonCase<3> problem(ex, table.n);
  found.near(what(name, table.n, "1e-4"), solve_case(found, ex, problem, solver, 1e-4).iterations,
             table.at_1e4, 0.15);
  found.near(what(name, table.n, "1e-8"), solve_case(found, ex, problem, solver, 1e-8).iterations,
             table.at_1e8, 0.15);
}

int multigrid_iterations(Findings& found, int n, double relative) {
  Exec ex;
  return solve_case(found, ex, PoissonCase<3>(ex, n), PressureSolver::multigrid_pcg, relative).iterations;
}

constexpr const char *cg = "CG", *ic = "IC(0)-PCG", *mic = "MIC(0)-PCG", *mg = "multigrid-PCG";

}  // namespace

// By the two-norm, which the table is of: with it ICCG takes its iterations to within one on fine grids, and
// by the worst residual a tenth more.
SolveReport solve_case(Findings& found, Exec& ex, const PoissonCase<3>& problem, PressureSolver solver,
                       double relative) {
  const Regions<3> regions = find_regions(ex, problem.system);
  Field<double, 3> p(ex, problem.topology), r(ex, problem.topology);
  const auto residual = [&] {  // worked out afresh in double
    return true_residual(ex, r, p, problem.right_side, problem.system, regions, problem.h, 1.);
  };
  const SolveTarget target{.relative = relative, .max_iterations = 20000, .norm = ResidualNorm::two};
  const double goal = relative * residual().size(target.norm);
  const SolveReport report =
      solve(ex, p, problem.right_side, problem.system, regions, solver, problem.h, target);
  found.require_solved(report.converged);
  found.require("the fluid is one region", report.regions == 1);
  const Norms rest = residual();
  found.require("the solve gets to its goal", rest.size(target.norm) <= (1 + 1e-9) * goal);
  found.require("residuals are what the solver says", rest.worst <= (1 + 1e-9) * report.residual);
  return report;
}

void cg_iterations(Findings& found) { compare(found, PressureSolver::cg, cg, {32, 157, 238}); }

void ic_iterations(Findings& found) {
  compare(found, PressureSolver::ic_pcg, ic, {32, 52, 86});
  compare(found, PressureSolver::ic_pcg, ic, {64, 105, 175});
}

void mic_iterations(Findings& found) {
  compare(found, PressureSolver::mic_pcg, mic, {32, 32, 48});
  compare(found, PressureSolver::mic_pcg, mic, {64, 60, 91});
}

void multigrid_iterations(Findings& found) {
  int first = 0, last = 0;
  for (const Iterations& most : {Iterations{32, 9, 12}, {64, 11, 12}, {128, 13, 12}}) {
    found.at_most(what(mg, most.n, "1e-4"), multigrid_iterations(found, most.n, 1e-4), most.at_1e4);
    last = multigrid_iterations(found, most.n, 1e-8);
    found.at_most(what(mg, most.n, "1e-8"), last, most.at_1e8);
    if (first == 0) first = last;
  }
  found.at_most("iterations at N = 128 over those at 32", double(last) / first, 1.3);
}

void poisson_iterations_fine(Findings& found) {
  compare(found, PressureSolver::cg, cg, {64, 317, 477});
  compare(found, PressureSolver::cg, cg, {128, 656, 961});
  compare(found, PressureSolver::ic_pcg, ic, {128, 216, 352});
  compare(found, PressureSolver::mic_pcg, mic, {128, 124, 185});
  const int coarse = multigrid_iterations(found, 32, 1e-8), fine = multigrid_iterations(found, 256, 1e-8);
  found.at_most(what(mg, 256, "1e-8"), fine, 12);
  found.at_most("iterations at N = 256 over those at 32", double(fine) / coarse, 1.3);
}

}  // namespace whorl
