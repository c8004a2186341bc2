#include "solvers/smoke.h"
#include "solvers/smoke_maps.h"

#include "stages/confine.h"
#include "stages/conserve.h"
#include "stages/dissipate.h"
#include "stages/expand.h"
#include "stages/ivock.h"
#include "stages/measure.h"
#include "stages/relax_edge.h"
#include "stages/sides.h"
#include "stages/thin.h"
#include "stages/vorticity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace whorl {

template <int D>
SmokeState<D> make_smoke(Exec& ex, const TopologyPtr<D>& topology, const Vec<float, D>& wind,
                         float ambient_temperature, std::size_t others) {
  SmokeState<D> s;
  s.velocity = MacField<float, D>(ex, topology, wind);
  s.density = Field<float, D>(ex, topology);
  s.temperature = Field<float, D>(ex, topology, ambient_temperature);
  for (std::size_t k = 0; k < others; ++k) s.others.emplace_back(ex, topology);
  s.pressure = Field<double, D>(ex, topology);
  return s;
}

namespace {

// Cells that the air may cross in one go; a little is for rounding.
template <int D>
double farthest_part(const SmokeParams<D>& p) {
  return max_displacement(p.advection.interpolation) - 0.01;
}

// m/s, along an axis.
template <int D>
double fastest_air(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p) {
  return std::max(max_component(ex, s.velocity),
                  double(max_inflow_component(s.topology()->domain(), p.inflow)));
}

template <int D>
int parts_of_step(const SmokeParams<D>& p) {
  return p.energy == EnergyScheme::reflection ? 2 : 1;
}

}  // namespace

template <int D>
double step_length(Exec& ex, const SmokeState<D>& s, const SmokeParams<D>& p, const StepLimits& limits) {
  const double most = parts_of_step(p) * farthest_part(p);
  const double cells = std::min(limits.cfl, most);
  const double air = fastest_air(ex, s, p);
  // The air has the speed that the last step's fire gave it; a fire that grows gives it more.
  ExpansionBounds gas;
  if (p.fire) gas = expansion_bounds(ex, s.others[fuel_place], s.temperature, *p.fire, p.h);
  const ForceLimit forces = force_limit<D>(ex, s.topology(), p.forces);
  const double speed = std::max({air, limits.speed, forces.speed, gas.speed});
  const double pushed = max_buoyancy(ex, s.density, s.temperature, p.buoyancy) + forces.acceleration +
                        max_vortex_push(*s.topology(), s.vortices, p.h);
  const double gained = std::sqrt(cells * p.h * pushed);
  if (!std::isfinite(speed + gained)) return std::nan("");
  const auto time_for = [&](double distance, double u) {
    return u * limits.longest <= distance * p.h ? limits.longest : distance * p.h / u;
  };
  double wanted = time_for(cells, speed + gained);
  if (gas.rate * wanted > most_growth) wanted = most_growth / gas.rate;
  return std::min(std::max(wanted, limits.shortest), time_for(most, speed));
}

namespace {

// Where there is anything to see: a cell with less than the threshold of everything is clear air.
template <int D>
CellMask<D> smoky_cells(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p) {
  std::vector<float> thresholds{p.density_threshold, p.temperature_threshold};
  for (const Quantity& q : p.quantities) thresholds.push_back(q.threshold);
  CellMask<D> smoke = empty_mask(ex, s.topology());
  const TopologyView<D> cells = s.topology()->view();
  const auto store = smoke.store();
  const std::vector<Field<float, D>*> carried = s.carried();
  for (std::size_t k = 0; k < carried.size(); ++k) {
    const FieldView<const float, D> q = std::as_const(*carried[k]).view();
    const Lane<float> clear(carried[k]->background()), threshold(thresholds[k]);
    const TopologyView<D> found = smoke.view();
    for_rows(ex, s.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const unsigned here = bits(!(abs(q(r) - clear) <= threshold));  // a NaN is smoke, too
      store(r, found.active_bits(r) | (cells.active_bits(r) & here));
    });
  }
  for (int a = 0; p.speed_threshold && a < D; ++a) {
    const FieldView<const float, D> u = std::as_const(s.velocity[a]).view();
    const Lane<float> wind(s.velocity[a].background()), threshold(*p.speed_threshold);
    const TopologyView<D> found = smoke.view();
    for_rows(ex, s.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const unsigned here = bits(!((abs(u(r) - wind) <= threshold) & (abs(u(r, a, +1) - wind) <= threshold)));
      store(r, found.active_bits(r) | (cells.active_bits(r) & here));
    });
  }
  return smoke;
}

