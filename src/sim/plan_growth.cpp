#include "sim/plan_growth.h"

#include "scene/config.h"
#include "sim/scene_content.h"
#include "solvers/liquid_parts.h"
#include "stages/advect.h"
#include "stages/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace whorl {
namespace {

// As step_length() of smoke has it: one that reflects goes its way in two parts.
template <int D>
double most_cells_of_smoke(const SmokeConfig<D>& smoke) {
  const bool by_maps = smoke.velocity_advection.value_or(smoke.advection.scheme) == AdvectionScheme::bimocq;
  const bool reflects = smoke.energy == EnergyScheme::reflection && !by_maps;
  return (reflects ? 2 : 1) * (double(max_displacement(smoke.advection.interpolation)) - 0.01);
}

template <int D>
StepRule rule_of(const Scene<D>& s) {
  StepRule rule;
  rule.dimension = D;
  rule.liquid = s.solver == SolverKind::liquid;
  rule.h = grid_layout(s).cell_size;
  rule.most_cells = rule.liquid ? most_cells_a_step : most_cells_of_smoke(s.smoke);
  rule.cfl = std::min(s.time.cfl, rule.most_cells);
  rule.frame = 1 / s.time.fps;
  rule.shortest = s.time.min_step;
  rule.longest = s.time.max_step.value_or(rule.frame);
  if (rule.liquid) {
    rule.at_surface = s.liquid.surface == LiquidSurface::level_set || s.liquid.narrow_band;
    rule.gravity = length(s.gravity.at(Vec<double, D>{}, 0));
    rule.tension = s.liquid.surface_tension / s.liquid.density;
  }
  return rule;
}

double least_steps(const StepRule& rule) { return std::ceil(std::max(1., rule.frame / rule.longest - 1e-6)); }

// The later half of the frames that have fluid: where it starts there may be no flow to speak of.
std::size_t settled_from(std::span<const FrameStatistics> frames, const StepRule& rule) {
  std::size_t from = 0;
  while (from < frames.size() && !has_fluid(frames[from], rule.liquid)) ++from;
  return from + (frames.size() - from) / 2;
}

// How much faster the scene as it is flows than with coarser cells.
double speed_beside(const CoarseRun& coarse, const Trial& first, const StepRule& rule) {
  double fine = 0, rough = 0;
  for (std::size_t k = settled_from(first.frames, rule); k < first.frames.size(); ++k) {
    fine += first.frames[k].max_speed;
    rough += coarse.trial.frames[k].max_speed;
  }
  return rough > 0 && fine > 0 ? std::clamp(fine / rough, 0.5, 2.) : 1;
}

// How many times as many steps as the rule says have been taken.
double steps_beside_rule(const Trial& trial, const StepRule& rule) {
  double steps = 0, expected = 0;
  for (const FrameStatistics& frame : trial.frames) {
    if (!has_fluid(frame, rule.liquid)) continue;
    steps += frame.substeps;
    expected += rule.steps(frame.max_speed);
  }
  return expected > 0 ? std::clamp(steps / expected, 0.25, 4.) : 1;
}

// Between pictures that were tried it changes evenly.
double between(const std::map<int, Written>& tried, double Written::*what, int frame) {
  const auto after = tried.lower_bound(frame);
  const auto before = after == tried.begin() ? after : std::prev(after);
  const auto last = after == tried.end() ? before : after;
  const double t = last == before ? 0 : double(frame - before->first) / double(last->first - before->first);
  return (1 - t) * before->second.*what + t * last->second.*what;
}

PictureGrowth picture_growth(const CoarseRun& coarse, const StepRule& rule, int frame) {
  const std::map<int, Written>& tried = coarse.pictures;
  if (tried.empty()) return {};
  const Written& one = tried.begin()->second;  // of the frame that the scene as it is has been pictured in
  // Of a liquid, pictures hold the surface.
  const double finer = std::pow(coarse.factor, rule.dimension - int(rule.liquid));
  return {between(tried, &Written::seconds, frame) / std::max(one.seconds, 1e-6),
          between(tried, &Written::bytes, frame) / std::max(one.bytes, 1.),
          (between(tried, &Written::held, frame) - one.held) * finer};
}

// By what dimension the number of particles goes: a liquid fills space with them or its surface, and of smoke
// they are seeded by the second, whatever its cells.
int dimension_of_particles(const StepRule& rule) {
  if (!rule.liquid) return 0;
  return rule.dimension - int(rule.at_surface);
}

// The last frame that has fluid.
std::optional<std::size_t> last_with_fluid(const Trial& trial, const StepRule& rule) {
  for (std::size_t k = trial.frames.size(); k-- > 0;)
    if (has_fluid(trial.frames[k], rule.liquid)) return k;
  return {};
}

// Makes all values fit one that is known. Coarse cells show a volume well. A band along the surface they may
// have too few for: its particles come out as of any dimension from one less to one more.
void match_growth(Growth& growth, const Trial& first, const StepRule& rule, double factor) {
  const std::optional<std::size_t> known = last_with_fluid(first, rule);
  if (!known) return;
  const FrameStatistics& frame = first.frames[*known];
  const auto match = [&](std::vector<double>& values, double is, double most) {
    const double larger = values[*known] > 0 ? std::clamp(is / values[*known], 1 / most, most) : 1;
    for (double& value : values) value *= larger;
  };
  match(growth.size, size_of(frame, rule), 2);
  match(growth.cells, double(frame.active_cells), 2);
  match(growth.particles, double(frame.particles), rule.at_surface ? std::max(factor, 2.) : 2);
}

void put_in_known(Growth& growth, const Trial& first, const StepRule& rule) {
  for (std::size_t k = 0; k < first.frames.size(); ++k) {
    const FrameStatistics& frame = first.frames[k];
    growth.size[k] = size_of(frame, rule);
    growth.cells[k] = double(frame.active_cells);
    growth.particles[k] = double(frame.particles);
    growth.steps[k] = frame.substeps;
  }
}

}  // namespace

