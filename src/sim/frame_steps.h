// The sub-steps of a frame, whatever is simulated.
#pragma once

#include "whorl/simulation.h"

#include <functional>

#include <fmt/format.h>

namespace whorl {

// Goes on until the time of `statistics.frame`. take_step(until) takes one step, says so in the statistics
// and returns how long it was; cells() counts those that are active. One that takes all the time that is left
// ends on the frame's, to the bit.
template <class TakeStep, class Cells>
Result<void> take_steps_of_frame(FrameStatistics& statistics, double fps, double& time,
                                 const std::function<bool(const StepProgress&)>& after_step,
                                 const TakeStep& take_step, const Cells& cells) {
  const double from = (statistics.frame - 1) / fps, until = statistics.frame / fps;
  while (time < until) {
    const int before = statistics.pressure_iterations;
    const double left = until - time;
    const Result<double> dt = take_step(until);
    if (!dt) return dt.error();
    const bool last = dt.value() == left;
    if (last) time = until;
    const StepProgress progress{.frame = statistics.frame,
                                .progress = (time - from) / (until - from),
                                .substep = statistics.substeps,
                                .dt = dt.value(),
                                .iterations = statistics.pressure_iterations - before,
                                .active_cells = cells()};
    if (after_step && !after_step(progress) && !last)  // a frame that is finished is kept
      return Error{ErrorCode::interrupted, fmt::format("interrupted in frame {}", statistics.frame)};
  }
  return {};
}

}  // namespace whorl
