#include "sim/plan.h"

#include "scene/config.h"
#include "sim/plan_costs.h"
#include "sim/plan_growth.h"
#include "sim/plan_trials.h"
#include "sim/scene_content.h"
#include "sim/usage_error.h"

#include <utility>

#include <fmt/format.h>

namespace whorl {
namespace {

// That are there at most: one more than are kept, while it is written.
int checkpoints_of(const SceneFile& scene) {
  const int keep = std::visit([](const auto& s) { return s.checkpoint.keep; }, scene.content().config);
  return keep > 0 ? keep + 1 : 0;
}

// How the scene grows and what that costs, as far as the trials show it.
struct Outlook {
  Growth growth;
  Costs costs;
  std::vector<std::string> warnings;
};

Outlook outlook_of(const Trial& first, const StepRule& rule, int frames) {
  return {growth_of(first, rule, frames), costs_of(first, rule), first.warnings};
}

// Beyond the first frames, with what coarser cells show.
Result<void> look_ahead(Outlook& outlook, const SceneFile& scene, const PlanOptions& options,
                        const Trial& first, const StepRule& rule, int frames) {
  const std::size_t tried = first.frames.size();
  const Result<CoarseRun> coarse = try_coarser_cells(scene, options, first, frames);
  if (coarse) {
    outlook.growth = growth_of(coarse.value(), first, rule);
  } else if (coarse.error().code == ErrorCode::interrupted) {
    return coarse.error();
  } else {
    outlook.warnings.push_back(
        fmt::format("with coarser cells the scene cannot be tried ({}); these figures are as if it stayed "
                    "what it is at frame {}",
                    coarse.error().message, tried));
  }
  if (has_fluid(first, rule.liquid)) return {};
  if (coarse && has_fluid(coarse.value().trial, rule.liquid)) {
    outlook.costs = costs_of(first, coarse.value(), rule);
    outlook.warnings.push_back(
        fmt::format("there is nothing yet at frame {}, the last that was tried; what comes later is thought "
                    "to cost as much as with cells {:.3g} times as large, and the figures are rough",
                    tried, coarse.value().factor));
  } else {
    outlook.warnings.push_back(
        fmt::format("there is nothing yet at frame {}, the last that was tried; what a run takes once there "
                    "is cannot be told, and these figures leave it out",
                    tried));
  }
  return {};
}

}  // namespace

Result<RunPlan> plan_run(const PlanOptions& options) {
  const Result<SceneFile> scene = SceneFile::parse(options.scene_text, options.source, options.overrides);
  if (!scene) return scene.error();
  if (options.stages && !options.stages->simulate)
    return usage_error("what a simulation takes is all that can be told; add simulate to --stages");
  if (options.stages)
    if (const Result<void> fits = check_stages(scene.value(), *options.stages); !fits) return fits.error();
  const int frames = options.last_frame > 0 ? options.last_frame : scene.value().frames();
  const StepRule rule = step_rule(scene.value());
  const Result<Trial> first = try_first_frames(scene.value(), options, frames);
  if (!first) return first.error();
  Outlook outlook = outlook_of(first.value(), rule, frames);
  if (int(first.value().frames.size()) < frames) {
    const Result<void> seen = look_ahead(outlook, scene.value(), options, first.value(), rule, frames);
    if (!seen) return seen.error();
  }
  RunPlan plan = extrapolate(outlook.costs, outlook.growth, rule, checkpoints_of(scene.value()));
  plan.name = scene.value().name();
  plan.frames = frames;
  plan.warnings = std::move(outlook.warnings);
  return plan;
}

}  // namespace whorl
