// How a scene grows: of every frame, how much there will be, and how many steps it will take.
#pragma once

#include "sim/plan_trials.h"
#include "whorl/frame.h"
#include "whorl/scene.h"

#include <cmath>
#include <span>
#include <vector>

namespace whorl {

// Of a scene, what its size and the number of its steps depend on.
struct StepRule {
  int dimension = 3;
  bool liquid = false;
  bool at_surface = false;  // are its particles alone: of level sets and narrow bands
  double h = 1;             // m
  double cfl = 1;
  double most_cells = 5;                    // that a step can carry fluid, whatever the scene asks for
  double frame = 1;                         // s
  double gravity = 0, tension = 0;          // m/s² and σ/ρ in m³/s²: of liquids alone
  double shortest = 0, longest = HUGE_VAL;  // s, as the scene asks for
  double gained = 0;  // m/s that a step of smoke allows for beside its speed: buoyancy, fire

  // In a frame whose fastest place has that speed, as far as they are known.
  double steps(double speed) const;
};

StepRule step_rule(const SceneFile& scene);

// In cells: those that a liquid fills, all of smoke's.
double size_of(const FrameStatistics& frame, const StepRule& rule);

// Beside the picture that was tried of the scene as it is.
struct PictureGrowth {
  double times_seconds = 1, times_bytes = 1;
  double more_held = 0;  // bytes of memory
};

// Of all frames.
struct Growth {
  std::vector<double> size, cells, particles, steps;
  std::vector<PictureGrowth> pictures;
};

// m/s that steps of smoke were short for beside its speed.
double gained_speed(std::span<const FrameStatistics> frames, const StepRule& rule);

// As the first frames are, and as the last of them from there on.
Growth growth_of(const Trial& first, const StepRule& rule, int frames);

// From a run with coarser cells, corrected by what the first frames are like.
Growth growth_of(const CoarseRun& coarse, const Trial& first, const StepRule& rule);

}  // namespace whorl
