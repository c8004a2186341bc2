#include "solvers/smoke.h"

#include "stages/confine.h"
#include "stages/conserve.h"
#include "stages/dissipate.h"
#include "stages/measure.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

template <int D>
SmokeState<D> make_smoke(Exec& ex, const TopologyPtr<D>& topology, const Vec<float, D>& wind,
                         float ambient_temperature) {
  SmokeState<D> s;
  s.velocity = MacField<float, D>(ex, topology, wind);
  s.density = Field<float, D>(ex, topology);
  s.temperature = Field<float, D>(ex, topology, ambient_temperature);
  s.pressure = Field<double, D>(ex, topology);
  return s;
}

template <int D>
double step_length(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p, const StepLimits& limits) {
  const double most = max_displacement(p.advection.interpolation) - 0.01;
  const double cells = std::min(limits.cfl, most);
  const double air =
      std::max(max_component(ex, s.velocity), double(max_inflow_component(s.topology()->domain(), p.inflow)));
  const double speed = std::max(air, limits.speed);
  const double gained = std::sqrt(cells * p.h * max_buoyancy(ex, s.density, s.temperature, p.buoyancy));
  if (!std::isfinite(speed + gained)) return std::nan("");
  const auto time_for = [&](double distance, double u) {
    return u * limits.longest <= distance * p.h ? limits.longest : distance * p.h / u;
  };
  return std::min(std::max(time_for(cells, speed + gained), limits.shortest), time_for(most, speed));
}

namespace {

// Tiles for where the smoke is and, after this step, will be.
template <int D>
TopologyPtr<D> follow_smoke(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  if (!p.sparse) return s.topology();
  const FieldView<const float, D> density = s.density.view(), temperature = s.temperature.view();
  const Lane<float> least(p.density_threshold), warmth(p.temperature_threshold),
      ambient(s.temperature.background());
  const CellMask<D> smoke = cells_where(ex, s.topology(), [=](const RowIndex<D>& r) {
    return !((abs(density(r)) <= least) & (abs(temperature(r) - ambient) <= warmth));  // a NaN is smoke, too
  });
  // A step of whole cells, as a CFL number asks for, must not become one more by rounding.
  const int moved = int(std::ceil(max_component(ex, s.velocity) * dt / p.h - 1e-3));
  std::vector<Box<D>> always;
  for (const SmokeSource<D>& source : p.sources) always.push_back(source.cells);
  return retile<D>(ex, s.topology(), smoke, {.reach = moved + p.margin, .hysteresis = p.hysteresis}, always);
}

// A scalar on its way, and what must be left of it.
template <int D>
struct Conserved {
  double amount;
  Extremes<D> extremes;
};

template <int D>
struct ConservedScalars {
  Conserved<D> density, temperature;
};

// Before anything is extended into solids, which hold no smoke.
template <int D>
ConservedScalars<D> amounts_to_keep(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  const auto left_of = [&](const Field<float, D>& q, double leaving) { return amount(ex, q) - leaving; };
  const double smoke = amount_leaving(ex, s.density, s.velocity, dt / p.h);
  s.left += smoke * std::pow(p.h, D);
  return {{left_of(s.density, smoke), {}},
          {left_of(s.temperature, amount_leaving(ex, s.temperature, s.velocity, dt / p.h)), {}}};
}

template <int D>
void advect_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing,
                ConservedScalars<D>& conserved, double dt) {
  const Domain<D>& domain = crossing.from()->domain();
  SmokeState<D> moved;
  const float ambient = s.temperature.background();
  std::vector<Carried<D>> carried{
      {&s.density, &moved.density, at_centres, scalar_boundary(domain, 0.f, 0.f),
       &conserved.density.extremes},
      {&s.temperature, &moved.temperature, at_centres, scalar_boundary(domain, ambient, ambient),
       &conserved.temperature.extremes}};
  for (int a = 0; a < D; ++a)
    carried.push_back({&s.velocity[a], &moved.velocity[a], a,
                       velocity_boundary(domain, a, s.velocity[a].background(), p.inflow)});
  advect<D>(ex, crossing, {&s.velocity, p.inflow}, carried, float(dt / p.h), p.advection);
  s.density = std::move(moved.density);
  s.temperature = std::move(moved.temperature);
  s.velocity = std::move(moved.velocity);
}

template <int D>
void restore_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const ConservedScalars<D>& conserved) {
  const auto restore = [&](Field<float, D>& q, const Conserved<D>& c) {
    return restore_amount(ex, q, c.extremes, c.amount);
  };
  s.corrected += restore(s.density, conserved.density) * std::pow(p.h, D);
  restore(s.temperature, conserved.temperature);
}

