#include "linear/solve.h"

#include "linear/mic.h"
#include "linear/multigrid.h"
#include "linear/relax.h"

#include <cmath>

namespace whorl {

namespace {

// The right side has mean zero in each floating region.
template <int D>
SolveReport solve_balanced(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                           const PressureSystem<D>& system, const Regions<D>& regions, PressureSolver solver,
                           double h, const SolveTarget& target, SolverCache<D>& cache) {
  CHECK(system.shift == 0, "the pressure has no shift, but found ", system.shift);
  const auto by = [&](auto&& preconditioner, Directions directions = Directions::conjugate) {
    return solve_pcg(ex, p, right_side, system, regions, h, target, preconditioner, directions);
  };
  switch (solver) {
    case PressureSolver::multigrid_pcg:
    case PressureSolver::multigrid:
      if (!cache.multigrid) cache.multigrid = make_multigrid(ex, system);
      return by(*cache.multigrid,
                solver == PressureSolver::multigrid ? Directions::steepest : Directions::conjugate);
    case PressureSolver::mic_pcg:
      return by(*make_mic(ex, system));
    case PressureSolver::ic_pcg:
      return by(*make_mic(ex, system, 0.));
    case PressureSolver::cg: {
      Identity<double, D> nothing;
      return by(static_cast<Preconditioner<double, D>&>(nothing));
    }
    case PressureSolver::gauss_seidel:
      return solve_relaxed(ex, p, right_side, system, regions, h, target, Relaxation::red_black);
    case PressureSolver::jacobi:
      return solve_relaxed(ex, p, right_side, system, regions, h, target, Relaxation::jacobi);
  }
  CHECK(false, "no such solver: ", int(solver));
  return {};
}

}  // namespace

template <int D>
SolveReport solve(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                  const PressureSystem<D>& system, const Regions<D>& regions, PressureSolver solver, double h,
                  const SolveTarget& target, SolverCache<D>* cache) {
  SolverCache<D> own;
  SolverCache<D>& shared = cache ? *cache : own;
  if (regions.floating.empty())
    return solve_balanced(ex, p, right_side, system, regions, solver, h, target, shared);
  Field<double, D> balanced = right_side.clone(ex);
  const std::vector<double> means = remove_means(ex, balanced, regions);
  SolveReport report = solve_balanced(ex, p, balanced, system, regions, solver, h, target, shared);
  for (std::size_t k = 0; k < means.size(); ++k) {
    const double mean = std::abs(means[k]);
    report.imbalance = max_or_nan(mean, report.imbalance);
    report.imbalance_total += mean * double(regions.floating[k].cells);
  }
  return report;
}

template SolveReport solve(Exec&, Field<double, 2>&, const Field<double, 2>&, const PressureSystem<2>&,
                           const Regions<2>&, PressureSolver, double, const SolveTarget&, SolverCache<2>*);
template SolveReport solve(Exec&, Field<double, 3>&, const Field<double, 3>&, const PressureSystem<3>&,
                           const Regions<3>&, PressureSolver, double, const SolveTarget&, SolverCache<3>*);

}  // namespace whorl
