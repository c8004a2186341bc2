#include "solvers/liquid.h"

#include "base/rng.h"
#include "exec/reduce.h"
#include "particles/occupied_cells.h"
#include "solvers/liquid_core.h"
#include "solvers/liquid_parts.h"
#include "solvers/liquid_sides.h"
#include "stages/calm_surface.h"
#include "stages/crowding.h"
#include "stages/extend.h"
#include "stages/extend_into_air.h"
#include "stages/measure.h"
#include "stages/narrow_band.h"
#include "stages/particle_surface.h"
#include "stages/reseed.h"
#include "stages/settle_surface.h"
#include "stages/surface_tension.h"
#include "stages/tension_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace whorl {

namespace {

template <int D>
constexpr std::uint32_t full_cell = 3 << (D - 2);  // particles that more than half of a cell has
constexpr double film = 0.1;                       // cells below the surface that a film's cell counts as
// Of the crowding, that a step takes away: particles crowd by going, so by the cells that they go. All of it
// at once would let noise grow.
constexpr float evened_a_cell = 1.6f, most_evened = 0.4f, least_evened = 0.1f;
constexpr float by_chance = 0.1f;  // less crowding than this may be, and is evened out the more slowly

// Cells whose centre lies in a solid are of the liquid if it is next to them, so that it ends at the wall and
// not before it.
template <int D>
void extend_under_walls(Exec& ex, Field<float, D>& surface, const Field<float, D>& solids, double h) {
  const FieldView<float, D> phi = surface.view();
  const FieldView<const float, D> distance = solids.view();
  const Lane<float> none(0.f), half(float(0.5 * h));
  for_rows(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
    const Lane<float> value = phi(r);
    phi.store(r, select((value < half) & (distance(r) < none), min(value, none - half), value));
  });
}

// Cells that are of the liquid though the surface does not cover their centre. Liquid between a wall and a
// surface that runs along it may be too thin to do so, and nothing else would keep it from being pressed
// flat; and where particles crowd, a cell holds more of them than half of it can have.
template <int D>
void keep_full_cells(Exec& ex, Field<float, D>& surface, const MacField<float, D>& open,
                     const ParticleSet<D>& particles, double h) {
  const Field<float, D> found = surface.clone(ex);
  const FieldView<const float, D> phi = found.view();
  const FieldView<float, D> out = surface.view();
  const MacView<const float, D> part = open.view();
  const TopologyView<D> cells = surface.topology()->view();
  const std::uint32_t* first = particles.first.data();
  const Lane<float> half(0.5f), slope(float(0.5 * h)), thin(float(-film * h));
  for_rows(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
    const std::uint32_t* cell = first + std::size_t(r.tile) * tile_cells<D> + std::size_t(r.offset());
    unsigned wet = 0, full = 0;
    for (int k = 0; k < tile_side; ++k) {
      wet |= unsigned(cell[k] < cell[k + 1]) << k;
      full |= unsigned(cell[k + 1] - cell[k] >= full_cell<D>) << k;
    }
    wet &= cells.active_bits(r);
    if (!wet) return;
    const Lane<float> own = phi(r);
    unsigned pressed = 0;
    for (int a = 0; a < D; ++a) {
      pressed |= bits((part[a](r) < half) & (phi(r, a, +1) - own > slope));
      pressed |= bits((part[a](r, a, +1) < half) & (phi(r, a, -1) - own > slope));
    }
    out.store(r, select(Lane<float>::mask_from_bits((pressed | full) & wet), min(own, thin), own));
  });
}

// The part of each cell that solids and the domain leave free.
template <int D>
Field<float, D> room_beside(Exec& ex, const Field<float, D>& solids, double h) {
  Field<float, D> room(ex, solids.topology());
  const FieldView<float, D> out = room.view();
  const FieldView<const float, D> distance = solids.view();
  const TopologyView<D> cells = solids.topology()->view();
  const Lane<float> none(0.f), one(1.f), cells_a_metre(float(1 / h));
  for_rows(ex, solids.topology()->tile_set(), [=](const RowIndex<D>& r) {
    const Lane<float> part = min(max(distance(r) * cells_a_metre + Lane<float>(0.5f), none), one);
    out.store(r, select(Lane<float>::mask_from_bits(cells.active_bits(r)), part, none));
  });
  return room;
}

