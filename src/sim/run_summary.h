// What a run's folder tells of the run, finished or not.
#pragma once

#include "sim/run.h"
#include "sim/run_folder.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace whorl {

struct RunSummary {
  RunPaths paths;
  int wanted = 0;    // frames asked for; 0 where the folder does not say
  int finished = 0;  // frames with a line in frames.jsonl
  double first_time = 0, last_time = 0;
  std::int64_t most_cells = 0, last_cells = 0;
  double worst_divergence = 0;  // 1/s
  int worst_frame = 0;
  std::uint64_t peak_memory_bytes = 0;
  StageSeconds by_stage;
  int hashes = 0;                                  // frames with a state_hash
  int damaged_lines = 0;                           // of frames.jsonl; a kill may leave one half-written
  std::vector<std::pair<std::string, int>> files;  // how many of each kind: vdb, mesh, png …
  bool video = false;
  std::vector<std::string> missing;  // files of finished frames, and the video
};

// ErrorCode::usage where the folder is not a run's.
Result<RunSummary> summarize_run(const std::string& folder);

}  // namespace whorl
