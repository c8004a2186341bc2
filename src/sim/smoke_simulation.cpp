#include "sim/smoke_simulation.h"

#include "grid/archive.h"
#include "scene/quantities.h"
#include "sim/forces.h"
#include "sim/frame_steps.h"
#include "sim/initial.h"
#include "sim/meshes.h"
#include "sim/moment.h"
#include "sim/motion.h"
#include "sim/odd_places.h"
#include "sim/smoke_params.h"
#include "sim/state_check.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace whorl {

namespace {

constexpr double float_step = std::numeric_limits<float>::epsilon();

// Velocities are stored as floats: their rounding alone is a divergence of about this, in 1/s.
double divergence_floor(double speed, double h) { return float_step * speed / h; }

template <int D>
bool has_inflow(const Domain<D>& domain) {
  for (const auto& ends : domain.sides)
    for (const Side side : ends)
      if (side == Side::inflow) return true;
  return false;
}

Error diverged(const std::string& what, double t) {
  return {ErrorCode::diverged, fmt::format("at t = {:.6g} s {}", t, what)};
}

}  // namespace

template <int D>
SmokeSimulation<D>::SmokeSimulation(const Scene<D>& scene) : scene_(scene), layout_(grid_layout(scene)) {
  for (const CarriedQuantity& q : quantities_of(scene)) names_.push_back(q.name);
}

template <int D>
Result<SmokeSimulation<D>> SmokeSimulation<D>::create(Exec& ex, const Scene<D>& scene) {
  SmokeSimulation simulation(scene);
  Result<std::vector<std::string>> warnings = load_meshes(ex, simulation.scene_);
  if (!warnings) return warnings.error();
  simulation.warnings_ = std::move(warnings).value();
  for (std::string& found : odd_places(simulation.scene_)) simulation.warnings_.push_back(std::move(found));
  Result<SmokeState<D>> state = initial_smoke(ex, simulation.scene_, simulation.layout_);
  if (!state) return state.error();
  simulation.state_ = std::move(state).value();
  // What is wrong with the first step is told before anything is written.
  const Scene<D>& own = simulation.scene_;  // with formulas of its own
  Result<SmokeParams<D>> params = smoke_params(ex, own, simulation.layout_, 0);
  if (!params) return params.error();
  if (const Result<void> added = add_actors(params.value(), own, simulation.layout_, 0, 1 / own.time.fps);
      !added)
    return added.error();
  fit_to_solids(ex, simulation.state_, params.value());
  double speed = std::max(max_component(ex, simulation.state_.velocity),
                          double(max_inflow_component(simulation.layout_.domain, params.value().inflow)));
  for (const SmokeSource<D>& source : params.value().sources)
    for (const auto& blown : {source.velocity, source.vent})
      for (int a = 0; blown && a < D; ++a)
        speed = std::max(speed, double(std::abs((*blown)[std::size_t(a)].uniform)));
  if (Result<double> tolerance = simulation.tolerance(speed); !tolerance)
    return Error{ErrorCode::invalid_scene, tolerance.error().message};
  return simulation;
}

// The divergence asked for. By default one that floats can hold, however fast the air.
template <int D>
Result<double> SmokeSimulation<D>::tolerance(double speed) const {
  const double floor = divergence_floor(speed, layout_.cell_size);
  const std::optional<double>& asked = scene_.smoke.pressure_tolerance;
  if (!asked) return std::max(1e-3, 8 * floor);
  if (*asked >= floor) return *asked;
  return Error{
      ErrorCode::diverged,
      fmt::format("smoke.pressure_tolerance: found {:.3g} 1/s; velocities are stored as floats, which at "
                  "{:.3g} m/s and cells of {:.3g} m round to a divergence of {:.3g} 1/s; allowed: at "
                  "least that, or leave the key out",
                  *asked, speed, layout_.cell_size, floor)};
}

