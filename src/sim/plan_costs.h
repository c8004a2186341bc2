// What a cell, a particle or a picture takes, found out by a trial, and what all frames together do.
#pragma once

#include "sim/plan.h"
#include "sim/plan_growth.h"
#include "sim/plan_trials.h"

namespace whorl {

// Nothing, for what a trial without fluid cannot say.
struct Costs {
  double step_seconds = 0;            // for each unit of work_of()
  double before = 0, at_most = 0;     // bytes held without fluid, and in the trial
  double memory = 0, checkpoint = 0;  // bytes, for each of weight_of()
  double between = 1;                 // the part of that memory which steps leave held
  FrameFiles files = {};  // of_size for each cell, of_surface and whitewater for each of its surface
  // A frame without fluid, as far as one was tried.
  double empty_frame_seconds = 0, empty_checkpoint = 0;
  Written empty_files = {};  // that all frames have; but for pictures
};

// What time goes with: particles, cells of smoke, and both where particles are at the surface alone.
double work_of(double cells, double particles, const StepRule& rule);

// What memory goes with, in bytes, roughly.
double weight_of(double cells, double particles, int dimension);

Costs costs_of(const Trial& trial, const StepRule& rule);

// Where the first frames have no fluid: what they say of pictures and of an empty scene, and of all else what
// coarser cells do, of which each takes about as much.
Costs costs_of(const Trial& first, const CoarseRun& coarse, const StepRule& rule);

// `checkpoints` that are there at once.
RunPlan extrapolate(const Costs& costs, const Growth& growth, const StepRule& rule, int checkpoints);

}  // namespace whorl
