// The checkpoints of a run: when there is one, how many are kept, and which of them a run goes on from.
#pragma once

#include "scene/config.h"
#include "sim/run.h"
#include "sim/run_folder.h"
#include "sim/stopwatch.h"

#include <optional>

namespace whorl {

class RunCheckpoints {
 public:
  RunCheckpoints(RunPaths paths, const CheckpointConfig& config)
      : paths_(std::move(paths)), config_(config) {}

  bool due(int frame) const;  // which has just been finished

  // Where the simulation stands; those that are too many go.
  Result<void> save(const Simulation& simulation);
  // The same unless it is there, where the run ends all the same: an observer is told what went wrong.
  void save_last(const Simulation& simulation, RunObserver& observer);

 private:
  RunPaths paths_;
  CheckpointConfig config_;
  Stopwatch since_;       // the last one, or the start
  double saved_at_ = -1;  // s, of the simulation
};

struct ResumeOptions {
  // Goes on from the newest at this frame or before, with a scene that may have changed. None: from the
  // newest, with the same scene.
  std::optional<int> from_frame;
  int last_frame = 0;       // asked for
  bool whitewater = false;  // whether it is to go on, too
};

// Takes the simulation to the newest checkpoint that is good, and out of the folder what comes after it. An
// observer is told of those that are damaged. Returns the last finished frame, or nothing where there is no
// checkpoint to go on from, and all is as it was.
Result<std::optional<int>> resume_run(const RunPaths& paths, Simulation& simulation, const SceneFile& scene,
                                      const ResumeOptions& options, RunObserver& observer);

// How many frames the run has finished: those that the lines of its statistics name, from 1 on.
int finished_frames(const RunPaths& paths);

}  // namespace whorl
