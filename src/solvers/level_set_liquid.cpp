#include "solvers/level_set_liquid.h"

#include "grid/retile.h"
#include "solvers/liquid_parts.h"
#include "stages/box_cells.h"
#include "stages/extend.h"
#include "stages/extrapolate.h"
#include "stages/level_set_volume.h"
#include "stages/measure.h"
#include "stages/sides.h"
#include "stages/surface_tension.h"
#include "stages/tension_shape.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// How much the velocity changes from one cell to the next into air: a part of it, waves of 16 cells have a
// third; and what takes nothing further than a hundredth of a cell does not matter.
constexpr float most_change = 0.5f, least_change = 0.01f;
constexpr double most_moved_a_step = 0.05;  // cells by which the surface is moved to keep the volume

// Puts everything on tiles of the liquid, and of air for as far as it may go and for the band of markers
// beyond.
template <int D>
void put_on_tiles_round(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p,
                        std::span<const Box<D>> always) {
  const Field<float, D>& phi = s.surface.phi;
  const TopologyPtr<D> before = phi.topology();
  const CellMask<D> liquid =
      cells_where<D>(ex, before, [v = phi.view()](const RowIndex<D>& r) { return v(r) < Lane<float>(0.f); });
  const int reach = layers_of_air + int(std::ceil(p.surface.band));
  const TopologyPtr<D> after =
      retile<D>(ex, before, liquid, {.reach = reach, .hysteresis = tile_side}, always);
  put_on(ex, s.surface, after);
  const Crossing<D> crossing(ex, before, after);
  for (int a = 0; a < D; ++a) s.velocity[a] = carry_over(ex, s.velocity[a], crossing);
}

// The cells that a shape reaches, within the domain.
template <int D>
Box<D> box_of(const Shape<D>& shape, const Domain<D>& domain, double h) {
  return cells_round(shape.bounds(), h).intersect(domain.cells);
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

// A surface that markers correct is too rough to have a curvature, and solids know nothing of one; any other
// is as smooth as it gets.
template <int D>
bool has_curvature(const LevelSetLiquidParams<D>& p) {
  return !p.surface.markers && p.solids.empty();
}

template <int D>
MacField<float, D> tension_at_surface(Exec& ex, const LevelSetLiquidState<D>& s,
                                      const Field<float, D>& solids, const LevelSetLiquidParams<D>& p,
                                      double dt) {
  const Field<float, D> ahead = surface_after(ex, s, p, 0.5 * dt);
  if (has_curvature(p)) return surface_tension(ex, s.surface.phi, ahead, p.h, p.tension);
  const TensionShape<D> shape = tension_shape(ex, ahead, solids, p.h);
  return surface_tension(ex, s.surface.phi, shape.phi, p.h, p.tension, shape.share);
}

// The liquid goes on a few cells into solids, at right angles to them; deeper down there is none, for solids
// that move would leave it behind.
template <int D>
void extend_surface_into_solids(Exec& ex, LevelSet<D>& surface, const Field<float, D>& solids, double h) {
  const FieldView<const float, D> free = solids.view();
  const TopologyPtr<D>& topology = surface.phi.topology();
  using Real = Lane<float>;
  extend_into_solids(ex, surface.phi,
                     cells_where(ex, topology, [=](const RowIndex<D>& r) { return free(r) >= Real(0.f); }));
  const Real deep(float(-4 * h)), air(surface.phi.background());
  for_rows(ex, topology->tile_set(), [=, phi = surface.phi.view()](const RowIndex<D>& r) {
    phi.store(r, select(free(r) < deep, air, phi(r)));
  });
  take_out_markers<D>(ex, surface,
                      [&](const CellIndex<D>& cell, const Vec<double, D>&, float) { return free(cell) < 0; });
}

// Makes what is inside of a shape liquid, and gives it a velocity where it was none before. Returns how much
// that was.
template <int D>
double pour(Exec& ex, LevelSetLiquidState<D>& s, const Shape<D>& shape, const Field<float, D>& solids,
            const std::function<Vec<double, D>(const Vec<double, D>&)>& velocity, bool all, double h) {
  const Topology<D>& topology = *s.surface.phi.topology();
  const double before = level_set_volume(ex, s.surface.phi, solids, h).volume;
  const Box<D> box = cells_round(shape.bounds(), h, 4);
  const Field<float, D> old = s.surface.phi.clone(ex);
  for (int a = 0; a < D; ++a)
    for_cells_of_box<D>(ex, topology, box, [&](const CellIndex<D>& i, const Coord<D>& c) {
      const Vec<double, D> x = sample_place(c, a, h);
      const bool was = old.view()(i) < 0 || old.view()(i, a, -1) < 0;
      if (shape.distance(x) < 0.5 * h && (all || !was)) s.velocity[a].view().store(i, float(velocity(x)[a]));
    });
  for_cells_of_box<D>(ex, topology, box, [&](const CellIndex<D>& i, const Coord<D>& c) {
    const float distance = float(shape.distance(sample_place(c, at_centres, h)));
    if (distance < old.view()(i)) s.surface.phi.view().store(i, distance);
  });
  take_out_markers<D>(ex, s.surface, [&](const CellIndex<D>&, const Vec<double, D>& x, float radius) {
    return radius > 0 && shape.distance(x * h) < double(radius) * h;
  });
  return level_set_volume(ex, s.surface.phi, solids, h).volume - before;
}

template <int D>
void let_spouts_flow(Exec& ex, LevelSetLiquidState<D>& s, const Field<float, D>& solids,
                     const LevelSetLiquidParams<D>& p) {
  for (const Spout<D>& spout : p.spouts) {
    if (!(spout.end > spout.start)) continue;
    const double more = pour<D>(
        ex, s, spout.shape, solids, [&](const Vec<double, D>&) { return spout.velocity; }, true, p.h);
    s.injected += more;
    s.held += more;
  }
}

// The most of each cell that can go out through open sides in a step, 0 to 1 for each side: as far as its
// faster face goes.
template <int D>
Field<float, D> part_leaving(Exec& ex, const MacField<float, D>& velocity, double h, double dt) {
  const TopologyPtr<D>& topology = velocity.topology();
  const Domain<D>& domain = topology->domain();
  const float step = float(dt / h);
  const int layers = int(std::min(double(tile_side), std::ceil(max_component(ex, velocity) * dt / h)));
  Field<float, D> leaving(ex, topology);
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1}) {
      if (domain.sides[std::size_t(a)][std::size_t(high)] != Side::open) continue;
      Box<D> near = domain.cells;
      if (high)
        near.lo[a] = std::max(near.lo[a], near.hi[a] - layers);
      else
        near.hi[a] = std::min(near.hi[a], near.lo[a] + layers);
      const FieldView<const float, D> u = velocity[a].view();
      const FieldView<float, D> part = leaving.view();
      for_cells_of_box<D>(ex, *topology, near, [&](const CellIndex<D>& i, const Coord<D>& c) {
        const float out = high ? std::max(u(i), u(i, a, +1)) : -std::min(u(i), u(i, a, +1));
        const int to_side = high ? domain.cells.hi[a] - 1 - c[a] : c[a] - domain.cells.lo[a];
        part.store(i, part(i) + std::clamp(out * step - float(to_side), 0.f, 1.f));
      });
    }
  return leaving;
}

