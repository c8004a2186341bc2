#pragma once

#include "sim/stopwatch.h"
#include "whorl/error.h"
#include "whorl/frame.h"

namespace whorl {

// What is done for a frame, one after another until something fails, with its seconds in the statistics.
class TimedStages {
 public:
  explicit TimedStages(FrameStatistics& statistics) : statistics_(statistics) {}

  template <class Work>
  void operator()(bool wanted, const char* name, const Work& work) {
    if (!wanted || !outcome_) return;
    const Stopwatch working;
    outcome_ = work();
    statistics_.seconds.emplace_back(name, working.seconds());
  }

  const Result<void>& outcome() const { return outcome_; }

 private:
  FrameStatistics& statistics_;
  Result<void> outcome_;
};

}  // namespace whorl