// Tiles for where the smoke is and, after this step, will be.
template <int D>
TopologyPtr<D> follow_smoke(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  if (!p.sparse) return s.topology();
  // A step of whole cells, as a CFL number asks for, must not become one more by rounding.
  const int moved = int(std::ceil(max_component(ex, s.velocity) * dt / p.h - 1e-3));
  std::vector<Box<D>> always;
  for (const SmokeSource<D>& source : p.sources) always.push_back(source.cells);
  return retile<D>(ex, s.topology(), smoky_cells(ex, s, p),
                   {.reach = moved + p.margin, .hysteresis = p.hysteresis}, always);
}

// A scalar on its way, and what must be left of it.
template <int D>
struct Conserved {
  double amount;
  Extremes<D> extremes;
};

// Of everything carried. Before anything is extended into solids, which hold no smoke.
template <int D>
std::vector<Conserved<D>> amounts_to_keep(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  std::vector<Conserved<D>> conserved;
  for (const Field<float, D>* q : s.carried()) {
    const double leaving = amount_leaving(ex, *q, s.velocity, dt / p.h);
    const Brought brought = amount_brought(ex, *q, s.expansion, dt);
    if (q == &s.density) s.left += (leaving + brought.lost) * std::pow(p.h, D);
    if (q == &s.density) s.injected += brought.gained * std::pow(p.h, D);
    conserved.push_back({amount(ex, *q) - leaving + brought.gained - brought.lost, {}});
  }
  return conserved;
}

// What gas that expands does to all that it carries: smoke thins, hot air becomes more.
template <int D>
void expand_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, std::vector<Conserved<D>>& conserved,
                double dt) {
  if (!s.growth.topology()) return;
  std::vector<bool> thins{true, false};  // density, temperature
  for (const Quantity& q : p.quantities) thins.push_back(q.thins);
  const std::vector<Field<float, D>*> carried = s.carried();
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (thins[k])
      thin(ex, *carried[k], s.growth, dt);
    else
      conserved[k].amount += amount_grown(ex, *carried[k], s.growth, dt);
}

// One round of the stages: a step or half of one.
template <int D>
struct Part {
  double dt;
  std::vector<SmokeSource<D>> sources;      // as they are from its start on
  std::vector<Solid<D>> solids;             // where they are at its start and its end
  MacField<float, D> carried = {};          // the velocity that goes with the flow; empty: the flow itself
  MacField<float, D>* reflected = nullptr;  // who wants to know it
};

template <int D>
void advect_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing,
                std::vector<Conserved<D>>& conserved, const Part<D>& part) {
  const Domain<D>& domain = crossing.from()->domain();
  SmokeState<D> moved;
  moved.others.resize(s.others.size());
  std::vector<Carried<D>> carried;
  const std::vector<Field<float, D>*> from = s.carried(), to = moved.carried();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const float clear = from[k]->background();
    carried.push_back(
        {from[k], to[k], at_centres, scalar_boundary(domain, clear, clear), &conserved[k].extremes});
  }
  const MacField<float, D>& velocity = part.carried.topology() ? part.carried : s.velocity;
  for (int a = 0; a < D; ++a)
    carried.push_back({&velocity[a], &moved.velocity[a], a,
                       velocity_boundary(domain, a, velocity[a].background(), p.inflow)});
  std::vector<Field<float, D>> swirl, moved_swirl;
  if (p.energy == EnergyScheme::ivock) swirl = stretched_vorticity(ex, velocity, p.h, part.dt);
  moved_swirl.resize(swirl.size());
  for (std::size_t k = 0; k < swirl.size(); ++k)
    carried.push_back(
        {&swirl[k], &moved_swirl[k], at_edges(curl_axis<D>(int(k))), scalar_boundary(domain, 0.f, 0.f)});
  // Together what is carried in one way, for it shares its traces.
  const auto scheme_of = [&](std::size_t k) {
    const bool other = k >= 2 && k < from.size();
    const auto own = k < 2   ? std::optional<AdvectionScheme>{}
                     : other ? p.quantities[k - 2].advection
                             : p.velocity_advection;
    return own.value_or(p.advection.scheme);
  };
  for (const auto scheme :
       {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack, AdvectionScheme::bfecc}) {
    std::vector<Carried<D>> alike;
    for (std::size_t k = 0; k < carried.size(); ++k)
      if (scheme_of(k) == scheme) alike.push_back(carried[k]);
    AdvectionParams params = p.advection;
    params.scheme = scheme;
    if (!alike.empty()) advect<D>(ex, crossing, {&s.velocity, p.inflow}, alike, float(part.dt / p.h), params);
  }
  std::vector<Carried<D>> faces, centres;
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (scheme_of(k) == AdvectionScheme::bimocq) (k < from.size() ? centres : faces).push_back(carried[k]);
  const CellMask<D> smoky = centres.empty() ? CellMask<D>() : smoky_cells(ex, s, p);
  advect_by_maps<D>(ex, s, p, crossing, std::move(faces), std::move(centres), smoky, part.dt);
  if (!swirl.empty()) restore_vorticity(ex, moved.velocity, moved_swirl, p.h);
  for (std::size_t k = 0; k < from.size(); ++k) *from[k] = std::move(*to[k]);
  s.velocity = std::move(moved.velocity);
}

