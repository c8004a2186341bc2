#include "stages/project.h"

#include "linear/row_sides.h"
#include "linear/system_rows.h"

#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;
using Wide = Lane<double>;

// What flows through each low face.
template <int D>
struct Flux {
  MacView<const float, D> u, open, walls;  // the last two null: everything
  bool cut, moving;
  FieldView<const float, D> expansion{};  // null: none is meant to be

  WHORL_INLINE Wide operator()(const RowIndex<D>& i, int a) const { return through(u[a](i), i, a, 0); }
  WHORL_INLINE Wide high(const RowIndex<D>& i, int a) const { return through(u[a](i, a, +1), i, a, +1); }

 private:
  WHORL_INLINE Wide through(Real velocity, const RowIndex<D>& i, int a, int step) const {
    const Wide fluid = convert<Wide>(velocity);
    if (!cut) return fluid;
    const Wide w = convert<Wide>(step ? open[a](i, a, +1) : open[a](i));
    Wide flux = w * fluid;
    if (moving) flux += (Wide(1.) - w) * convert<Wide>(step ? walls[a](i, a, +1) : walls[a](i));
    return select(w > Wide(0.), flux, fluid);
  }
};

// Beyond what is meant to be.
template <int D>
WHORL_INLINE Wide divergence_at(const Flux<D>& flux, const RowIndex<D>& i, double inv_h) {
  Wide sum(0.);
  for (int a = 0; a < D; ++a) sum += flux.high(i, a) - flux(i, a);
  const Wide found = sum * Wide(inv_h);
  return flux.expansion.data ? found - convert<Wide>(flux.expansion(i)) : found;
}

template <int D>
Flux<D> flux_of(const MacField<float, D>& velocity) {
  return {velocity.view(), {}, {}, false, false};
}
template <int D>
Flux<D> flux_of(const MacField<float, D>& velocity, const MacField<float, D>& open,
                const MacField<float, D>& walls, const Field<float, D>& expansion) {
  const bool moving = walls.topology() != nullptr;
  return {velocity.view(),
          open.view(),
          moving ? walls.view() : MacView<const float, D>{},
          true,
          moving,
          expansion.topology() ? expansion.view() : FieldView<const float, D>{}};
}

// 1/θ of the low faces along an axis that the surface crosses, 1 of the others.
template <int D>
struct InverseTheta {
  FieldView<const float, D> surface;  // null without one

  WHORL_INLINE Real operator()(const RowIndex<D>& i, int a) const {
    if (!surface.data) return Real(1.f);
    const Real own = surface(i), below = surface(i, a, -1), zero(0.f);
    const auto crossed = ((own < zero) & (below >= zero)) | ((below < zero) & (own >= zero));
    const Real theta = ghost_theta(min(own, below), max(max(own, below), zero));
    return select(crossed, Real(1.f) / theta, Real(1.f));
  }
};

// What a pressure at the surface other than zero adds to the right side.
template <int D>
void add_surface_pressure(Exec& ex, Field<double, D>& right_side, const PressureSystem<D>& system, double h) {
  const CellMask<D> candidates = candidate_unknowns(ex, system);
  const RowSides<D> sides = row_sides(system, candidates);
  const MacView<const float, D> at_surface = system.at_surface.view();
  const FieldView<double, D> b = right_side.view();
  const Wide scale(1 / (h * h));
  for_rows(ex, system.topology->active_tile_set(), [=](const RowIndex<D>& i) {
    Wide sum(0.);
    sides.for_each(i, [&](int side, Real, Real, Real conductance) {
      const int a = side / 2;
      const Real pressure = side % 2 ? at_surface[a](i, a, +1) : at_surface[a](i);
      sum += convert<Wide>(conductance) * convert<Wide>(pressure);
    });
    b.store(i, b(i) + scale * sum);
  });
}

}  // namespace

namespace {

template <int D>
void store_divergence(Exec& ex, Field<double, D>& out, const Flux<D>& flux, double h) {
  const Zone zone(ex.profile(), "divergence");
  const FieldView<double, D> d = out.view();
  const TopologyView<D> cells = out.topology()->view();
  for_rows(ex, out.topology()->tile_set(), [=](const RowIndex<D>& i) {
    d.store(i, select(Wide::mask_from_bits(cells.active_bits(i)), divergence_at(flux, i, 1 / h), Wide(0.)));
  });
}

}  // namespace

template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity, double h) {
  store_divergence(ex, out, flux_of(velocity), h);
}

template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity,
                const MacField<float, D>& open, const MacField<float, D>& walls, double h) {
  store_divergence(ex, out, flux_of(velocity, open, walls, {}), h);
}

template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, double h) {
  const Flux<D> flux = flux_of(velocity);
  const TopologyView<D> cells = velocity.topology()->view();
  return max_rows<double>(ex, velocity.topology()->active_tile_set(), 0., [=](const RowIndex<D>& i) {
    return abs(select(Wide::mask_from_bits(cells.active_bits(i)), divergence_at(flux, i, 1 / h), Wide(0.)));
  });
}

