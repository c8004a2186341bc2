// The short runs that a plan goes by: the first frames of the scene as it is, and all frames of it with
// coarser cells.
#pragma once

#include "sim/plan.h"
#include "whorl/frame.h"
#include "whorl/scene.h"

#include <map>
#include <string>
#include <vector>

namespace whorl {

// Files: how large they are, how long they take, how much memory for the time being, and how much stays held
// for the files after them.
struct Written {
  double bytes = 0, seconds = 0, held = 0, left = 0;
};

// The files of a frame, by what their size goes with.
struct FrameFiles {
  Written of_size;     // of the liquid or smoke: volumes, particles
  Written of_surface;  // meshes
  Written whitewater;  // with the surface, too
  Written images, exr;
};

// What a short run has shown.
struct Trial {
  std::vector<FrameStatistics> frames;
  std::vector<double> seconds;     // that each took to simulate
  double before = 0, at_most = 0;  // bytes held before there was anything, and later, but for what files take
  double between = 0;              // … and between two steps, when files are written
  FrameFiles files;
  int files_of = 0;       // the frame: the last one that has fluid, if any has
  double checkpoint = 0;  // bytes, of the last frame
  std::vector<std::string> warnings;
};

// All frames, with cells `factor` times as large. Of its files only the pictures are tried, small ones of
// some frames from the first trial's files on; all others, too, where the first frames have no fluid.
struct CoarseRun {
  double factor = 1;
  Trial trial = {};
  std::map<int, Written> pictures = {};  // by the frame
};

// Of fills, spouts and sources that start late there is nothing at first.
inline bool has_fluid(const FrameStatistics& frame, bool liquid) {
  return liquid ? frame.liquid_volume > 0 : frame.active_cells > 0;
}
bool has_fluid(const Trial& trial, bool liquid);  // in any frame

double cell_size_of(const SceneFile& scene);
bool is_liquid(const SceneFile& scene);

// For as long as patience lasts, two frames at least.
Result<Trial> try_first_frames(const SceneFile& scene, const PlanOptions& options, int last_frame);

// With the smallest of the larger cells that the scene allows and that patience lasts for.
Result<CoarseRun> try_coarser_cells(const SceneFile& scene, const PlanOptions& options, const Trial& first,
                                    int last_frame);

}  // namespace whorl
