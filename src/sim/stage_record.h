// What the files of a run's stages were made of: a hash of all that went into them for each frame and stage,
// in stages.jsonl. A stage is done again only for frames where that has changed.
//
//   {"frame":12,"stage":"render","of":"4be0643f1d98573b"}
//
// All that went into them: the state that the frame was simulated to, the keys of the scene that the stage
// looks at, Whorl's version, and for what goes on from an earlier stage or frame, that one's hash.
//
// After a power cut, a line that is missing may cost a stage its time once more, but must not let old files
// pass for new ones, nor new ones for old: what is to be replaced is forgotten on the disk before it is.
//
// Lines without a stage are for others (sim/run_report.h).
#pragma once

#include "exec/exec.h"
#include "scene/config.h"
#include "sim/run_folder.h"
#include "sim/run_stages.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace whorl {

enum class Stage { surface, whitewater, render, video };
const char* to_string(Stage stage);

class StageRecord {
 public:
  StageRecord(Exec& ex, const SceneConfig& scene, RunPaths paths, const PictureFiles& pictures);

  // Whether the stage has made its files for the frame, and would make the same again. `state` is the hash of
  // the frame's state.
  bool is_fresh(Stage stage, int frame, std::uint64_t state) const;
  // These stages have made theirs now.
  Result<void> note(const RunStages& made, int frame, std::uint64_t state);
  // What these stages have made is about to be replaced, which the disk knows from here on.
  Result<void> forget(const RunStages& stale, int frame, std::uint64_t state);

  // All that was noted is on the disk from here on.
  Result<void> flush() const;

  // Of the pictures up to a frame.
  bool has_video(int last) const { return is_fresh(Stage::video, last, no_state); }
  Result<void> note_video(int last) { return note(Stage::video, last, no_state); }

 private:
  static constexpr std::uint64_t no_state = 1;  // a video is of its pictures alone

  Result<void> note(Stage stage, int frame, std::uint64_t state);
  std::uint64_t input(Stage stage, int frame, std::uint64_t state) const;
  std::uint64_t& noted(Stage stage, int frame);
  std::uint64_t noted(Stage stage, int frame) const;  // 0: nothing
  Result<void> write(Stage stage, int frame, std::uint64_t of) const;
  bool has_files(Stage stage, int frame) const;

  RunPaths paths_;
  PictureFiles pictures_;
  bool shows_whitewater_;
  std::array<std::uint64_t, 4> keys_{};
  Result<void> mended_;  // its last line, which a power cut may have torn
  std::map<std::pair<Stage, int>, std::uint64_t> of_;
};

// The hashes of states that a run's statistics tell.
std::map<int, std::uint64_t> state_hashes(const RunPaths& paths);

}  // namespace whorl
