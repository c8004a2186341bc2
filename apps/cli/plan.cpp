// plan: what a run will take, before it is begun.
#include "plan.h"

#include "command.h"
#include "scene/scene.h"
#include "signals.h"
#include "sim/plan.h"
#include "sim/run_folder.h"
#include "sim/run_room.h"
#include "text.h"

#include <memory>

#include <fmt/format.h>

namespace {

// "1.2 GiB of memory (20 GiB free)", and whether that is enough.
bool say(const char* what, double bytes, std::optional<std::uint64_t> free) {
  const bool fits = !free || bytes <= double(*free);
  fmt::print("  {:<7} {}{}{}\n", what, bytes_text(std::uint64_t(bytes)),
             free ? fmt::format(" ({} free)", bytes_text(*free)) : "", fits ? "" : ": too much");
  return fits;
}

}  // namespace

int plan_scene(const SceneArguments& arguments) {
  catch_signals();
  const whorl::Result<std::string> text = whorl::read_text(arguments.scene);
  if (!text) return fail(text.error());
  const std::uint64_t memory = whorl::available_memory();
  const whorl::Result<whorl::RunPlan> planned = whorl::plan_run({.scene_text = text.value(),
                                                                 .source = arguments.scene,
                                                                 .overrides = arguments.all_overrides(),
                                                                 .threads = arguments.threads,
                                                                 .last_frame = arguments.last_frame(),
                                                                 .should_stop = stop_requested});
  if (!planned) return fail(planned.error());
  const whorl::RunPlan& plan = planned.value();
  for (const std::string& warning : plan.warnings) fmt::print(stderr, "whorl: warning: {}\n", warning);
  fmt::print("{}: {}, at most {} cells{}\n", plan.name, plural(plan.frames, "frame"),
             count_text(plan.most_cells),
             plan.most_particles > 0 ? " and " + count_text(plan.most_particles) + " particles" : "");
  fmt::print("  {:<7} {}\n", "time", duration_text(plan.seconds));
  const std::string folder = arguments.output.empty() ? "out/" + plan.name : arguments.output;
  const bool held = say("memory", plan.memory_bytes, memory ? std::optional(memory) : std::nullopt);
  const bool stored = say("disk", plan.disk_bytes, whorl::free_disk(folder));
  if (held && stored) return 0;
  const char* way = held ? "name another folder with -o, or write less (output.vdb, output.mesh)"
                         : "a coarser grid (--resolution) needs less";
  return fail({whorl::ErrorCode::resources,
               fmt::format("the run would not fit on the {}; {}", held ? "disk" : "machine", way)});
}

Command add_plan(CLI::App& app) {
  const auto arguments = std::make_shared<SceneArguments>();
  CLI::App* plan = app.add_subcommand(
      "plan", "Say how long a run will take, and how much memory and disk, from two short ones");
  add_scene_arguments(*plan, *arguments);
  return {plan, [arguments] { return plan_scene(*arguments); }};
}
