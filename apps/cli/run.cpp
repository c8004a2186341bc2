#include "sim/run.h"

#include "command.h"
#include "plan.h"
#include "progress.h"
#include "sim/kept_scene.h"
#include "sim/run_folder.h"

#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using whorl::Error;
using whorl::ErrorCode;

struct Arguments : SceneArguments {
  std::string stages;
  bool again = false;
  bool resume = false;
  bool kept = false;  // the scene is that of a run in a folder, whose files are worked on
  std::optional<int> from_frame;
  whorl::RunLimits limits;
  bool dry = false;
  ProgressOptions progress;
};

std::string check_stages(const std::string& text) {
  const whorl::Result<whorl::RunStages> stages = whorl::parse_stages(text);
  return stages ? "" : stages.error().message;
}

std::optional<whorl::RunStages> stages_of(const Arguments& arguments) {
  if (arguments.stages.empty()) return {};
  return whorl::parse_stages(arguments.stages).value();
}

// What went wrong, and what there is all the same.
Error with_frames(const whorl::RunReport& report) {
  const Error& error = report.outcome.error();
  if (report.last_frame == 0) return error;
  const char* join = error.code == ErrorCode::interrupted ? ":" : ";";
  const int first = report.first_frame, last = report.frames;
  const std::string frames = last < first ? "no frame is finished"
                             : last == first
                                 ? fmt::format("frame {} is in {}", last, report.folder)
                                 : fmt::format("frames {}-{} are in {}", first, last, report.folder);
  const bool may_go_on = error.code == ErrorCode::interrupted || error.code == ErrorCode::resources;
  const char* way = report.resumable && may_go_on ? "; --resume goes on with it" : "";
  return {error.code, fmt::format("{}{} {}{}", error.message, join, frames, way)};
}

bool goes_on(const Arguments& arguments) {
  return arguments.resume || arguments.from_frame || arguments.kept;
}

// A run to go on with may be named by its folder.
std::string scene_file(const Arguments& arguments) {
  std::error_code ignored;
  if (!goes_on(arguments) || !std::filesystem::is_directory(arguments.scene, ignored)) return arguments.scene;
  return (std::filesystem::path(arguments.scene) / "scene.toml").string();
}

// The scene that a run has kept says itself where the run is; empty for any other.
std::string folder_of_kept(const std::string& text, const std::string& file) {
  if (!whorl::parse_kept(text)) return "";
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

int run_scene(const Arguments& arguments) {
  catch_signals();
  const std::unique_ptr<Progress> progress = make_progress(arguments.progress);
  const auto refuse = [&](const Error& error) {
    progress->on_error(error);
    return int(error.code);
  };
  whorl::RunOptions options;
  options.folder = arguments.output;
  options.threads = arguments.threads;
  options.last_frame = arguments.last_frame();
  options.stages = stages_of(arguments);
  options.again = arguments.again;
  options.resume = arguments.resume;
  options.from_frame = arguments.from_frame;
  options.limits = arguments.limits;

  const std::string file = scene_file(arguments);
  const whorl::Result<std::string> text = whorl::read_text(file);
  if (!text) return refuse(text.error());
  options.scene_text = text.value();
  options.overrides = whorl::with_kept(text.value(), arguments.all_overrides());
  if (goes_on(arguments) && options.folder.empty()) options.folder = folder_of_kept(text.value(), file);
  if (arguments.kept) {
    const FrameRange range = parse_some_frames(arguments.frames).value_or(FrameRange{});
    options.first_frame = range.first;
    options.last_frame = range.last;  // 0: all that there are
  }
  const bool simulates = !options.stages || options.stages->simulate;
  const auto scene = simulates ? whorl::SceneFile::parse(text.value(), file, options.overrides)
                               : whorl::SceneFile::parse_made(text.value(), file, options.overrides);
  if (!scene) return refuse(scene.error());
  if (options.folder.empty()) options.folder = "out/" + scene.value().name();

  whorl::RunReport report = whorl::run(scene.value(), options, *progress);
  if (!report.outcome) refuse(with_frames(report));
  if (report.last_frame > 0) progress->on_end(report);
  return report.outcome ? 0 : int(report.outcome.error().code);
}

// Of run and render.
void add_again(CLI::App& command, bool& again) {
  command.add_flag("--again", again, "Also the frames whose files would become the same");
}

void add_progress_options(CLI::App& command, ProgressOptions& progress) {
  CLI::Option* quiet = command.add_flag("-q,--quiet", progress.quiet, "Tell of errors alone");
  command.add_flag("-v,--verbose", progress.verbose, "Tell of every sub-step, and of seconds by stage")
      ->excludes(quiet);
  command.add_flag("--log-json", progress.json, "Tell everything as JSON, an object a line")->excludes(quiet);
}

}  // namespace

Command add_run(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* run = app.add_subcommand("run", "Simulate a scene, and write volumes, images and a video of it");
  add_scene_arguments(*run, *arguments);
  add_progress_options(*run, arguments->progress);
  run->add_option("--stages", arguments->stages,
                  "Which of simulate, surface, whitewater, render; without simulate, from the particles or "
                  "volumes of an earlier run, where the scene has changed")
      ->type_name("LIST")
      ->check(CLI::Validator(check_stages, ""));
  add_again(*run, arguments->again);
  CLI::Option* resume =
      run->add_flag("--resume", arguments->resume,
                    "Go on with the run in the folder from its newest checkpoint; SCENE may be that folder");
  CLI::Option* from_frame =
      run->add_option(
             "--from-frame", arguments->from_frame,
             "Go on from the newest checkpoint at frame N or before it, with a scene that may have changed")
          ->type_name("N")
          ->check(CLI::Range(0, most_frames));
  run->add_option("--max-divergence", arguments->limits.divergence,
                  "End with exit code 4 where a sub-step leaves more than this, in 1/s")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber);
  run->add_option("--max-volume-drift", arguments->limits.volume_drift,
                  "The same where more than this part of a liquid's volume has come or gone unaccounted")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber);
  run->add_flag("--dry-run", arguments->dry, "Say what it will take, as plan does, and stop")
      ->excludes(resume)
      ->excludes(from_frame)
      ->excludes(run->get_option("--again"));
  return {run, [arguments] {
            return arguments->dry ? plan_scene(*arguments, arguments->progress.quiet, stages_of(*arguments))
                                  : run_scene(*arguments);
          }};
}

Command add_render(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->stages = "render";
  arguments->kept = true;
  CLI::App* render = app.add_subcommand(
      "render", "Make the images of a run anew from its particles or volumes, where the scene has changed");
  render->add_option("DIR", arguments->scene, "The folder of the run")->required();
  add_some_frames(*render, arguments->frames);
  add_repeated_arguments(*render, *arguments);
  add_progress_options(*render, arguments->progress);
  add_again(*render, arguments->again);
  return {render, [arguments] { return run_scene(*arguments); }};
}