// The most liquid, in m^D, that can go out through open sides in a step: where in a cell it is does not
// matter, for there is no telling.
template <int D>
double most_drained(Exec& ex, const LevelSetLiquidState<D>& s, const Field<float, D>& solids, double h,
                    double dt) {
  const auto& sides = s.velocity.topology()->domain().sides;
  const bool any_open = std::any_of(sides.begin(), sides.end(), [](const auto& ends) {
    return std::find(ends.begin(), ends.end(), Side::open) != ends.end();
  });
  if (!any_open) return 0;
  Field<float, D> leaving = part_leaving(ex, s.velocity, h, dt);
  const Field<float, D> liquid = liquid_part(ex, s.surface.phi, solids, h);
  for_rows(ex, leaving.topology()->tile_set(),
           [out = leaving.view(), there = liquid.view()](const RowIndex<D>& r) {
             out.store(r, min(out(r), there(r)));
           });
  return integral(ex, leaving, h);
}

// What is missing has gone out through the sides, as far as it can have. The surface moves a little, to where
// it holds the rest.
template <int D>
void keep_volume(Exec& ex, LevelSetLiquidState<D>& s, const Field<float, D>& solids,
                 const LevelSetLiquidParams<D>& p, double most) {
  const double now = level_set_volume(ex, s.surface.phi, solids, p.h).volume;
  const double drained = std::clamp(s.held - now, 0., most);
  s.drained += drained;
  s.held = p.keep_volume ? s.held - drained : now;
  if (p.keep_volume) set_volume(ex, s.surface.phi, solids, p.h, s.held, most_moved_a_step * p.h);
}

