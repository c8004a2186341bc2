// The same plume, or the same dam break, in Blender's Mantaflow (bench/peers/blender.py).
#pragma once

#include "whorl/error.h"

#include <array>
#include <vector>

namespace whorl::bench {

enum class BlenderScene {
  plume,     // bench/plume.h, a step a frame
  dam,       // bench/dam.h, with particles in a band below the surface, as Blender has them unless told
  dam_full,  // … and in all of the water
};

struct BlenderRun {
  BlenderScene scene = BlenderScene::plume;
  int n = 64;
  int threads = 0;              // 0: one a core
  std::vector<double> lengths;  // of the frames, s
  int warm_up = 20;             // of them
  double timeout_s = 300;
};

struct BlenderFrame {
  double seconds = 0;           // all of it
  double step_seconds = 0;      // Mantaflow's steps alone: nothing from meshes, no files
  double pressure_seconds = 0;  // of that, the pressure solves
  double write_seconds = 0;     // the cache's files, which Blender writes after every frame
  int steps = 0;
  double particles = 0;  // at its end
};

struct BlenderFigures {
  std::vector<BlenderFrame> frames;  // those after the warm-up
  std::array<int, 3> resolution{};
  double amount = 0;        // cells of water at the end, or the sum of the smoke's density …
  double centre = 0;        // … and the centre of its mass, metres above the floor
  double bytes = 0;         // resident pages at their peak, less those before there was a domain
  double displacement = 0;  // cells that the fastest fluid would cross in the last step
  int iterations = 0;       // of the pressure solve in one more step …
  double residual = 0;      // … and its worst residual as a part of the worst entry of the right side
};

// The message of an error says in a few words why there is no result: that Blender is not installed, that it
// ran out of time, or that what it simulated is not this scene.
Result<BlenderFigures> run_blender(const BlenderRun& run);

BlenderFrame fastest_frame(const BlenderFigures& figures);
BlenderFrame sum_of_frames(const BlenderFigures& figures);  // its particles are the mean over the steps

}  // namespace whorl::bench
