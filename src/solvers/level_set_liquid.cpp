#include "solvers/level_set_liquid.h"

#include "grid/retile.h"
#include "solvers/liquid_parts.h"
#include "stages/extend.h"
#include "stages/extrapolate.h"
#include "stages/measure.h"
#include "stages/sides.h"
#include "stages/surface_tension.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// The liquid, and air for as far as it may go and for the band of markers beyond.
template <int D>
TopologyPtr<D> tiles_round(Exec& ex, const Field<float, D>& phi, const LevelSetParams& params) {
  const CellMask<D> liquid = cells_where<D>(
      ex, phi.topology(), [v = phi.view()](const RowIndex<D>& r) { return v(r) < Lane<float>(0.f); });
  const int reach = layers_of_air + int(std::ceil(params.band));
  return retile<D>(ex, phi.topology(), liquid, {.reach = reach, .hysteresis = tile_side});
}

template <int D>
void carry_velocity(Exec& ex, MacField<float, D>& velocity, const LevelSetLiquidParams<D>& p, double dt) {
  const TopologyPtr<D> topology = velocity.topology();
  MacField<float, D> moved;
  std::vector<Carried<D>> carried;
  for (int a = 0; a < D; ++a)
    carried.push_back({&velocity[a], &moved[a], a,
                       velocity_boundary(topology->domain(), a, velocity[a].background(), p.inflow)});
  advect<D>(ex, Crossing<D>(ex, topology, topology), {&velocity, p.inflow}, carried, float(dt / p.h),
            p.advection);
  velocity = std::move(moved);
}

// Where the surface will be, by the velocity that it has.
template <int D>
Field<float, D> surface_after(Exec& ex, const LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p,
                              double dt) {
  const TopologyPtr<D>& topology = s.velocity.topology();
  const float air = s.surface.phi.background();
  Field<float, D> moved;
  const Carried<D> carried{&s.surface.phi, &moved, at_centres, scalar_boundary(topology->domain(), air, air)};
  advect<D>(ex, Crossing<D>(ex, topology, topology), {&s.velocity, p.inflow}, {&carried, 1}, float(dt / p.h),
            p.surface.advection);
  return moved;
}

// Faces next to a cell of the liquid have their velocity from the projection. The first layer in the air goes
// on as the liquid does towards it, so that the surface moves as exactly as the liquid; the others take it
// from there.
template <int D>
void extend_straight_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system) {
  const TopologyPtr<D>& topology = velocity.topology();
  const TopologyView<D> cells = topology->view();
  const FieldView<const float, D> phi = system.surface.view();
  for (int a = 0; a < D; ++a) {
    CellMask<D> known = empty_mask(ex, topology), wanted = empty_mask(ex, topology);
    const auto store_known = known.store(), store_wanted = wanted.store();
    Field<float, D> level = Field<float, D>::unfilled(ex, topology);
    for_rows(ex, topology->tile_set(),
             [=, open = system.open[a].view(), on_faces = level.view()](const RowIndex<D>& r) {
               const Lane<float> none(0.f), here = phi(r), below = phi(r, a, -1);
               const unsigned wet = (bits(here < none) & cells.active_bits(r)) |
                                    (bits(below < none) & cells.active_bits(r, a, -1));
               store_known(r, wet & bits(open(r) > none));
               store_wanted(r, cells.live_face_bits(r, a));
               on_faces.store(r, here + below);
             });
    extrapolate_straight(ex, velocity[a], level, known, wanted);
    extrapolate(ex, velocity[a], known, wanted, layers_of_air);
  }
}

// Air that the extension does not reach, for its layers grow along the axes, is at rest: what gravity and
// advection leave there must not grow from step to step.
template <int D>
void still_far_air(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& phi, double h) {
  const FieldView<const float, D> distance = phi.view();
  const TopologyView<D> cells = phi.topology()->view();
  const Lane<float> near(float(layers_of_air / std::sqrt(double(D)) * h)), none(0.f);
  for (int a = 0; a < D; ++a)
    for_rows(ex, velocity.topology()->tile_set(), [=, u = velocity[a].view()](const RowIndex<D>& r) {
      const unsigned reached = (bits(distance(r) < near) & cells.active_bits(r)) |
                               (bits(distance(r, a, -1) < near) & cells.active_bits(r, a, -1));
      u.store(r, select(Lane<float>::mask_from_bits(reached), u(r), none));
    });
}

}  // namespace

template <int D>
LevelSetLiquidState<D> make_level_set_liquid(Exec& ex, Field<float, D> phi,
                                             const LevelSetLiquidParams<D>& p) {
  LevelSetLiquidState<D> s;
  s.surface = make_level_set(ex, std::move(phi), p.h, p.surface);
  s.velocity = MacField<float, D>(ex, s.surface.phi.topology());
  return s;
}

template <int D>
double step_length(Exec& ex, const LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double cfl,
                   double longest) {
  const double dt = time_for(cfl, max_component(ex, s.velocity), length(p.gravity), p.h);
  return std::min({dt, longest, capillary_step(p.h, p.tension)});
}

template <int D>
SolveReport step(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double dt) {
  const Zone zone(ex.profile(), "step");
  const TopologyPtr<D> before = s.surface.phi.topology(),
                       topology = tiles_round(ex, s.surface.phi, p.surface);
  put_on(ex, s.surface, topology);
  const Crossing<D> crossing(ex, before, topology);
  for (int a = 0; a < D; ++a) s.velocity[a] = carry_over(ex, s.velocity[a], crossing);
  move_level_set(ex, s.surface, s.velocity, p.inflow, p.h, dt, p.surface);
  carry_velocity(ex, s.velocity, p, dt);

  CutFaces<D> cut = cut_faces<D>(ex, topology, p.solids, &Solid<D>::shape, p.h, p.walls);
  add_gravity(ex, s.velocity, cut.open, p.gravity, dt);
  enforce_solids(ex, s.velocity, cut);
  enforce_sides(ex, s.velocity, p.inflow);
  PressureSystem<D> system = pressure_system(ex, std::move(cut.open), s.surface.phi.clone(ex));
  if (p.tension > 0)
    system.at_surface = surface_tension(ex, s.surface.phi, surface_after(ex, s, p, 0.5 * dt), p.h, p.tension);
  Field<double, D> pressure = first_guess(ex, s.pressure, system, p.h);
  const SolveReport report = project(ex, s.velocity, pressure, system, cut.walls, p.projection, p.h, dt);
  s.pressure = std::move(pressure);

  extend_straight_into_air(ex, s.velocity, system);
  extend_into_solids<D>(ex, s.velocity, system.open, p.solids, &Solid<D>::shape, p.h,
                        VelocityExtension::layers);
  still_far_air(ex, s.velocity, s.surface.phi, p.h);
  enforce_sides(ex, s.velocity, p.inflow);
  s.time += dt;
  ++s.steps;
  return report;
}

#define WHORL_INSTANTIATE(D)                                                                                \
  template LevelSetLiquidState<D> make_level_set_liquid(Exec&, Field<float, D>,                             \
                                                        const LevelSetLiquidParams<D>&);                    \
  template double step_length(Exec&, const LevelSetLiquidState<D>&, const LevelSetLiquidParams<D>&, double, \
                              double);                                                                      \
  template SolveReport step(Exec&, LevelSetLiquidState<D>&, const LevelSetLiquidParams<D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
