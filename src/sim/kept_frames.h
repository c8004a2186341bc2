// Frames that a run has kept, and what its later stages make of them.
#pragma once

#include "exec/exec.h"
#include "scene/config.h"
#include "sim/run.h"
#include "sim/run_folder.h"
#include "whorl/frame.h"

#include <memory>
#include <set>
#include <string>

namespace whorl {

class KeptFrames {
 public:
  virtual ~KeptFrames() = default;

  virtual std::set<int> frames(const RunPaths& paths) const = 0;  // that are there to begin with
  virtual std::string file(const RunPaths& paths, int frame) const = 0;
  virtual std::string how_to_keep() const = 0;  // "output.particles = true"

  // What the stages need beside the frames.
  virtual Result<void> prepare(const RunStages& stages, RunObserver& observer) = 0;
  // Does the stages for the frame that `statistics` names, in which it tells what it has seen.
  virtual Result<void> make(const RunPaths& paths, const RunStages& stages, FrameStatistics& statistics) = 0;
};

// The particles of a liquid in three dimensions.
std::unique_ptr<KeptFrames> kept_particles(Exec& ex, const Scene<3>& scene, const PictureFiles& pictures);

// The volumes of anything else.
template <int D>
std::unique_ptr<KeptFrames> kept_volumes(Exec& ex, const Scene<D>& scene, const PictureFiles& pictures);

}  // namespace whorl
