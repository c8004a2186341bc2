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

  bool operator==(const ReportWords&) const = default;
};

// How a sentence of the outcome begins: "7 of 9 frames are there".
std::string frames_there(int finished, int wanted);

// A run's words are for the reports of stages that are done later, too. Where they say more than frames.jsonl
// and the scene do, they are a line of stages.jsonl, the last one being good; its outcome only while there
// are as many frames, for a run that went on may have been killed.
//
//   {"frames":7,"outcome":"7 of 9 frames are there: stopped at frame 8.","warnings":[]}
Result<void> keep_words(const RunPaths& paths, const ReportWords& words);
ReportWords kept_words(const RunPaths& paths);

// The page; figures are those of frames.jsonl, so a run that was cut off has one as well. It shows the video,
// if there is one and `video` says that it is of the pictures as they are, and otherwise some of the
// pictures.
Result<std::string> report_page(const RunPaths& paths, const ReportWords& words, bool video);

Result<void> write_report(const RunPaths& paths, const ReportWords& words, bool video);

}  // namespace whorl
