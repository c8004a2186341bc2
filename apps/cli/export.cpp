#include "sim/export.h"

#include "command.h"
#include "scene_arguments.h"
#include "signals.h"
#include "text.h"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

const std::map<std::string, whorl::ExportTarget> targets = {{"blender", whorl::ExportTarget::blender},
                                                            {"houdini", whorl::ExportTarget::houdini}};

struct Arguments {
  std::string folder, output, target, frames;
  std::vector<std::string> overrides;
  bool quiet = false;
};

// A line a frame; on a terminal, one that is written over.
class Progress : public whorl::ExportObserver {
 public:
  explicit Progress(bool quiet) : quiet_(quiet) {}

  void on_frame(int frame, int done, int all) override {
    if (quiet_) return;
    const std::string line = fmt::format("frame {}, {} of {}", frame, done, all);
    put(stdout, on_terminal_ ? "\r" + line + "\033[K" : line + "\n");
  }
  void on_warning(const std::string& message) override { put(stderr, "whorl: warning: " + message + "\n"); }
  bool should_stop() override { return stop_requested(); }
  void clear() const {
    if (!quiet_ && on_terminal_) put(stdout, "\r\033[K");
  }

 private:
  bool quiet_;
  bool on_terminal_ = isatty(STDOUT_FILENO) != 0;
};

int export_frames(const Arguments& arguments) {
  catch_signals();
  whorl::ExportOptions options;
  options.run = arguments.folder;
  options.folder = arguments.output;
  options.target = targets.at(arguments.target);
  options.overrides = arguments.overrides;
  if (const std::optional<FrameRange> range = parse_some_frames(arguments.frames)) {
    options.first_frame = range->first;
    options.last_frame = range->last;
  }
  Progress progress(arguments.quiet);
  const whorl::ExportReport report = whorl::export_run(options, progress);
  progress.clear();
  if (!report.outcome) {
    whorl::Error error = report.outcome.error();
    if (!report.frames.empty())
      error.message += fmt::format("; {} in {}", plural(long(report.frames.size()), "frame"), report.folder);
    return fail(error);
  }
  if (!arguments.quiet)
    put(stdout, fmt::format("{} in {}; open with: {}\n", plural(long(report.frames.size()), "frame"),
                            report.folder, report.script));
  return 0;
}

std::string check_target(const std::string& text) {
  return targets.contains(text) ? "" : fmt::format("'{}' is neither blender nor houdini", text);
}

}  // namespace

Command add_export(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "export", "Write the volumes, meshes and particles of a run as Blender or Houdini opens them");
  command->add_option("DIR", arguments->folder, "The folder of the run")->required();
  command->add_option("--for", arguments->target, "The program: blender or houdini")
      ->type_name("PROGRAM")
      ->required()
      ->check(CLI::Validator(check_target, ""));
  command
      ->add_option("-o,--output", arguments->output,
                   "The folder to write to; else export-blender or export-houdini in DIR")
      ->type_name("DIR2");
  add_some_frames(*command, arguments->frames);
  add_overrides(*command, arguments->overrides);
  command->add_flag("-q,--quiet", arguments->quiet, "Tell of errors alone");
  return {command, [arguments] { return export_frames(*arguments); }};
}
