#pragma once

#include "sim/run.h"
#include "sim/run_folder.h"
#include "sim/stage_record.h"

namespace whorl {

// The video of the images of frames 1 to report.frames, which becomes what the report shows. Without one, the
// run is good all the same, and the observer is told why.
void make_run_video(const RunPaths& paths, double fps, RunObserver& observer, RunReport& report,
                    StageRecord& record);

}  // namespace whorl
