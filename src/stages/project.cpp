#include "stages/project.h"

#include "linear/mic.h"
#include "linear/multigrid.h"

namespace whorl {

namespace {

using Lane64 = Lane<double>;

template <int D>
struct DivergenceAt {
  MacView<const float, D> u;
  TopologyView<D> cells;
  double inv_h;

  template <class Index>
  WHORL_INLINE Lane64 operator()(const Index& i) const {
    Lane64 sum(0.);
    for (int a = 0; a < D; ++a) sum += convert<Lane64>(u[a](i, a, +1)) - convert<Lane64>(u[a](i));
    return select(Lane64::mask_from_bits(cells.active_bits(i)), sum * Lane64(inv_h), Lane64(0.));
  }
};

// The same on cells that a pressure can change: one that is closed on every side has what its solid does.
template <int D>
struct OpenDivergenceAt {
  DivergenceAt<D> divergence;
  FieldView<const float, D> diagonal;

  template <class Index>
  WHORL_INLINE Lane64 operator()(const Index& i) const {
    return select(convert<Lane64>(diagonal(i)) > Lane64(0.), divergence(i), Lane64(0.));
  }
};

template <int D>
DivergenceAt<D> divergence_of(const MacField<float, D>& velocity, double h) {
  return {velocity.view(), velocity.topology()->view(), 1 / h};
}
template <int D>
OpenDivergenceAt<D> divergence_of(const MacField<float, D>& velocity, const PressureSystem<D>& system,
                                  double h) {
  return {divergence_of(velocity, h), system.diagonal.view()};
}

template <int D, class At>
double worst(Exec& ex, const Topology<D>& topology, const At& divergence) {
  return max_rows<double>(ex, topology.active_tile_set(), 0.,
                          [=](const RowIndex<D>& i) { return abs(divergence(i)); });
}

template <int D>
SolveReport solve(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                  const PressureSystem<D>& system, PressureSolver solver, double h,
                  const SolveTarget& target) {
  std::unique_ptr<Preconditioner<D>> preconditioner;  // none: plain CG
  if (solver == PressureSolver::multigrid_pcg) preconditioner = make_multigrid(ex, system);
  if (solver == PressureSolver::mic_pcg) preconditioner = make_mic(ex, system);
  return solve_pcg(ex, p, right_side, system, h, target, preconditioner.get());
}

}  // namespace

template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity, double h) {
  const Zone zone(ex.profile(), "divergence");
  const FieldView<double, D> d = out.view();
  const DivergenceAt<D> div = divergence_of(velocity, h);
  for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& i) { d.store(i, div(i)); });
}

template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, double h) {
  return worst(ex, *velocity.topology(), divergence_of(velocity, h));
}

template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, const PressureSystem<D>& system,
                      double h) {
  return worst(ex, *velocity.topology(), divergence_of(velocity, system, h));
}

template <int D>
void subtract_gradient(Exec& ex, MacField<float, D>& velocity, const Field<double, D>& pressure,
                       const MacField<float, D>& open, double h, double dt) {
  const Zone zone(ex.profile(), "subtract_gradient");
  const MacView<float, D> u = velocity.view();
  const MacView<const float, D> w = open.view();
  const FieldView<const double, D> p = pressure.view();
  const Lane64 scale(dt / h);
  for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& i) {
    for (int a = 0; a < D; ++a) {
      const Lane64 moved = convert<Lane64>(u[a](i)) - scale * (p(i) - p(i, a, -1));
      u[a].store(i, select(w[a](i) > Lane<float>(0.f), convert<Lane<float>>(moved), u[a](i)));
    }
  });
}

template <int D>
SolveReport project(Exec& ex, MacField<float, D>& velocity, Field<double, D>& pressure,
                    const PressureSystem<D>& system, const ProjectionParams& params, double h, double dt) {
  const Zone zone(ex.profile(), "project");
  // A p = -div u / dt, with A = -div grad.
  Field<double, D> right_side = Field<double, D>::unfilled(ex, velocity.topology());
  const FieldView<double, D> b = right_side.view();
  const OpenDivergenceAt<D> div = divergence_of(velocity, system, h);
  const Lane64 scale(-1 / dt);
  for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& i) { b.store(i, scale * div(i)); });

  SolveTarget target = params.solve;
  target.absolute /= dt;
  SolveReport report = solve(ex, pressure, right_side, system, params.solver, h, target);
  // Not there: once more without the first guess, then with the preconditioner that depends on least.
  for (const PressureSolver solver : {params.solver, PressureSolver::mic_pcg}) {
    if (report.converged) break;
    pressure.fill(ex, 0);
    const int before = report.iterations;
    report = solve(ex, pressure, right_side, system, solver, h, target);
    report.iterations += before;
  }
  // A pressure that makes things worse is no pressure.
  if (!(report.residual <= report.initial)) pressure.fill(ex, 0);
  subtract_gradient(ex, velocity, pressure, system.weight, h, dt);
  report.initial *= dt;
  report.imbalance *= dt;
  report.residual = max_divergence(ex, velocity, system, h);
  return report;
}

template void divergence(Exec&, Field<double, 2>&, const MacField<float, 2>&, double);
template void divergence(Exec&, Field<double, 3>&, const MacField<float, 3>&, double);
template double max_divergence(Exec&, const MacField<float, 2>&, double);
template double max_divergence(Exec&, const MacField<float, 2>&, const PressureSystem<2>&, double);
template double max_divergence(Exec&, const MacField<float, 3>&, double);
template double max_divergence(Exec&, const MacField<float, 3>&, const PressureSystem<3>&, double);
template void subtract_gradient(Exec&, MacField<float, 2>&, const Field<double, 2>&,
                                const MacField<float, 2>&, double, double);
template void subtract_gradient(Exec&, MacField<float, 3>&, const Field<double, 3>&,
                                const MacField<float, 3>&, double, double);
template SolveReport project(Exec&, MacField<float, 2>&, Field<double, 2>&, const PressureSystem<2>&,
                             const ProjectionParams&, double, double);
template SolveReport project(Exec&, MacField<float, 3>&, Field<double, 3>&, const PressureSystem<3>&,
                             const ProjectionParams&, double, double);

}  // namespace whorl
