// The dam break that `whorl bench liquid` measures: a block of water at rest, half as wide and half as high
// as the unit cube that it is let go in. All sides are walls. bench/peers/blender.py has the same.
#pragma once

#include "base/profile.h"
#include "whorl/error.h"

#include <vector>

namespace whorl::bench {

inline constexpr double dam_height = 0.5;     // m, and its width
inline constexpr double dam_frame = 1. / 60;  // s
inline constexpr int dam_front_frame = 8;     // it is on its way to the far wall then

struct DamRun {
  int n = 64;       // cells along each side
  int threads = 0;  // 0: one a core
  int warm_up = 1;  // frames that are not measured …
  int frames = 20;  // … and those that are
  int band = 0;     // cells below the surface that have particles; 0: all have
};

// Of all measured frames, unless it says otherwise.
struct DamFigures {
  double seconds = 0;  // choosing the steps' lengths included
  int steps = 0;
  double particle_steps = 0;  // the number of particles, summed over the steps …
  double cell_steps = 0;      // … and that of active cells
  int iterations = 0;         // of all pressure solves
  double peak_bytes = 0;      // the most that was held
  std::vector<Profile::Entry> stages;
  double centre = 0;  // of the water's mass at the end, metres above the floor
  double front = 0;   // m, how far the water has got when it has run for dam_front_frame frames
};

// APIC, 8 particles a cell, CFL 4, everything else as a scene has it that says nothing. An error where a
// pressure solve does not converge.
Result<DamFigures> run_dam(const DamRun& run);

}  // namespace whorl::bench
