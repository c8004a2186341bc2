#include "sim/level_set_simulation.h"

#include "grid/archive.h"
#include "sim/forces.h"
#include "sim/frame_steps.h"
#include "sim/liquid_params.h"
#include "sim/liquid_steps.h"
#include "sim/meshes.h"
#include "sim/moment.h"
#include "sim/motion.h"
#include "sim/odd_places.h"
#include "sim/state_check.h"
#include "stages/level_set_mesh.h"
#include "stages/level_set_volume.h"
#include "stages/measure.h"
#include "stages/tension_shape.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace whorl {

namespace {

constexpr double band_shown = 3;  // cells on each side of the surface

// What the solver for particles is told, as far as both have it.
template <int D>
LevelSetLiquidParams<D> level_set_params(LiquidParams<D> liquid, const LiquidConfig& config) {
  LevelSetLiquidParams<D> p;
  p.h = liquid.h;
  p.gravity = liquid.gravity;
  p.tension = liquid.tension;
  p.projection = liquid.projection;
  p.walls = liquid.walls;
  p.keep_volume = liquid.keep_volume;
  p.forces = std::move(liquid.forces);
  p.solids = std::move(liquid.solids);
  p.spouts = std::move(liquid.spouts);
  p.inflow = liquid.inflow;
  p.advection.trace_order = p.surface.advection.trace_order = config.trace_order;
  p.surface.given_up = 0.3f;
  if (D == 3) p.surface.markers_a_cell = 24;  // of the paper's 64: most of a step's time goes into them
  return p;
}

}  // namespace

template <int D>
LevelSetSimulation<D>::LevelSetSimulation(const Scene<D>& scene)
    : scene_(scene), layout_(grid_layout(scene)) {}

template <int D>
Result<LevelSetSimulation<D>> LevelSetSimulation<D>::create(Exec& ex, const Scene<D>& scene) {
  LevelSetSimulation simulation(scene);
  Result<std::vector<std::string>> warnings = load_meshes(ex, simulation.scene_);
  if (!warnings) return warnings.error();
  simulation.warnings_ = std::move(warnings).value();
  for (std::string& found : odd_places(simulation.scene_)) simulation.warnings_.push_back(std::move(found));
  // What is wrong with the first step is told before anything is written.
  const Result<LevelSetLiquidParams<D>> params = simulation.params_at(ex, 0);
  if (!params) return params.error();
  const auto nothing = Topology<D>::of_tiles(ex, simulation.layout_.domain, {});
  simulation.state_ = make_level_set_liquid<D>(ex, Field<float, D>(ex, nothing), params.value());
  if (const Result<void> filled = simulation.fill_up(ex, -1, 0); !filled) return filled.error();
  const auto comes_later = [](const FillConfig<D>& fill) { return fill.start > 0; };
  if (!(simulation.state_.held > 0) && scene.source.empty() &&
      std::none_of(scene.fill.begin(), scene.fill.end(), comes_later))
    return Error{ErrorCode::invalid_scene,
                 "fill: no liquid is left in this scene once solids are taken out; make a shape larger than "
                 "a cell, or move it out of the solids"};
  simulation.state_.injected = 0;
  simulation.look(ex);
  return simulation;
}

// With solids and spouts as they are for an instant.
template <int D>
Result<LevelSetLiquidParams<D>> LevelSetSimulation<D>::params_at(Exec& ex, double t) const {
  Result<LiquidParams<D>> params = liquid_params(ex, scene_, layout_, t);
  if (!params) return params.error();
  if (const Result<void> added = add_actors(params.value(), scene_, layout_, t, 1e-9 / scene_.time.fps);
      !added)
    return added.error();
  return level_set_params(std::move(params).value(), scene_.liquid);
}

// Fills whose time has come.
template <int D>
Result<void> LevelSetSimulation<D>::fill_up(Exec& ex, double from, double until) {
  for (const FillConfig<D>& fill : scene_.fill) {
    if (!(fill.start > from && fill.start <= until)) continue;
    const Result<LevelSetLiquidParams<D>> params = params_at(ex, until);
    if (!params) return params.error();
    bool finite = true;
    std::mutex one_at_a_time;  // as formulas want it
    add_liquid<D>(ex, state_, params.value(), moved(fill.shape, layout_.origin * -1.),
                  [&](const Vec<double, D>& x) {
                    const std::lock_guard lock(one_at_a_time);
                    const Vec<double, D> u = fill.velocity.at(x + layout_.origin, until);
                    for (int a = 0; a < D; ++a)
                      if (!std::isfinite(u[a])) finite = false;
                    return u;
                  });
    if (!finite)
      return Error{ErrorCode::invalid_scene,
                   fmt::format("fill.{}.velocity: it is no number everywhere", fill.name)};
  }
  return {};
}

template <int D>
Result<double> LevelSetSimulation<D>::take_step(Exec& ex, double until, FrameStatistics& statistics) {
  const double t = state_.time;
  Result<LiquidParams<D>> params = liquid_params(ex, scene_, layout_, t);
  if (!params) return params.error();
  const LevelSetLiquidParams<D> still = level_set_params(params.value(), scene_.liquid);
  const Result<double> dt = next_liquid_step(
      scene_, layout_.cell_size, t, until,
      [&](double cfl, double longest) { return step_length(ex, state_, still, cfl, longest); });
  if (!dt) return dt;
  if (const Result<void> fine = check_formulas(ex, scene_, layout_, state_.surface.phi.topology(), t); !fine)
    return fine.error();
  if (const Result<void> added = add_actors(params.value(), scene_, layout_, t, dt.value()); !added)
    return added.error();
  const SolveReport report =
      step(ex, state_, level_set_params(std::move(params).value(), scene_.liquid), dt.value());
  if (const Result<void> noted = note_step(statistics, report, scene_.liquid, t, dt.value()); !noted)
    return noted.error();
  const Result<void> filled = fill_up(ex, t, t + dt.value());
  return filled ? dt : filled.error();
}