// How long the next sub-step is, `until` being the time of the frame.
template <int D>
Result<double> SmokeSimulation<D>::next_step(Exec& ex, const SmokeParams<D>& params, double until) const {
  const TimeConfig& time = scene_.time;
  const double left = until - state_.time;
  const StepLimits limits{time.cfl, time.min_step, std::min(left, time.max_step.value_or(left)),
                          solid_speed(left)};
  const double dt = step_length(ex, state_, params, limits);
  if (!std::isfinite(dt)) return diverged("the velocity is no longer finite", state_.time);
  if (dt < 1e-7 / time.fps)
    return diverged(fmt::format("the air is so fast that a time step would be {:.3g} s", dt), state_.time);
  // As many steps as it takes, of one length: a tiny last one would cost as much as the others.
  return left / std::ceil(left / dt - 1e-6);
}

// The fastest corner of the boxes round the solids that move, on average over the time dt.
template <int D>
double SmokeSimulation<D>::solid_speed(double dt) const {
  double fastest = 0;
  for (const SolidConfig<D>& config : scene_.solid) {
    if (config.motion.keys.empty()) continue;
    fastest = std::max(fastest, fastest_corner(solid_over(config, state_.time, dt, layout_.origin)));
  }
  return fastest;
}

template <int D>
Result<double> SmokeSimulation<D>::take_step(Exec& ex, SmokeParams<D>& params, double dt,
                                             FrameStatistics& statistics) {
  const double speed_before = max_component(ex, state_.velocity);
  const Result<double> before = tolerance(speed_before);
  if (!before) return before.error();
  if (const Result<void> added = add_actors(params, scene_, layout_, state_.time, dt); !added)
    return added.error();
  // The rest is for the rounding of what is stored.
  params.projection.solve = {.relative = 0, .absolute = 0.7 * before.value()};
  const double t = state_.time;
  const StepReport report = step(ex, state_, params, dt);
  if (!report.whole) dt = state_.time - t;
  const double speed_after = max_component(ex, state_.velocity);
  if (!report.finite || !std::isfinite(report.pressure.residual + speed_after))
    return diverged("the velocity is no longer finite", t);
  if (!report.diffusion.converged)
    return diverged(fmt::format("diffusion was not solved in {} iterations; take shorter steps "
                                "(time.max_step) or another smoke.diffusion",
                                report.diffusion.iterations),
                    t);
  // What was stored may be faster than what there was before: floats then hold less of it.
  const Result<double> asked = tolerance(std::max(speed_after, speed_before));
  if (!asked) return asked.error();

  statistics.pressure_iterations += report.pressure.iterations;
  statistics.pressure_residual = std::max(statistics.pressure_residual, report.pressure.residual);
  statistics.max_divergence = report.pressure.residual;
  statistics.pressure_tolerance = asked.value();
  statistics.dt_min = statistics.substeps ? std::min(statistics.dt_min, dt) : dt;
  statistics.dt_max = std::max(statistics.dt_max, dt);
  ++statistics.substeps;
  // What solids and fires squeeze out of a closed region goes into the ledger; what a side or a source blows
  // into one is a mistake.
  bool squeezed = scene_.fire.has_value();
  for (const SolidConfig<D>& solid : scene_.solid) squeezed = squeezed || !solid.motion.keys.empty();
  const bool sources_blow = state_.expansion.topology() != nullptr;
  if (report.pressure.imbalance > asked.value() && !squeezed && (has_inflow(layout_.domain) || sources_blow))
    return diverged(
        fmt::format("{}, {:.3g} of the volume a second, and no side is open; make one open",
                    sources_blow ? "what sources blow in or take away cannot leave or come from elsewhere"
                                 : "more air comes in than goes out",
                    report.pressure.imbalance),
        t);
  statistics.given_up += report.pressure.imbalance_total * dt;
  if (report.pressure.residual <= asked.value()) return dt;
  return diverged(
      fmt::format("the pressure solve left a divergence of {:.3g} 1/s after {} iterations, where {:.3g} "
                  "was asked for (smoke.pressure_tolerance)",
                  report.pressure.residual, report.pressure.iterations, asked.value()),
      t);
}

