// A run: a scene simulated frame by frame into a folder (sim/run_folder.h). A kill at any moment loses no
// finished frame, and the run can go on from its last checkpoint.
#pragma once

#include "sim/run_stages.h"
#include "whorl/simulation.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace whorl {

// Beyond these, a run ends with ErrorCode::diverged.
struct RunLimits {
  std::optional<double> divergence;    // 1/s, of any sub-step
  std::optional<double> volume_drift;  // of a liquid: the part that has come or gone unaccounted

  bool any() const { return divergence || volume_drift; }
};

struct RunOptions {
  std::string folder;
  int last_frame = 0;  // 0: what the scene says
  int threads = 0;     // 0: one a core
  // None: what the scene asks for. Without simulate among them, they work on the files of an earlier run in
  // the folder, and leave out frames whose files would become the same (sim/stage_record.h) …
  std::optional<RunStages> stages;
  bool again = false;   // … unless these are wanted anew
  int first_frame = 1;  // that they begin with
  // Goes on with the run in the folder from its newest checkpoint, or, with a scene that may have changed,
  // from the newest at a frame or before it (sim/run_checkpoints.h).
  bool resume = false;
  std::optional<int> from_frame;
  RunLimits limits;
  // What the folder keeps, for the run to be done again.
  std::string scene_text;
  std::vector<std::string> overrides;
};

using StageSeconds = std::vector<std::pair<std::string, double>>;

struct RunStart {
  std::string name = {}, folder = {};
  int dimension = 0;
  int last_frame = 0;
  double fps = 0;
  int replaced = 0;                  // frames of an earlier run that were in the folder …
  bool replaced_unfinished = false;  // … which could have gone on
  std::optional<int> resumed = {};   // the last frame of the run that this one goes on with
};

struct RunReport {
  Result<void> outcome;  // ErrorCode::interrupted where the observer stopped it
  std::string name, folder;
  int frames = 0;          // 1 to this one are finished, whatever the outcome
  int last_frame = 0;      // asked for; 0 where the run did not begin
  int first_frame = 1;     // that it began with …
  int kept = 0;            // … and how many there were from there on whose files were left as they are
  bool resumable = false;  // from a checkpoint in the folder
  std::string show;        // what to look at: the video, or else a frame; empty where there is nothing
  double seconds = 0;      // by the clock on the wall
  StageSeconds by_stage;   // of all frames
};

// Told of everything on the thread that called run().
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_start(const RunStart&) {}
  virtual void on_step(const StepProgress&) {}
  virtual void on_frame(const FrameStatistics&, double /*seconds*/) {}  // its files are written
  virtual void on_video() {}                                            // it is about to be made
  virtual void on_warning(const std::string&) {}
  virtual bool should_stop() { return false; }  // asked after every sub-step and every frame
};

// A run that simulates replaces an earlier one in the folder, once the simulation stands, or goes on with it.
RunReport run(const SceneFile& scene, const RunOptions& options, RunObserver& observer);

// Adds up stages by name.
void add_stages(StageSeconds& sum, const StageSeconds& more);

// What the frames took by the clock, writing included: an entry of its own beside the stages.
inline constexpr const char* total_stage = "total";
double total_seconds(const StageSeconds& stages);

}  // namespace whorl