template <int D>
Result<FrameStatistics> LevelSetSimulation<D>::advance(
    Exec& ex, const std::function<bool(const StepProgress&)>& after_step) {
  FrameStatistics& statistics = under_way_;  // it goes on where it was interrupted
  statistics.frame = frame_ + 1;
  ex.profile().clear();
  const Result<void> taken = take_steps_of_frame(
      statistics, scene_.time.fps, state_.time, after_step,
      [&](double until) { return take_step(ex, until, statistics); },
      [&] { return state_.surface.phi.topology()->active_cells(); });
  if (!taken) {
    if (taken.error().code == ErrorCode::interrupted) look(ex);  // what is written is the state as it stands
    return taken.error();
  }
  ++frame_;
  look(ex);
  measure(ex, statistics);
  return std::exchange(under_way_, {});
}

template <int D>
LevelSetSimulation<D> LevelSetSimulation<D>::without_state() const {
  LevelSetSimulation copy(scene_);
  copy.warnings_ = warnings_;
  return copy;
}

template <int D>
std::string LevelSetSimulation<D>::wrong_with_state() const {
  const std::string wrong = wrong_with_time(frame_, state_.time, scene_.time.fps);
  return wrong.empty() ? wrong_with(state_, layout_.domain) : wrong;
}

template <int D>
void LevelSetSimulation<D>::look(Exec& ex) {
  const Zone zone(ex.profile(), "look");
  std::vector<Solid<D>> bodies;
  for (const SolidConfig<D>& solid : scene_.solid)
    bodies.push_back(solid_over(solid, state_.time, 1e-9 / scene_.time.fps, layout_.origin));
  solid_distance_ =
      solid_distance<D>(ex, state_.surface.phi.topology(), bodies, &Solid<D>::shape, layout_.cell_size);
  surface_ = state_.surface.phi.clone(ex);
  const float farthest = float(band_shown * layout_.cell_size);
  surface_.set_background(farthest);
  for_rows(
      ex, surface_.topology()->tile_set(),
      [phi = surface_.view(), free = std::as_const(solid_distance_).view(), farthest](const RowIndex<D>& r) {
        const Lane<float> seen = max(phi(r), Lane<float>(0.f) - free(r)), end(farthest);
        phi.store(r, min(max(seen, Lane<float>(0.f) - end), end));
      });
}

template <int D>
void LevelSetSimulation<D>::measure(Exec& ex, FrameStatistics& statistics) const {
  {
    const Zone zone(ex.profile(), "measure");
    const double h = layout_.cell_size;
    const Field<float, D> part = liquid_part(ex, state_.surface.phi, solid_distance_, h);
    const Topology<D>& topology = *part.topology();
    statistics.time = state_.time;
    statistics.active_tiles = topology.active_tiles();
    statistics.active_cells = topology.active_cells();
    statistics.particles = state_.surface.markers.size();
    statistics.liquid_volume = integral(ex, part, h);
    statistics.kinetic_energy = kinetic_energy<D>(ex, state_.velocity, h, {}, &part);
    statistics.momentum = in_space(momentum<D>(ex, state_.velocity, h, &part));
    statistics.angular_momentum =
        in_space(angular_momentum<D>(ex, state_.velocity, layout_.origin, h, &part));
    statistics.center_of_mass = in_space(center_of_mass<D>(ex, part, layout_.origin, h));
    statistics.max_speed = max_speed<D>(ex, state_.velocity, &part);
    statistics.injected = state_.injected;
    statistics.drained = state_.drained;
    statistics.state_hash = state_hash(ex, state_);
  }
  statistics.seconds = stage_seconds(ex.profile());
  statistics.peak_memory_bytes = peak_memory();
}

template <int D>
Snapshot<D> LevelSetSimulation<D>::snapshot() const {
  Snapshot<D> s = moment_of(scene_, frame_, state_.time);
  s.scalars = {{"surface", &surface_}};
  s.velocity = &state_.velocity;
  return s;
}

template <int D>
std::vector<Shape<D>> LevelSetSimulation<D>::solids() const {
  return solids_at(scene_, state_.time);
}

template <int D>
Field<float, D> LevelSetSimulation<D>::smooth_phi(Exec& ex) const {
  const TensionShape<D> shape = tension_shape(ex, state_.surface.phi, solid_distance_, layout_.cell_size);
  Field<float, D> phi = state_.surface.phi.clone(ex);
  for_rows(ex, phi.topology()->tile_set(),
           [out = phi.view(), smooth = shape.phi.view(), part = shape.share.view()](const RowIndex<D>& r) {
             out.store(r, out(r) + part(r) * (smooth(r) - out(r)));
           });
  return phi;
}

template class LevelSetSimulation<2>;
template class LevelSetSimulation<3>;

SurfaceMesh mesh_of(Exec& ex, const LevelSetSimulation<3>& simulation) {
  const Zone zone(ex.profile(), "mesh");
  const GridLayout<3> layout = grid_layout(simulation.scene());
  std::vector<Shape<3>> solids = simulation.solids();
  for (Shape<3>& solid : solids) solid = moved(solid, layout.origin * -1.);
  SurfaceMesh surface =
      level_set_mesh(ex, simulation.smooth_phi(ex), simulation.state().velocity, solids,
                     {.h = layout.cell_size, .refinement = simulation.scene().output.mesh_refinement});
  for (Vec<double, 3>& x : surface.mesh.vertices) x = x + layout.origin;
  return surface;
}

}  // namespace whorl