// Faces next to a cell of the liquid have their velocity from the projection. The first layer in the air goes
// on as the liquid does towards it, so that the surface moves as exactly as the liquid; the others take it
// from there.
template <int D>
void extend_straight_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                              float cell_a_step) {
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
    extrapolate_straight(ex, velocity[a], level, known, wanted, {most_change, least_change * cell_a_step});
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
  const Field<float, D> solids =
      solid_distance<D>(ex, s.surface.phi.topology(), p.solids, &Solid<D>::shape, p.h);
  s.held = level_set_volume(ex, s.surface.phi, solids, p.h).volume;
  return s;
}

template <int D>
void add_liquid(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, const Shape<D>& shape,
                const std::function<Vec<double, D>(const Vec<double, D>&)>& velocity) {
  const Box<D> box = box_of(shape, s.surface.phi.topology()->domain(), p.h);
  put_on_tiles_round<D>(ex, s, p, {&box, 1});
  const TopologyPtr<D>& topology = s.surface.phi.topology();
  const Field<float, D> solids = solid_distance<D>(ex, topology, p.solids, &Solid<D>::shape, p.h);
  const double more = pour(ex, s, shape, solids, velocity, false, p.h);
  redistance(ex, s.surface.phi, p.h, p.surface.distance);
  renew_markers(ex, s.surface, p.h, p.surface);
  s.injected += more;
  s.held += more;
}

template <int D>
double step_length(Exec& ex, const LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double cfl,
                   double longest) {
  double speed = max_component(ex, s.velocity);
  for (const Spout<D>& spout : p.spouts)
    for (int a = 0; a < D; ++a) speed = std::max(speed, std::abs(spout.velocity[a]));
  const ForceLimit forces = force_limit<D>(ex, s.surface.phi.topology(), p.forces);
  const double dt = time_for(cfl, std::max(speed, forces.speed),
                             length(p.gravity) + std::sqrt(double(D)) * forces.acceleration, p.h);
  return std::min(
      {dt, longest,
       has_curvature(p) ? capillary_step(p.h, p.tension) : smooth_capillary_step(p.h, p.tension)});
}

template <int D>
SolveReport step(Exec& ex, LevelSetLiquidState<D>& s, const LevelSetLiquidParams<D>& p, double dt) {
  const Zone zone(ex.profile(), "step");
  std::vector<Box<D>> spouts;
  for (const Spout<D>& spout : p.spouts)
    spouts.push_back(box_of(spout.shape, s.surface.phi.topology()->domain(), p.h));
  put_on_tiles_round<D>(ex, s, p, spouts);
  const TopologyPtr<D> topology = s.surface.phi.topology();
  const Field<float, D> solids = solid_distance<D>(ex, topology, p.solids, &Solid<D>::shape, p.h);
  const double leaving = most_drained(ex, s, solids, p.h, dt);
  move_level_set(ex, s.surface, s.velocity, p.inflow, p.h, dt, p.surface);
  if (!p.solids.empty()) extend_surface_into_solids(ex, s.surface, solids, p.h);
  keep_volume(ex, s, solids, p, leaving);
  carry_velocity(ex, s.velocity, p, dt);
  let_spouts_flow(ex, s, solids, p);

  CutFaces<D> cut = cut_faces<D>(ex, topology, p.solids, &Solid<D>::shape, p.h, p.walls);
  add_gravity(ex, s.velocity, cut.open, p.gravity, dt);
  add_liquid_forces<D>(ex, s.velocity, cut.open, p.forces, p.h, s.time, dt);
  enforce_solids(ex, s.velocity, cut);
  enforce_sides(ex, s.velocity, p.inflow);
  PressureSystem<D> system = pressure_system(ex, std::move(cut.open), s.surface.phi.clone(ex));
  if (p.tension > 0) system.at_surface = tension_at_surface(ex, s, solids, p, dt);
  Field<double, D> pressure = first_guess(ex, s.pressure, system, p.h);
  const SolveReport report = project(ex, s.velocity, pressure, system, cut.walls, p.projection, p.h, dt);
  s.pressure = std::move(pressure);

  extend_straight_into_air(ex, s.velocity, system, float(p.h / dt));
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
  template void add_liquid(Exec&, LevelSetLiquidState<D>&, const LevelSetLiquidParams<D>&, const Shape<D>&, \
                           const std::function<Vec<double, D>(const Vec<double, D>&)>&);                    \
  template double step_length(Exec&, const LevelSetLiquidState<D>&, const LevelSetLiquidParams<D>&, double, \
                              double);                                                                      \
  template SolveReport step(Exec&, LevelSetLiquidState<D>&, const LevelSetLiquidParams<D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
