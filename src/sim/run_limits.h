// Whether the frames of a run keep within the limits that it was given.
#pragma once

#include "sim/run.h"
#include "sim/run_folder.h"

#include <optional>

namespace whorl {

class LimitCheck {
 public:
  explicit LimitCheck(const RunLimits& limits) : limits_(limits) {}

  // The volume is measured against the first frame's: of a run that goes on, that of the line it has.
  void start_from(const RunPaths& paths);

  // ErrorCode::diverged with the frame, the value and the limit.
  Result<void> check(const FrameStatistics& frame);

 private:
  RunLimits limits_;
  std::optional<double> balance_;  // m³: the first frame's volume as if nothing had come in or gone
};

}  // namespace whorl