template <int D>
void restore_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p,
                 const std::vector<Conserved<D>>& conserved) {
  const std::vector<Field<float, D>*> carried = s.carried();
  const auto of_density = [&](std::size_t k) { return k >= 2 && p.quantities[k - 2].of_density; };
  Field<float, D> unrestored;
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (of_density(k) && !unrestored.topology()) unrestored = s.density.clone(ex);
  for (std::size_t k = 0; k < carried.size(); ++k) {
    if (of_density(k)) {
      keep_share(ex, *carried[k], unrestored, s.density);
      continue;
    }
    const double added = restore_amount(ex, *carried[k], conserved[k].extremes, conserved[k].amount);
    if (carried[k] == &s.density) s.corrected += added * std::pow(p.h, D);
  }
}

// What density loses to the background has left.
template <int D>
DiffusionReport diffuse_scalars(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p,
                                const MacField<float, D>& open, double dt) {
  DiffusionReport report = diffuse(ex, s.temperature, open, p.heat_diffusion, p.h, dt, p.diffusion);
  for (std::size_t k = 0; k < s.others.size(); ++k)
    report += diffuse(ex, s.others[k], open, p.quantities[k].diffusion, p.h, dt, p.diffusion);
  if (p.density_diffusion == 0) return report;
  const double before = amount(ex, s.density);
  report += diffuse(ex, s.density, open, p.density_diffusion, p.h, dt, p.diffusion);
  s.left += (before - amount(ex, s.density)) * std::pow(p.h, D);
  return report;
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

// What all that is carried is behind walls, for as long as advection reads them.
template <int D>
void extend_scalars(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, std::span<const Solid<D>> solids) {
  if (solids.empty()) return;
  const Zone zone(ex.profile(), "extend_into_solids");
  const CellMask<D> fluid =
      fluid_cells(ex, cut_faces<D>(ex, s.topology(), solids, &Solid<D>::before, p.h, p.walls).open);
  for (Field<float, D>* q : s.carried()) extend_into_solids(ex, *q, fluid);
}

// What fades of the density has left.
template <int D>
void dissipate_all(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  if (p.density_dissipation != 0)
    s.left -= std::expm1(-p.density_dissipation * dt) * amount(ex, s.density) * std::pow(p.h, D);
  dissipate(ex, s.density, p.density_dissipation, dt);
  dissipate(ex, s.temperature, p.temperature_dissipation, dt);
  for (std::size_t k = 0; k < s.others.size(); ++k)
    dissipate(ex, s.others[k], p.quantities[k].dissipation, dt);
}

// Returns the divergence that is meant to be: of what sources blow, and of the gas that expands as it burns.
// An empty field is none.
template <int D>
Field<float, D> burn(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  Field<float, D> expansion;
  if (s.expansion.topology()) expansion = s.expansion.clone(ex);
  if (!p.fire) return expansion;
  if (!expansion.topology()) expansion = Field<float, D>(ex, s.topology());
  const BurningGas<D> gas{s.others[fuel_place], s.temperature, s.density, s.others[flame_place], expansion};
  s.injected += p.fire->soot * combust(ex, gas, *p.fire, p.h, dt);
  radiate(ex, s.temperature, *p.fire, dt);
  return expansion;
}

}  // namespace