template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, const PressureSystem<D>& system,
                      const MacField<float, D>& walls, double h, const Regions<D>& regions,
                      const Field<float, D>& expansion) {
  const Flux<D> flux = flux_of(velocity, system.open, walls, expansion);
  const auto at = [=](const RowIndex<D>& i, const auto& tile) {
    return tile.on_unknowns(i, divergence_at(flux, i, 1 / h));
  };
  if (regions.floating.empty())
    return total_system_rows<double>(
               ex, system,
               [=](const RowIndex<D>& i, const auto& tile, Totals<double>& t) { t.add(at(i, tile)); })
        .most;
  Field<double, D> rest = work_field<double>(ex, system);
  const FieldView<double, D> r = rest.view();
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) { r.store(i, at(i, tile)); });
  remove_means(ex, rest, regions);
  return max_rows<double>(ex, velocity.topology()->active_tile_set(), 0.,
                          [=](const RowIndex<D>& i) { return abs(r(i)); });
}

template <int D>
void subtract_gradient(Exec& ex, MacField<float, D>& velocity, const Field<double, D>& pressure,
                       const PressureSystem<D>& system, double h, double dt) {
  const Zone zone(ex.profile(), "subtract_gradient");
  const MacView<float, D> u = velocity.view();
  const MacView<const float, D> w = system.open.view();
  const FieldView<const double, D> p = pressure.view();
  InverseTheta<D> inverse_theta{};
  if (system.surface.topology()) inverse_theta.surface = system.surface.view();
  const bool jumps = system.at_surface.topology() != nullptr;
  const MacView<const float, D> at_surface = jumps ? system.at_surface.view() : MacView<const float, D>{};
  const Wide scale(dt / h);
  // In a dry tile whose low neighbours are dry as well there is no pressure.
  const int* slot = system.slot.data();
  const auto none = [=](const RowIndex<D>& i) {
    bool dry = !jumps && slot[i.tile] == dry_tile;
    for (int a = 0; a < D; ++a)
      dry = dry && slot[i.neighbours[centre_of_neighbourhood<D> - neighbour_step<D>(a)]] == dry_tile;
    return dry;
  };
  for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& i) {
    if (none(i)) return;
    for (int a = 0; a < D; ++a) {
      Wide rise = p(i) - p(i, a, -1);  // the pressure of air is zero …
      if (jumps) {                     // … but not this side of the surface
        const Real there = at_surface[a](i);
        rise += convert<Wide>(select(inverse_theta.surface(i) < Real(0.f), -there, there));
      }
      const Wide slope = rise * convert<Wide>(inverse_theta(i, a));
      const Wide moved = convert<Wide>(u[a](i)) - scale * slope;
      u[a].store(i, select(w[a](i) > Real(0.f), convert<Real>(moved), u[a](i)));
    }
  });
}

template <int D>
SolveReport project(Exec& ex, MacField<float, D>& velocity, Field<double, D>& pressure,
                    const PressureSystem<D>& system, const MacField<float, D>& walls,
                    const ProjectionParams& params, double h, double dt, const Field<float, D>& expansion,
                    SolverCache<D>* cache) {
  const Zone zone(ex.profile(), "project");
  // A p = (expansion - div u) / dt, with A = -div grad.
  Field<double, D> right_side = work_field<double>(ex, system);
  const FieldView<double, D> b = right_side.view();
  const Flux<D> flux = flux_of(velocity, system.open, walls, expansion);
  const Wide scale(-1 / dt);
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) {
    b.store(i, tile.on_unknowns(i, scale * divergence_at(flux, i, 1 / h)));
  });
  if (system.at_surface.topology()) add_surface_pressure(ex, right_side, system, h);

  SolveTarget target = params.solve;
  target.absolute /= dt;
  SolverCache<D> own;
  SolverCache<D>& shared = cache ? *cache : own;
  if (!shared.regions) shared.regions = find_regions(ex, system);
  const Regions<D>& regions = *shared.regions;
  SolveReport report = solve(ex, pressure, right_side, system, regions, params.solver, h, target, &shared);
  // Not there: once more without the first guess, then with the preconditioner that depends on least.
  for (const PressureSolver solver : {params.solver, PressureSolver::mic_pcg}) {
    if (report.converged) break;
    pressure.fill(ex, 0);
    const SolveReport before = report;
    report = solve(ex, pressure, right_side, system, regions, solver, h, target, &shared);
    report.iterations += before.iterations;
    report.seconds += before.seconds;
    if (params.solver == PressureSolver::mic_pcg) break;  // it was that one
  }
  // A pressure that makes things worse is no pressure.
  if (!(report.residual <= report.initial)) pressure.fill(ex, 0);
  subtract_gradient(ex, velocity, pressure, system, h, dt);
  report.initial *= dt;
  report.imbalance *= dt;
  report.imbalance_total *= dt * std::pow(h, D);
  report.residual = max_divergence(ex, velocity, system, walls, h, regions, expansion);
  return report;
}

#define WHORL_INSTANTIATE(D)                                                                               \
  template void divergence(Exec&, Field<double, D>&, const MacField<float, D>&, double);                   \
  template void divergence(Exec&, Field<double, D>&, const MacField<float, D>&, const MacField<float, D>&, \
                           const MacField<float, D>&, double);                                             \
  template double max_divergence(Exec&, const MacField<float, D>&, double);                                \
  template double max_divergence(Exec&, const MacField<float, D>&, const PressureSystem<D>&,               \
                                 const MacField<float, D>&, double, const Regions<D>&,                     \
                                 const Field<float, D>&);                                                  \
  template void subtract_gradient(Exec&, MacField<float, D>&, const Field<double, D>&,                     \
                                  const PressureSystem<D>&, double, double);                               \
  template SolveReport project(Exec&, MacField<float, D>&, Field<double, D>&, const PressureSystem<D>&,    \
                               const MacField<float, D>&, const ProjectionParams&, double, double,         \
                               const Field<float, D>&, SolverCache<D>*);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
