// How a run is told of: a bar, a line a frame, JSON, or not at all.
#pragma once

#include "command.h"
#include "signals.h"
#include "sim/run.h"

#include <memory>

// By itself, the quiet one: errors alone.
class Progress : public whorl::RunObserver {
 public:
  bool should_stop() override { return stop_requested(); }
  virtual void on_error(const whorl::Error& error) { fail(error); }
  virtual void on_end(const whorl::RunReport&) {}  // of a run that began
};

struct ProgressOptions {
  bool quiet = false;
  bool verbose = false;  // sub-steps, and seconds by stage
  bool json = false;
};

std::unique_ptr<Progress> make_progress(const ProgressOptions& options);

// The kinds, for make_progress to choose from.
std::unique_ptr<Progress> make_lines(bool verbose);
std::unique_ptr<Progress> make_bar();
std::unique_ptr<Progress> make_json(bool verbose);

// "plume: 120 frames in 83 s, in out/plume; video: out/plume/plume.mp4"
std::string end_line(const whorl::RunReport& report);
std::string start_line(const whorl::RunStart& start);  // empty where there is nothing to tell