// The last pressure as a first guess, on the cells that carry pressure now.
template <int D>
Field<double, D> warm_start(Exec& ex, Field<double, D> pressure, const Crossing<D>& crossing) {
  if (crossing.from() == crossing.to()) return pressure;
  Field<double, D> guess = carry_over(ex, pressure, crossing);
  const FieldView<double, D> p = guess.view();
  const TopologyView<D> cells = crossing.to()->view();
  for_rows(ex, crossing.to()->tile_set(), [=](const RowIndex<D>& r) {
    p.store(r, select(Lane<double>::mask_from_bits(cells.active_bits(r)), p(r), Lane<double>(0.)));
  });
  return guess;
}

// What density and temperature are behind walls, for as long as advection reads them.
template <int D>
void extend_scalars(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p) {
  if (p.solids.empty()) return;
  const Zone zone(ex.profile(), "extend_into_solids");
  const CellMask<D> fluid =
      fluid_cells(ex, cut_faces<D>(ex, s.topology(), p.solids, &Solid<D>::before, p.h, p.walls).open);
  extend_into_solids(ex, s.density, fluid);
  extend_into_solids(ex, s.temperature, fluid);
}

}  // namespace

template <int D>
void fit_to_solids(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p) {
  if (p.solids.empty()) return;
  const CutFaces<D> faces = cut_faces<D>(ex, s.topology(), p.solids, &Solid<D>::before, p.h, p.walls);
  const CellMask<D> fluid = fluid_cells(ex, faces.open);
  clear_solids(ex, s.density, fluid);
  clear_solids(ex, s.temperature, fluid);
  extend_into_solids<D>(ex, s.velocity, faces.open, p.solids, &Solid<D>::before, p.h, p.behind_walls);
}

template <int D>
StepReport step(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  const Zone zone(ex.profile(), "step");
  StepReport report;
  report.finite = std::isfinite(max_component(ex, s.velocity) * dt) && dt > 0;
  if (!report.finite) return report;
  const Crossing<D> crossing(ex, s.topology(), follow_smoke(ex, s, p, dt));
  ConservedScalars<D> conserved = amounts_to_keep(ex, s, p, dt);
  extend_scalars(ex, s, p);
  advect_all(ex, s, p, crossing, conserved, dt);
  CutFaces<D> faces = cut_faces<D>(ex, s.topology(), p.solids, &Solid<D>::shape, p.h, p.walls);
  const CellMask<D> fluid = fluid_cells(ex, faces.open);
  clear_solids(ex, s.density, fluid);
  clear_solids(ex, s.temperature, fluid);
  restore_all(ex, s, p, conserved);
  s.injected += emit<D>(ex, s.density, s.temperature, s.velocity, fluid.view(), p.sources, p.h, dt);
  dissipate(ex, s.density, p.density_dissipation, dt);
  dissipate(ex, s.temperature, p.temperature_dissipation, dt);
  add_buoyancy(ex, s.velocity, s.density, s.temperature, p.buoyancy, dt);
  confine_vorticity(ex, s.velocity, p.vorticity_confinement, p.h, dt);
  enforce_solids(ex, s.velocity, faces);
  enforce_sides(ex, s.velocity, p.inflow);
  s.pressure = warm_start(ex, std::move(s.pressure), crossing);
  const PressureSystem<D> system = pressure_system(ex, std::move(faces.open));
  report.pressure = project(ex, s.velocity, s.pressure, system, faces.walls, p.projection, p.h, dt);
  extend_into_solids<D>(ex, s.velocity, system.open, p.solids, &Solid<D>::shape, p.h, p.behind_walls);
  report.retiled = crossing.from() != crossing.to();
  s.time += dt;
  ++s.steps;
  return report;
}

template SmokeState<2> make_smoke(Exec&, const TopologyPtr<2>&, const Vec<float, 2>&, float);
template SmokeState<3> make_smoke(Exec&, const TopologyPtr<3>&, const Vec<float, 3>&, float);
template double step_length(Exec&, const SmokeState<2>&, const SmokeParams<2>&, const StepLimits&);
template double step_length(Exec&, const SmokeState<3>&, const SmokeParams<3>&, const StepLimits&);
template void fit_to_solids(Exec&, SmokeState<2>&, const SmokeParams<2>&);
template void fit_to_solids(Exec&, SmokeState<3>&, const SmokeParams<3>&);
template StepReport step(Exec&, SmokeState<2>&, const SmokeParams<2>&, double);
template StepReport step(Exec&, SmokeState<3>&, const SmokeParams<3>&, double);

}  // namespace whorl
