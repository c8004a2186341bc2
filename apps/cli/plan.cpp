// plan: what a run will take, before it is begun.
#include "plan.h"

#include "command.h"
#include "scene/scene.h"
#include "signals.h"
#include "sim/plan.h"
#include "sim/run_folder.h"
#include "sim/run_room.h"
#include "text.h"
#include "whorl/simulation.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

// "1.2 GiB of memory (20 GiB free)", and whether that is enough.
bool say(const char* what, double bytes, std::optional<std::uint64_t> free) {
  const bool fits = !free || bytes <= double(*free);
  fmt::print("  {:<7} {}{}{}\n", what, bytes_text(std::uint64_t(bytes)),
             free ? fmt::format(" ({} free)", bytes_text(*free)) : "", fits ? "" : ": too much");
  return fits;
}

// What is being tried, on stderr: on a terminal a line that is written over, else one for each short run.
class Trials {
 public:
  explicit Trials(bool quiet) : quiet_(quiet) {}
  void show(const whorl::PlanProgress& now) {
    if (quiet_ || (!on_terminal_ && now.larger == shown_)) return;
    shown_ = now.larger;
    const std::string cells =
        now.larger == 1 ? "the cells that it has" : fmt::format("cells {} times as large", now.larger);
    put(stderr, on_terminal_
                    ? fmt::format("\rtrying the scene with {}: frame {} of {}\033[K", cells, now.frame,
                                  now.larger == 1 ? "the first few" : std::to_string(now.frames))
                    : fmt::format("trying the scene with {}\n", cells));
  }
  void clear() const {
    if (shown_ && on_terminal_) put(stderr, "\r\033[K");
  }

 private:
  bool quiet_;
  bool on_terminal_ = isatty(STDERR_FILENO) != 0;
  int shown_ = 0;
};

}  // namespace

int plan_scene(const SceneArguments& arguments, bool quiet, std::optional<whorl::RunStages> stages) {
  catch_signals();
  const whorl::Result<std::string> text = whorl::read_text(arguments.scene);
  if (!text) return fail(text.error());
  const std::uint64_t memory = whorl::available_memory();
  const auto scene = whorl::SceneFile::parse(text.value(), arguments.scene, arguments.all_overrides());
  if (!scene) return fail(scene.error());
  const std::string folder = arguments.output.empty() ? "out/" + scene.value().name() : arguments.output;
  Trials trials(quiet);
  const whorl::Result<whorl::RunPlan> planned =
      whorl::plan_run({.scene_text = text.value(),
                       .source = arguments.scene,
                       .overrides = arguments.all_overrides(),
                       .folder = folder,
                       .threads = arguments.threads,
                       .last_frame = arguments.last_frame(),
                       .stages = stages,
                       .on_frame = [&](const auto& now) { trials.show(now); },
                       .should_stop = stop_requested});
  trials.clear();
  if (!planned) return fail(planned.error());
  const whorl::RunPlan& plan = planned.value();
  for (const std::string& warning : plan.warnings) fmt::print(stderr, "whorl: warning: {}\n", warning);
  fmt::print("{}: {}, about {:.0f} steps, at most {} cells{}\n", plan.name, plural(plan.frames, "frame"),
             plan.steps, count_text(plan.most_cells),
             plan.most_particles > 0 ? " and " + count_text(plan.most_particles) + " particles" : "");
  fmt::print("  {:<7} {}\n", "time", duration_text(plan.seconds));
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
  const auto quiet = std::make_shared<bool>(false);
  plan->add_flag("-q,--quiet", *quiet, "Tell of the figures and of errors alone");
  return {plan, [arguments, quiet] { return plan_scene(*arguments, *quiet); }};
}
