// report.html: what a run's folder tells of the run, in one file that needs no other: the frames to play, the
// scene, plots, warnings, and how to do it again.
#pragma once

#include "sim/run_folder.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

struct ReportWords {
  std::string outcome;                // one sentence
  std::vector<std::string> warnings;  // of the run
};

// The page; figures are those of frames.jsonl, so a run that was cut off has one as well.
Result<std::string> report_page(const RunPaths& paths, const ReportWords& words);

Result<void> write_report(const RunPaths& paths, const ReportWords& words);

}  // namespace whorl
