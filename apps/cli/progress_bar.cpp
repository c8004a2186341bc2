// One line on a terminal, written over as the run goes on.
#include "progress.h"
#include "sim/time_left.h"
#include "text.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string left_text(double seconds) {
  return (seconds < 59.5 ? fmt::format("{:.0f} s", seconds) : duration_text(seconds)) + " left";
}

// A bar, and behind it as many of the parts as fit, the first ones first.
std::string fit(double done, const std::vector<std::string>& parts, std::size_t width) {
  std::string line;
  if (width >= 40) {
    const std::size_t bar = std::clamp<std::size_t>(width / 4, 10, 30);
    const std::size_t full = std::min(bar, std::size_t(done * double(bar)));
    line = fmt::format("[{}{}] ", std::string(full, '#'), std::string(bar - full, '-'));
  }
  const char* join = "";
  for (const std::string& part : parts) {
    const std::string longer = line + join + part;
    if (longer.size() > width) break;
    line = longer;
    join = ", ";
  }
  return line;
}

class Bar : public Progress {
 public:
  void on_start(const whorl::RunStart& start) override {
    last_frame_ = start.last_frame;
    put(stdout, start_line(start));
    draw({.frame = std::min(start.resumed.value_or(0) + 1, last_frame_)});
  }

  void on_step(const whorl::StepProgress& step) override {
    if (Clock::now() - drawn_ > std::chrono::milliseconds(100)) draw(step);
  }

  void on_frame(const whorl::FrameStatistics& frame, double seconds) override {
    time_left_.frame_took(seconds);
    memory_ = frame.peak_memory_bytes;
    if (frame.substeps == 0 && frame.frame < last_frame_) draw({.frame = frame.frame + 1});
  }

  void on_video() override { show("making the video"); }

  void on_warning(const std::string& message) override {
    clear();
    put(stderr, "whorl: warning: " + message + "\n");
  }

  void on_error(const whorl::Error& error) override {
    clear();
    fail(error);
  }

  void on_end(const whorl::RunReport& report) override {
    clear();
    if (report.outcome) put(stdout, end_line(report));
  }

 private:
  void draw(const whorl::StepProgress& step) {
    drawn_ = Clock::now();
    const double frames = step.frame - 1 + step.progress;
    std::vector<std::string> parts = {fmt::format("frame {}/{}", step.frame, last_frame_)};
    if (const std::optional<double> left = time_left_.seconds(last_frame_ - frames))
      parts.push_back(left_text(*left));
    if (step.substep > 0) {
      parts.push_back(count_text(double(step.active_cells)) + " cells");
      parts.push_back(plural(step.substep, "sub-step"));
      parts.push_back(plural(step.iterations, "iteration"));
    }
    if (memory_ > 0) parts.push_back(bytes_text(memory_));
    show(fit(frames / last_frame_, parts, terminal_width() - 1));  // a full line may wrap
  }

  void show(const std::string& line) {
    put(stdout, "\r" + line + "\033[K");
    shown_ = true;
  }

  void clear() {
    if (shown_) put(stdout, "\r\033[K");
    shown_ = false;
  }

  int last_frame_ = 0;
  std::uint64_t memory_ = 0;
  whorl::TimeLeft time_left_;
  Clock::time_point drawn_;
  bool shown_ = false;
};

}  // namespace

std::unique_ptr<Progress> make_bar() { return std::make_unique<Bar>(); }
