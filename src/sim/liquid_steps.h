// What liquids have in common from step to step, whatever carries them.
#pragma once

#include "linear/solve_report.h"
#include "scene/config.h"
#include "sim/liquid_params.h"
#include "solvers/liquid_parts.h"
#include "whorl/simulation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>

namespace whorl {

inline Error diverged(const std::string& what, double t) {
  return {ErrorCode::diverged, fmt::format("at t = {:.6g} s {}", t, what)};
}

// How long the next step is, so that some steps of that length end at `until`. step_at(cfl, longest) is what
// the solver says.
template <int D, class StepAt>
Result<double> next_liquid_step(const Scene<D>& scene, double h, double now, double until,
                                const StepAt& step_at) {
  const TimeConfig& time = scene.time;
  const double left = until - now, longest = std::min(left, time.max_step.value_or(left));
  const Result<double> actors = fastest_actor(scene, now, left);
  if (!actors) return actors.error();
  const auto step_of = [&](double cfl) {
    const double dt = step_at(cfl, longest), speed = actors.value();
    return speed > 0 ? std::min(dt, std::min(cfl, most_cells_a_step) * h / speed) : dt;
  };
  double dt = step_of(time.cfl);
  if (!std::isfinite(dt)) return diverged("the velocity is no longer finite", now);
  // It wins over cfl, but not over what one step can carry.
  dt = std::max(dt, std::min(time.min_step, step_of(most_cells_a_step)));
  if (dt < 1e-7 / time.fps)
    return diverged(fmt::format("the liquid is so fast that a time step would be {:.3g} s", dt), now);
  return left / std::ceil(left / dt - 1e-6);
}

// Adds what a step from t on says of its solve; an error where that will not do.
inline Result<void> note_step(FrameStatistics& statistics, const SolveReport& report,
                              const LiquidConfig& liquid, double t, double dt) {
  if (!std::isfinite(report.residual)) return diverged("the velocity is no longer finite", t);
  statistics.pressure_iterations += report.iterations;
  statistics.pressure_residual = std::max(statistics.pressure_residual, report.residual);
  statistics.max_divergence = report.residual;
  statistics.pressure_tolerance = liquid.pressure_tolerance.value_or(report.residual);
  statistics.dt_min = statistics.substeps ? std::min(statistics.dt_min, dt) : dt;
  statistics.dt_max = std::max(statistics.dt_max, dt);
  statistics.given_up += report.imbalance_total * dt;
  ++statistics.substeps;
  if (report.converged && !(liquid.pressure_tolerance && report.residual > *liquid.pressure_tolerance))
    return {};
  return diverged(fmt::format("the pressure solve left a divergence of {:.3g} 1/s after {} iterations; a "
                              "larger liquid.pressure_tolerance may do, or shorter steps (time.cfl)",
                              report.residual, report.iterations),
                  t);
}

}  // namespace whorl
