// What a run will take, found out by two short ones: the scene as it is for a few frames says what a cell or
// particle of it costs, the scene with coarser cells to its end how many there will be, and how many steps.
#pragma once

#include "sim/run_stages.h"
#include "whorl/error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace whorl {

// A frame of one of the short runs that is about to be simulated.
struct PlanProgress {
  int larger = 1;  // cells, times as large as the scene's own
  int frame = 1, frames = 0;
};

struct PlanOptions {
  std::string scene_text, source;  // and what messages call it
  std::vector<std::string> overrides;
  std::string folder = ".";  // of the run to be: files are tried out beside it, on its disk, and removed
  int threads = 0;           // 0: one a core
  int last_frame = 0;        // 0: what the scene says
  std::optional<RunStages> stages = {};  // none: what the scene asks for
  // s, after which the scene as it is goes on for no more frames, and which the larger cells are chosen for.
  // Two frames of the one, and all of the other with cells `coarsest` times as large, are simulated anyway.
  // Of a scene that is empty at first, the one goes on until two frames have fluid, while patience lasts.
  double patience = 10;
  int coarsest = 8;
  std::function<void(const PlanProgress&)> on_frame = [](const PlanProgress&) {};
  std::function<bool()> should_stop = [] { return false; };
};

struct RunPlan {
  std::string name;
  int frames = 0;
  double steps = 0, seconds = 0;
  double memory_bytes = 0, disk_bytes = 0;
  double most_cells = 0, most_particles = 0;
  std::vector<std::string> warnings;  // of the scene, and of what could not be tried
};

Result<RunPlan> plan_run(const PlanOptions& options);

}  // namespace whorl