// Of a cell, what a step evens out of its crowding, as a rate of growth.
template <int D>
void set_rates(Exec& ex, Field<float, D>& growth, const Field<float, D>& room,
               const MacField<float, D>& velocity, double h, double dt) {
  using Real = Lane<float>;
  const FieldView<float, D> rate = growth.view();
  const FieldView<const float, D> free = room.view();
  const MacView<const float, D> u = velocity.view();
  const Real step(float(dt / h)), a_second(float(1 / dt));
  for_rows(ex, growth.topology()->tile_set(), [=](const RowIndex<D>& r) {
    Real fastest(0.f);
    for (int a = 0; a < D; ++a) fastest = max(fastest, max(abs(u[a](r)), abs(u[a](r, a, +1))));
    const Real part = min(max(fastest * step * Real(evened_a_cell), Real(least_evened)), Real(most_evened));
    const Real sure = min(abs(rate(r)) * Real(1 / by_chance), Real(1.f));
    rate.store(r, rate(r) * free(r) * part * sure * a_second);
  });
}

template <int D>
void add_to(Exec& ex, MacField<float, D>& sum, const MacField<float, D>& more) {
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = sum[a].view();
    const FieldView<const float, D> du = more[a].view();
    for_rows(ex, sum.topology()->tile_set(), [=](const RowIndex<D>& r) { u.store(r, u(r) + du(r)); });
  }
}

// What bounds the liquid in a step.
template <int D>
struct Limits {
  Field<float, D> solids;            // m, from the nearest one
  MacField<float, D> walls;          // m/s, of what moves of them
  std::vector<WaterSide<D>> water;   // sides with water beyond
  PressureSystem<D> system;          // of the surface, and of what all these leave open
  SolverCache<D> cache;              // for it
  AirRound<D> air;                   // … and what is round it
  MacField<float, D> beside_solids;  // what solids and walls alone do; empty: the same

  const MacField<float, D>& open() const { return water.empty() ? system.open : beside_solids; }
};

// Gives the velocity what it is at solids and sides. `fallen`: the velocity before forces other than gravity.
template <int D>
Limits<D> find_limits(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, FaceVelocity<D>& faces,
                      const MacField<float, D>& fallen, double dt) {
  const TopologyPtr<D>& topology = s.particles.topology;
  MacField<float, D>& velocity = faces.velocity;
  Limits<D> limits;
  Field<float, D> surface = surface_from_particles(ex, s.particles, p.h, s.core);
  limits.solids = solid_distance<D>(ex, topology, p.solids, &Solid<D>::shape, p.h);
  calm_surface(ex, surface, limits.solids, p.h);
  TensionShape<D> shape;
  if (p.tension > 0) shape = tension_shape(ex, surface, limits.solids, p.h);
  settle_surface(ex, surface, fallen, faces.weight, p.gravity, p.h, dt);
  if (!p.solids.empty()) extend_under_walls(ex, surface, limits.solids, p.h);
  CutFaces<D> cut = cut_faces<D>(ex, topology, p.solids, &Solid<D>::shape, p.h, p.walls);
  keep_full_cells(ex, surface, cut.open, s.particles, p.h);
  enforce_solids(ex, velocity, cut);
  enforce_liquid_sides(ex, velocity, p);
  limits.water = water_beyond(ex, s, p, velocity, cut.open, surface, dt);
  MacField<float, D> at_surface;
  if (!limits.water.empty()) {
    limits.beside_solids = cut.open.clone(ex);
    at_surface = meet_water<D>(ex, velocity, cut.open, surface, limits.water, p.h, dt);
  }
  if (p.tension > 0) {
    MacField<float, D> pull = surface_tension(ex, surface, shape.phi, p.h, p.tension, shape.share);
    if (!limits.water.empty()) add_to(ex, pull, at_surface);
    at_surface = std::move(pull);
  }
  limits.system = pressure_system(ex, std::move(cut.open), std::move(surface));
  limits.system.at_surface = std::move(at_surface);
  limits.walls = std::move(cut.walls);
  return limits;
}

template <int D>
SolveReport make_incompressible(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p,
                                MacField<float, D>& velocity, Limits<D>& limits, double dt) {
  Field<double, D> pressure = first_guess(ex, s.pressure, limits.system, p.h);
  const SolveReport report =
      project(ex, velocity, pressure, limits.system, limits.walls, p.projection, p.h, dt, {}, &limits.cache);
  s.pressure = std::move(pressure);
  limits.system.at_surface = {};  // it pushes no crowd apart
  pass_water<D>(ex, velocity, limits.system.surface, limits.water, p.h, dt);
  return report;
}

