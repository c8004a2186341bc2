#include "progress.h"

#include "text.h"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace {

class Lines : public Progress {
 public:
  explicit Lines(bool verbose) : verbose_(verbose) {}

  void on_start(const whorl::RunStart& start) override {
    last_frame_ = start.last_frame;
    put(stdout, start_line(start));
  }

  void on_step(const whorl::StepProgress& step) override {
    if (verbose_)
      put(stdout, fmt::format("  frame {}, sub-step {}: {:.3g} s, {}, {} cells, {:.0f} % of the frame\n",
                              step.frame, step.substep, step.dt, plural(step.iterations, "iteration"),
                              count_text(double(step.active_cells)), 100 * step.progress));
  }

  void on_frame(const whorl::FrameStatistics& frame, double seconds) override {
    // One that was not simulated has no sub-steps.
    const std::string kept = frame.particles > 0 ? count_text(double(frame.particles)) + " particles"
                                                 : count_text(double(frame.active_cells)) + " cells";
    const std::string work = frame.substeps == 0
                                 ? kept
                                 : fmt::format("{}, {}, {} cells", plural(frame.substeps, "sub-step"),
                                               plural(frame.pressure_iterations, "iteration"),
                                               count_text(double(frame.active_cells)));
    put(stdout, fmt::format("frame {}/{}: {}, {}, {}\n", frame.frame, last_frame_, work,
                            bytes_text(frame.peak_memory_bytes), duration_text(seconds)));
  }

  void on_warning(const std::string& message) override { put(stderr, "whorl: warning: " + message + "\n"); }

  void on_end(const whorl::RunReport& report) override {
    if (verbose_ && report.frames > 0) put(stdout, stage_lines(report));
    if (report.outcome) put(stdout, end_line(report));
  }

 private:
  static std::string stage_lines(const whorl::RunReport& report) {
    std::string lines = "seconds by stage:\n";
    for (const auto& [stage, seconds] : report.by_stage)
      if (stage != whorl::total_stage) lines += fmt::format("{:>12.3f}  {}\n", seconds, stage);
    return lines + fmt::format("{:>12.3f}  in all, by the clock\n", report.seconds);
  }

  bool verbose_;
  int last_frame_ = 0;
};

bool on_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && kind && *kind && std::string_view(kind) != "dumb";
}

// "video", for the end of a line
const char* kind_of(std::string_view file) {
  if (file.ends_with(".mp4")) return "video";
  if (file.ends_with(".png") || file.ends_with(".exr")) return "image";
  if (file.ends_with(".ply")) return file.find("/mesh/") == file.npos ? "particles" : "mesh";
  return file.ends_with(".vdb") ? "volume" : "statistics";
}

}  // namespace

std::unique_ptr<Progress> make_lines(bool verbose) { return std::make_unique<Lines>(verbose); }

std::unique_ptr<Progress> make_progress(const ProgressOptions& options) {
  if (options.json) return make_json(options.verbose);
  if (options.quiet) return std::make_unique<Progress>();
  if (!options.verbose && on_terminal()) return make_bar();
  return make_lines(options.verbose);
}

std::string start_line(const whorl::RunStart& start) {
  if (start.resumed)
    return fmt::format("going on after frame {} of the run in {}\n", *start.resumed, start.folder);
  if (start.replaced == 0) return {};
  const char* again =
      start.replaced_unfinished ? " that was not finished; --resume would have gone on with it" : "";
  return fmt::format("replacing {} of an earlier run in {}{}\n", plural(start.replaced, "frame"),
                     start.folder, again);
}

std::string end_line(const whorl::RunReport& report) {
  const int frames = report.frames - report.first_frame + 1;
  const std::string kept =
      report.kept == 0 ? ""
                       : fmt::format(" ({} as before: nothing has changed for {}; --again makes {} anew)",
                                     report.kept == frames ? "all" : std::to_string(report.kept),
                                     report.kept == 1 ? "it" : "them", report.kept == 1 ? "it" : "them");
  return fmt::format("{}: {}{} in {}, in {}; {}: {}\n", report.name, plural(frames, "frame"), kept,
                     duration_text(report.seconds), report.folder, kind_of(report.show), report.show);
}