double StepRule::steps(double speed) const {
  const auto step_of = [&](double cells, double u) {
    const double dt =
        liquid ? std::min(time_for(cells, u, gravity, h), smooth_capillary_step(h, tension)) : cells * h / u;
    return std::min({dt, longest, frame});
  };
  // The shortest step asked for wins over cfl, but not over what one step can carry.
  const double dt = std::max(step_of(cfl, speed + gained), std::min(shortest, step_of(most_cells, speed)));
  return std::ceil(frame / dt - 1e-6);
}

StepRule step_rule(const SceneFile& scene) {
  return std::visit([](const auto& s) { return rule_of(s); }, scene.content().config);
}

double size_of(const FrameStatistics& frame, const StepRule& rule) {
  return rule.liquid ? frame.liquid_volume / std::pow(rule.h, rule.dimension) : double(frame.active_cells);
}

// Each frame's number of steps says between which speeds it is; all of them together say most. As many steps
// as the longest one asks for say nothing of how fast it is at least, as few as the shortest does nothing of
// how fast at most.
double gained_speed(std::span<const FrameStatistics> frames, const StepRule& rule) {
  const double a_step = rule.cfl * rule.h / rule.frame;  // m/s, for one more
  double low = 0, high = HUGE_VAL;
  for (const FrameStatistics& frame : frames.subspan(settled_from(frames, rule))) {
    if (frame.substeps > least_steps(rule))
      low = std::max(low, (frame.substeps - 1) * a_step - frame.max_speed);
    if (frame.substeps * rule.shortest < rule.frame * (1 - 1e-6))
      high = std::min(high, frame.substeps * a_step - frame.max_speed);
  }
  // The slowest frames, which are the first, say it best. They say it to a step or better, but for limits.
  return std::max(low + 0.25 * std::min(high - low, a_step), 0.);
}

Growth growth_of(const Trial& first, const StepRule& rule, int frames) {
  Growth growth;
  for (int k = 0; k < frames; ++k) {
    const FrameStatistics& like = first.frames[std::min(std::size_t(k), first.frames.size() - 1)];
    growth.size.push_back(size_of(like, rule));
    growth.cells.push_back(double(like.active_cells));
    growth.particles.push_back(double(like.particles));
    growth.steps.push_back(like.substeps);
    growth.pictures.emplace_back();
  }
  return growth;
}

Growth growth_of(const CoarseRun& coarse, const Trial& first, const StepRule& scene) {
  StepRule rule = scene, rough = scene;
  rough.h *= coarse.factor;
  const bool known = has_fluid(first, rule.liquid);
  const Trial& seen = known ? first : coarse.trial;
  const StepRule& seen_by = known ? rule : rough;
  // Smoke's rule is fitted; what a force adds within a step goes with the root of the way.
  double corrected = 1;
  if (rule.liquid)
    corrected = steps_beside_rule(seen, seen_by);
  else
    rule.gained = gained_speed(seen.frames, seen_by) * std::sqrt(rule.h / seen_by.h);
  const double faster = speed_beside(coarse, first, rule);
  const double finer = std::pow(coarse.factor, rule.dimension);
  Growth growth;
  for (const FrameStatistics& frame : coarse.trial.frames) {
    growth.size.push_back(size_of(frame, rough) * finer);
    growth.cells.push_back(double(frame.active_cells) * finer);
    growth.particles.push_back(double(frame.particles) *
                               std::pow(coarse.factor, dimension_of_particles(rule)));
    growth.steps.push_back(std::max(corrected * rule.steps(faster * frame.max_speed), least_steps(rule)));
    growth.pictures.push_back(picture_growth(coarse, rule, frame.frame));
  }
  match_growth(growth, first, rule, coarse.factor);
  put_in_known(growth, first, rule);
  return growth;
}

}  // namespace whorl
