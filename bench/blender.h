// The same plume in Blender's Mantaflow (bench/peers/blender.py), a step a frame.
#pragma once

#include "whorl/error.h"

#include <array>
#include <vector>

namespace whorl::bench {

struct BlenderRun {
  int n = 64;
  int threads = 0;              // 0: one a core
  std::vector<double> lengths;  // of the steps, s
  int warm_up = 20;             // of them
  double timeout_s = 300;
};

// Of the fastest of the measured frames, unless it says otherwise.
struct BlenderFigures {
  double frame_seconds = 0;     // all of it
  double step_seconds = 0;      // Mantaflow's step alone: no emission from the mesh, no files
  double pressure_seconds = 0;  // of that, the pressure solve
  double write_seconds = 0;     // the cache's files, which Blender writes after every step
  double mean_seconds = 0;      // of the measured frames
  std::array<int, 3> resolution{};
  double smoke = 0;         // the sum of its density at the end …
  double centre = 0;        // … and the centre of its mass, metres above the floor
  double bytes = 0;         // resident pages at their peak, less those before there was a domain
  double displacement = 0;  // cells that the fastest air would cross in the last step
  int iterations = 0;       // of the pressure solve in one more step …
  double residual = 0;      // … and its worst residual as a part of the worst entry of the right side
};

// The message of an error says in a few words why there is no result: that Blender is not installed, that it
// ran out of time, or that what it simulated is not this plume.
Result<BlenderFigures> run_blender(const BlenderRun& run);

}  // namespace whorl::bench