template <int D>
void fit_to_solids(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p) {
  if (p.solids.empty()) return;
  const CutFaces<D> faces = cut_faces<D>(ex, s.topology(), p.solids, &Solid<D>::before, p.h, p.walls);
  const CellMask<D> fluid = fluid_cells(ex, faces.open);
  for (Field<float, D>* q : s.carried()) clear_solids(ex, *q, fluid);
  extend_into_solids<D>(ex, s.velocity, faces.open, p.solids, &Solid<D>::before, p.h, p.behind_walls);
}

namespace {

// 2 u - v, in place of v.
template <int D>
void reflect(Exec& ex, MacField<float, D>& v, const MacField<float, D>& u) {
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> to = v[a].view();
    const FieldView<const float, D> by = u[a].view();
    for_rows(ex, v.topology()->tile_set(),
             [=](const RowIndex<D>& r) { to.store(r, by(r) + (by(r) - to(r))); });
  }
}

template <int D>
SolveReport take_part(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing,
                      Field<double, D>& pressure, const Part<D>& part, DiffusionReport& diffusion) {
  const double dt = part.dt;
  std::vector<Conserved<D>> conserved = amounts_to_keep(ex, s, p, dt);
  move_vortices(ex, s.vortices, s.velocity, p.inflow, p.h, dt);
  expand_all(ex, s, p, conserved, dt);
  extend_scalars<D>(ex, s, p, part.solids);
  advect_all(ex, s, p, crossing, conserved, part);
  CutFaces<D> faces = cut_faces<D>(ex, s.topology(), part.solids, &Solid<D>::shape, p.h, p.walls);
  const CellMask<D> fluid = fluid_cells(ex, faces.open);
  for (Field<float, D>* q : s.carried()) clear_solids(ex, *q, fluid);
  restore_all(ex, s, p, std::exchange(conserved, {}));
  const Emitted emitted = emit<D>(ex, s.carried(), s.velocity, fluid.view(), part.sources, p.h, dt);
  s.injected += emitted.added;
  s.left += emitted.drained;
  emit_vortices<D>(s.vortices, part.sources, p.h, dt, s.steps);
  dissipate_all(ex, s, p, dt);
  diffusion += diffuse_scalars(ex, s, p, faces.open, dt);
  s.expansion = expansion_of<D>(ex, faces.open, fluid.view(), part.sources, p.h, dt);
  const Field<float, D> expansion = burn(ex, s, p, dt);
  add_buoyancy(ex, s.velocity, s.density, s.temperature, p.buoyancy, dt);
  add_forces<D>(ex, s.velocity, p.forces, p.h, s.time, dt);
  add_vortices(ex, s.velocity, s.vortices, p.h, dt);
  confine_vorticity(ex, s.velocity, p.vorticity_confinement, p.h, dt);
  relax_edge(ex, s.velocity, p.margin, p.edge_relaxation, dt);
  diffusion += diffuse(ex, s.velocity, faces, p.inflow, p.viscosity, p.h, dt, p.diffusion);
  enforce_solids(ex, s.velocity, faces);
  enforce_sides(ex, s.velocity, p.inflow);
  if (part.reflected) *part.reflected = s.velocity.clone(ex);
  MacField<float, D> unprojected;
  if (!s.velocity_map.empty()) unprojected = s.velocity.clone(ex);
  pressure = warm_start(ex, std::move(pressure), crossing);
  const PressureSystem<D> system = pressure_system(ex, std::move(faces.open));
  const SolveReport report =
      project(ex, s.velocity, pressure, system, faces.walls, p.projection, p.h, dt, expansion);
  s.growth = p.fire ? Field<double, D>(ex, s.topology()) : Field<double, D>();
  if (p.fire) divergence(ex, s.growth, s.velocity, system.open, faces.walls, p.h);
  if (p.fire) leave_out(ex, s.growth, s.expansion);
  const auto extend = [&](MacField<float, D>& u) {
    extend_into_solids<D>(ex, u, system.open, part.solids, &Solid<D>::shape, p.h, p.behind_walls);
  };
  if (part.reflected) {
    reflect(ex, *part.reflected, s.velocity);
    extend(*part.reflected);
  }
  if (!s.velocity_map.empty()) reflect_in_map(ex, s.velocity_map, s.velocity, unprojected, system.open);
  extend(s.velocity);
  s.time += dt;
  return report;
}