// Into air and into solids, for particles that look there.
template <int D>
void extend_beyond(Exec& ex, MacField<float, D>& velocity, const Limits<D>& limits,
                   const std::vector<Solid<D>>& solids, double h) {
  extend_into_air(ex, velocity, limits.system, limits.air, layers_of_air);
  extend_into_solids<D>(ex, velocity, limits.open(), solids, &Solid<D>::shape, h,
                        VelocityExtension::closest_point);
}

// A flow that carries particles from where they crowd to where they are few, in this step; none where it is
// not to be found, for the next step may find one.
template <int D>
std::optional<MacField<float, D>> evening_flow(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p,
                                               Limits<D>& limits, const FaceVelocity<D>& faces, double dt) {
  const Zone zone(ex.profile(), "even_out");
  const Field<float, D> room = room_beside(ex, limits.solids, p.h);
  Field<float, D> growth = crowding(ex, s.particles, limits.system.surface, room, p.h, s.core);
  set_rates(ex, growth, room, faces.velocity, p.h, dt);
  MacField<float, D> flow(ex, s.particles.topology);
  Field<double, D> potential(ex, s.particles.topology);
  const SolveReport report =
      project(ex, flow, potential, limits.system, MacField<float, D>{},
              {.solver = p.projection.solver, .solve = {.relative = 0.05}}, p.h, dt, growth, &limits.cache);
  if (!report.converged || !std::isfinite(report.residual)) return {};
  pass_water<D>(ex, flow, limits.system.surface, limits.water, p.h, dt);
  std::vector<Solid<D>> at_rest = p.solids;  // the flow is one beside theirs
  for (Solid<D>& solid : at_rest) solid.velocity = {};
  limits.air.forget_drops();
  extend_beyond(ex, flow, limits, at_rest, p.h);
  return flow;
}

template <int D>
void take_away(LiquidState<D>& s, std::int64_t particles) {
  s.drained += particles;
  s.held -= particles;
}

// What spouts and drains do in a step.
template <int D>
void let_in_and_out(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, const Domain<D>& domain,
                    double dt) {
  const Zone zone(ex.profile(), "spouts_and_drains");
  const std::uint64_t now = std::uint64_t(s.steps);
  for (std::size_t k = 0; k < p.drains.size(); ++k)
    take_away(s, drain(ex, s.particles, p.drains[k], p.h, dt, mix64(now, k)));
  s.spout_ways.resize(p.spouts.size());
  for (std::size_t k = 0; k < p.spouts.size(); ++k)
    let_in(ex, s, domain,
           let_out<D>(p.spouts[k], s.spout_ways[k], domain, p.solids, p.h, double(p.move.skin), dt, k));
}

// Carries the liquid on; it comes and goes.
template <int D>
void move_liquid(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, Limits<D>& limits,
                 FaceVelocity<D>& faces, double dt) {
  const Domain<D> domain = s.particles.topology->domain();
  MacField<float, D> core_flow;  // the core's velocity learns of no evening out, either
  if (p.keep_volume) {
    if (auto flow = evening_flow(ex, s, p, limits, faces, dt)) {
      if (p.band > 0) core_flow = std::exchange(faces.velocity, std::move(*flow));
      add_to(ex, faces.velocity, p.band > 0 ? core_flow : *flow);
    } else {
      ++s.not_evened;
    }
  }
  limits.cache = {};
  if (p.band > 0 && !core_flow.topology()) core_flow = faces.velocity.clone(ex);
  take_away(s, move_particles<D>(ex, s.particles, faces.velocity, p.inflow, p.solids, p.h, dt, p.move));
  sort_particles(ex, s.particles);
  let_in_and_out(ex, s, p, domain, dt);
  let_in_by_sides<D>(ex, s, p, limits.water, faces.velocity, dt);
  if (p.band > 0)
    move_core(ex, s, p, std::move(core_flow), std::move(faces.velocity), dt);
  else
    put_on_tiles_round(ex, s);
}

}  // namespace