template <int D>
Result<FrameStatistics> SmokeSimulation<D>::advance(
    Exec& ex, const std::function<bool(const StepProgress&)>& after_step) {
  FrameStatistics& statistics = under_way_;  // it goes on where it was interrupted
  statistics.frame = frame_ + 1;
  ex.profile().clear();
  const Result<void> taken = take_steps_of_frame(
      statistics, scene_.time.fps, state_.time, after_step,
      [&](double until) -> Result<double> {
        Result<SmokeParams<D>> params = smoke_params(ex, scene_, layout_, state_.time);
        if (!params) return params.error();
        if (const Result<void> formulas = check_formulas(ex, scene_, layout_, state_.topology(), state_.time);
            !formulas)
          return formulas.error();
        const Result<double> dt = next_step(ex, params.value(), until);
        return dt ? take_step(ex, params.value(), dt.value(), statistics) : dt;
      },
      [&] { return state_.topology()->active_cells(); });
  if (!taken) return taken.error();
  ++frame_;
  measure(ex, statistics);
  return std::exchange(under_way_, {});
}

template <int D>
SmokeSimulation<D> SmokeSimulation<D>::without_state() const {
  SmokeSimulation copy(scene_);
  copy.warnings_ = warnings_;
  return copy;
}

template <int D>
std::string SmokeSimulation<D>::wrong_with_state() const {
  const std::string wrong = wrong_with_time(frame_, state_.time, scene_.time.fps);
  return wrong.empty() ? wrong_with(state_, layout_.domain, names_.size()) : wrong;
}

template <int D>
void SmokeSimulation<D>::measure(Exec& ex, FrameStatistics& statistics) const {
  {
    const Zone zone(ex.profile(), "measure");
    const double h = layout_.cell_size;
    statistics.time = state_.time;
    statistics.active_tiles = state_.topology()->active_tiles();
    statistics.active_cells = state_.topology()->active_cells();
    statistics.particles = std::int64_t(state_.vortices.size());
    statistics.mass = {{"density", integral(ex, state_.density, h)}};
    for (std::size_t k = 0; k < state_.others.size(); ++k)
      statistics.mass.emplace_back(names_[k], integral(ex, state_.others[k], h));
    statistics.kinetic_energy = kinetic_energy(ex, state_.velocity, h);
    statistics.momentum = in_space(momentum(ex, state_.velocity, h));
    statistics.angular_momentum = in_space(angular_momentum<D>(ex, state_.velocity, layout_.origin, h));
    statistics.center_of_mass = in_space(center_of_mass(ex, state_.density, layout_.origin, h));
    statistics.max_speed = max_speed(ex, state_.velocity);
    statistics.injected = state_.injected;
    statistics.drained = state_.left;
    statistics.corrected = state_.corrected;
    statistics.state_hash = state_hash(ex, state_);
  }
  statistics.seconds = stage_seconds(ex.profile());
  statistics.peak_memory_bytes = peak_memory();
}

template <int D>
Snapshot<D> SmokeSimulation<D>::snapshot() const {
  Snapshot<D> s = moment_of(scene_, frame_, state_.time);
  s.scalars = {{"density", &state_.density}, {"temperature", &state_.temperature}};
  for (std::size_t k = 0; k < state_.others.size(); ++k) s.scalars.push_back({names_[k], &state_.others[k]});
  s.velocity = &state_.velocity;
  return s;
}

template <int D>
std::vector<Shape<D>> SmokeSimulation<D>::solids() const {
  return solids_at(scene_, state_.time);
}

template class SmokeSimulation<2>;
template class SmokeSimulation<3>;

}  // namespace whorl
