#include "sim/run.h"

#include "command.h"
#include "progress.h"
#include "sim/run_folder.h"

#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace {

using whorl::Error;
using whorl::ErrorCode;

constexpr int most_frames = 100000;  // of time.frames as well

struct Arguments {
  std::string scene;
  std::string output;
  std::string frames;
  int threads = 0;
  std::string resolution;
  std::string stages;
  std::vector<std::string> overrides;
  ProgressOptions progress;
};

// "24" or "1-24": the first and the last.
struct FrameRange {
  int first = 1, last = 0;
};

std::optional<FrameRange> parse_frames(const std::string& text) {
  const auto number = [](std::string_view digits) {
    int value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = failed == std::errc() && end == digits.data() + digits.size();
    return whole && value >= 1 && value <= most_frames ? value : 0;
  };
  const std::size_t dash = text.find('-');
  FrameRange range;
  if (dash != std::string::npos) range.first = number(std::string_view(text).substr(0, dash));
  range.last = number(std::string_view(text).substr(dash == std::string::npos ? 0 : dash + 1));
  if (range.first < 1 || range.last < range.first) return {};
  return range;
}

std::string check_frames(const std::string& text) {
  const std::optional<FrameRange> range = parse_frames(text);
  if (!range) return fmt::format("'{}' is neither a number of frames nor a range such as 1-24", text);
  if (range->first == 1) return {};
  return fmt::format(
      "'{}' starts after frame 1, and needs a checkpoint to start from, which this version does "
      "not write; use 1-{}",
      text, range->last);
}

std::string check_stages(const std::string& text) {
  const whorl::Result<whorl::RunStages> stages = whorl::parse_stages(text);
  return stages ? "" : stages.error().message;
}

// What went wrong, and what there is all the same.
Error with_frames(const whorl::RunReport& report) {
  const Error& error = report.outcome.error();
  if (report.last_frame == 0) return error;
  const char* join = error.code == ErrorCode::interrupted ? ":" : ";";
  const std::string frames = report.frames == 0 ? "no frame is finished"
                             : report.frames == 1
                                 ? "frame 1 is in " + report.folder
                                 : fmt::format("frames 1-{} are in {}", report.frames, report.folder);
  return {error.code, fmt::format("{}{} {}", error.message, join, frames)};
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
  options.overrides = arguments.overrides;
  if (!arguments.resolution.empty()) options.overrides.push_back("grid.resolution=" + arguments.resolution);
  if (const auto frames = parse_frames(arguments.frames)) options.last_frame = frames->last;
  if (!arguments.stages.empty()) options.stages = whorl::parse_stages(arguments.stages).value();

  const whorl::Result<std::string> text = whorl::read_text(arguments.scene);
  if (!text) return refuse(text.error());
  options.scene_text = text.value();
  const auto scene = whorl::SceneFile::parse(text.value(), arguments.scene, options.overrides);
  if (!scene) return refuse(scene.error());
  if (options.folder.empty()) options.folder = "out/" + scene.value().name();

  whorl::RunReport report = whorl::run(scene.value(), options, *progress);
  if (!report.outcome) refuse(with_frames(report));
  if (report.last_frame > 0) progress->on_end(report);
  return report.outcome ? 0 : int(report.outcome.error().code);
}

}  // namespace

Command add_run(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  const CLI::Validator count(check_count, "");
  CLI::App* run = app.add_subcommand("run", "Simulate a scene, and write volumes, images and a video of it");
  run->add_option("SCENE", arguments->scene, "A scene file")->required();
  run->add_option("-o,--output", arguments->output, "The folder to write to; else out/ and the scene's name")
      ->type_name("DIR");
  run->add_option("--frames", arguments->frames, "How many frames, in the place of the scene's own number")
      ->type_name("N or 1-N")
      ->check(CLI::Validator(check_frames, ""));
  run->add_option("--threads", arguments->threads, "Else one a core; the result does not depend on it")
      ->type_name("N")
      ->check(count);
  run->add_option("--resolution", arguments->resolution, "Cells along the longest side of the domain")
      ->type_name("N")
      ->check(count);
  run->add_option("--stages", arguments->stages,
                  "Which of simulate, surface, whitewater, render; without simulate, from the particles of "
                  "an earlier run")
      ->type_name("LIST")
      ->check(CLI::Validator(check_stages, ""));
  run->add_option("--set", arguments->overrides, "Put a value in the place of the scene's; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* quiet = run->add_flag("-q,--quiet", arguments->progress.quiet, "Tell of errors alone");
  run->add_flag("-v,--verbose", arguments->progress.verbose,
                "Tell of every sub-step, and of seconds by stage")
      ->excludes(quiet);
  run->add_flag("--log-json", arguments->progress.json, "Tell everything as JSON, an object a line")
      ->excludes(quiet);
  return {run, [arguments] { return run_scene(*arguments); }};
}