template <int D>
std::vector<Solid<D>> first_half(std::vector<Solid<D>> solids) {
  for (Solid<D>& solid : solids) solid.shape = solid.halfway.value_or(solid.shape);
  return solids;
}
template <int D>
std::vector<Solid<D>> second_half(std::vector<Solid<D>> solids) {
  for (Solid<D>& solid : solids) solid.before = solid.halfway.value_or(solid.before);
  return solids;
}

template <int D>
std::vector<SmokeSource<D>> seen_later(std::vector<SmokeSource<D>> sources, double seconds) {
  for (SmokeSource<D>& source : sources) source = seen_later(std::move(source), seconds);
  return sources;
}

// Of two parts of a step, the second of which is `share` of it; the total of the first is a mean over the
// step already.
SolveReport both(const SolveReport& x, const SolveReport& y, double share) {
  SolveReport r = y;
  r.converged = x.converged && y.converged;
  r.iterations += x.iterations;
  r.seconds += x.seconds;
  r.residual = std::max(x.residual, y.residual);
  r.imbalance = std::max(x.imbalance, y.imbalance);
  r.imbalance_total = x.imbalance_total + share * y.imbalance_total;
  return r;
}

// The pressure of the first half acts for the whole step; what is left for the second is next to nothing.
template <int D>
void take_halves(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing, double dt,
                 StepReport& report) {
  constexpr double most_parts = 8;
  MacField<float, D> reflected;
  report.pressure = take_part<D>(
      ex, s, p, crossing, s.pressure,
      {.dt = dt / 2, .sources = p.sources, .solids = first_half(p.solids), .reflected = &reflected},
      report.diffusion);
  report.pressure.imbalance_total /= 2;
  const Crossing<D> stay(ex, s.topology(), s.topology());
  // The air may be faster by now than one go can carry it. What is far too fast is for the next step, which
  // will be as short as that needs.
  for (double left = dt / 2; left > 0;) {
    const double cells = fastest_air(ex, s, p) * left / p.h;
    const double parts = std::max(std::ceil(cells / farthest_part(p)), 1.);
    report.whole = parts <= most_parts;  // false for a NaN, too
    if (!report.whole) {
      report.pressure.imbalance_total *= dt / (dt - left);  // a mean over what was taken
      return;
    }
    Field<double, D> pressure(ex, s.topology());
    const SolveReport next = take_part<D>(ex, s, p, stay, pressure,
                                          {.dt = left / parts,
                                           .sources = seen_later(p.sources, dt - left),
                                           .solids = second_half(p.solids),
                                           .carried = std::exchange(reflected, {})},
                                          report.diffusion);
    report.pressure = both(report.pressure, next, left / parts / dt);
    left = parts > 1 ? left - left / parts : 0;
  }
}

}  // namespace

template <int D>
StepReport step(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, double dt) {
  const Zone zone(ex.profile(), "step");
  CHECK(p.quantities.size() == s.others.size(), p.quantities.size(), " quantities for ", s.others.size(),
        " fields");
  StepReport report;
  report.finite = std::isfinite(max_component(ex, s.velocity) * dt) && dt > 0;
  if (!report.finite) return report;
  const double start = s.time;
  const Crossing<D> crossing(ex, s.topology(), follow_smoke(ex, s, p, dt));
  if (p.energy == EnergyScheme::reflection)
    take_halves(ex, s, p, crossing, dt, report);
  else
    report.pressure = take_part<D>(ex, s, p, crossing, s.pressure,
                                   {.dt = dt, .sources = p.sources, .solids = p.solids}, report.diffusion);
  report.retiled = crossing.from() != crossing.to();
  if (report.whole) s.time = start + dt;
  ++s.steps;
  return report;
}

template SmokeState<2> make_smoke(Exec&, const TopologyPtr<2>&, const Vec<float, 2>&, float, std::size_t);
template SmokeState<3> make_smoke(Exec&, const TopologyPtr<3>&, const Vec<float, 3>&, float, std::size_t);
template double step_length(Exec&, const SmokeState<2>&, const SmokeParams<2>&, const StepLimits&);
template double step_length(Exec&, const SmokeState<3>&, const SmokeParams<3>&, const StepLimits&);
template void fit_to_solids(Exec&, SmokeState<2>&, const SmokeParams<2>&);
template void fit_to_solids(Exec&, SmokeState<3>&, const SmokeParams<3>&);
template StepReport step(Exec&, SmokeState<2>&, const SmokeParams<2>&, double);
template StepReport step(Exec&, SmokeState<3>&, const SmokeParams<3>&, double);

}  // namespace whorl
