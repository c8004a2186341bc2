// What a run will take, found out by two short ones: the scene as it is for a few frames says what a cell or
// particle of it costs, the scene with coarser cells to its end how many there will be, and how many steps.
#pragma once

#include "whorl/error.h"

#include <functional>
#include <string>
#include <vector>

namespace whorl {

struct PlanOptions {
  std::string scene_text, source;  // and what messages call it
  std::vector<std::string> overrides;
  int threads = 0;       // 0: one a core
  int last_frame = 0;    // 0: what the scene says
  double patience = 10;  // s, that each of the short runs may take, about
  std::function<bool()> should_stop = [] { return false; };
};

struct RunPlan {
  std::string name;
  int frames = 0;
  double seconds = 0;
  double memory_bytes = 0, disk_bytes = 0;
  double most_cells = 0, most_particles = 0;
  std::vector<std::string> warnings;  // of the scene
};

Result<RunPlan> plan_run(const PlanOptions& options);

}  // namespace whorl