template <int D>
LiquidState<D> make_liquid(Exec& ex, const Domain<D>& domain, const NewParticles<D>& particles,
                           TransferScheme transfer) {
  LiquidState<D> s;
  add_particles(ex, s.particles, domain, particles);
  set_transfer(ex, s.particles, transfer);
  if (!s.particles.topology) put_on(ex, s.particles, Topology<D>::of_tiles(ex, domain, {}));
  put_on_tiles_round(ex, s);
  s.held = s.particles.size();
  return s;
}

template <int D>
void add_liquid(Exec& ex, LiquidState<D>& s, const NewParticles<D>& more) {
  const Domain<D> domain = s.particles.topology->domain();
  let_in(ex, s, domain, more);
  put_on_tiles_round(ex, s);
}

template <int D>
double step_length(Exec& ex, const LiquidState<D>& s, const LiquidParams<D>& p, double cfl, double longest) {
  float fastest = 0;
  for (const Buffer<float>& v : s.particles.velocity)
    fastest = std::max(fastest, reduce(
                                    ex, std::int64_t(v.size()), 1 << 16, 0.f,
                                    [&](std::int64_t begin, std::int64_t end) {
                                      float most = 0;
                                      for (std::int64_t i = begin; i < end; ++i)
                                        most = std::max(most, std::abs(v[std::size_t(i)]));
                                      return most;
                                    },
                                    [](float x, float y) { return std::max(x, y); }));
  if (s.core.topology) fastest = std::max(fastest, float(max_component(ex, s.core_velocity)));
  for (const Spout<D>& spout : p.spouts)
    for (int a = 0; a < D; ++a) fastest = std::max(fastest, float(std::abs(spout.velocity[a])));
  for (const SideInflow<D>& inflow : p.inflows)
    for (const Vec<float, D>& u : inflow.velocity)
      for (int a = 0; a < D; ++a) fastest = std::max(fastest, std::abs(u[a]));
  const ForceLimit forces = force_limit<D>(ex, s.particles.topology, p.forces);
  return std::min({time_for(cfl, std::max(double(fastest), forces.speed),
                            length(p.gravity) + std::sqrt(double(D)) * forces.acceleration, p.h),
                   longest, smooth_capillary_step(p.h, p.tension)});
}

template <int D>
SolveReport step(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, double dt) {
  const Zone zone(ex.profile(), "step");
  FaceVelocity<D> faces = particles_to_faces(ex, s.particles, p.transfer);
  if (s.core.topology) add_core_velocity(ex, faces, s.core, s.core_velocity);
  MacField<float, D>& velocity = faces.velocity;
  const bool flip = p.transfer == TransferScheme::flip;
  MacField<float, D> before;
  if (flip) before = velocity.clone(ex);

  add_gravity(ex, velocity, faces.weight, p.gravity, dt);
  MacField<float, D> fallen;
  if (!p.forces.empty()) fallen = velocity.clone(ex);
  add_liquid_forces<D>(ex, velocity, faces.weight, p.forces, p.h, s.time, dt);
  Limits<D> limits = find_limits(ex, s, p, faces, p.forces.empty() ? velocity : fallen, dt);
  fallen = {};
  const SolveReport report = make_incompressible(ex, s, p, velocity, limits, dt);
  limits.air = find_air(ex, limits.system, occupied_cells(ex, s.particles), faces.weight);
  extend_beyond(ex, velocity, limits, p.solids, p.h);
  enforce_liquid_sides(ex, velocity, p);

  reseed(ex, s.particles, limits.system.surface, limits.solids, flip ? before : velocity, p.h,
         std::uint64_t(s.steps), s.core);
  faces_to_particles<D>(ex, s.particles, p.transfer, velocity, p.inflow, flip ? &before : nullptr,
                        p.flip_part);
  for (const Spout<D>& spout : p.spouts)
    if (spout.end > spout.start) push_out(ex, s.particles, spout, p.h);
  move_liquid(ex, s, p, limits, faces, dt);
  s.time += dt;
  ++s.steps;
  return report;
}

#define WHORL_INSTANTIATE(D)                                                                            \
  template LiquidState<D> make_liquid(Exec&, const Domain<D>&, const NewParticles<D>&, TransferScheme); \
  template void add_liquid(Exec&, LiquidState<D>&, const NewParticles<D>&);                             \
  template double step_length(Exec&, const LiquidState<D>&, const LiquidParams<D>&, double, double);    \
  template SolveReport step(Exec&, LiquidState<D>&, const LiquidParams<D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
