#include "sim/run_video.h"

#include "io/video.h"

namespace whorl {

void make_run_video(const RunPaths& paths, double fps, RunObserver& observer, RunReport& report,
                    StageRecord& record) {
  observer.on_video();
  constexpr double fastest = 240, slow_motion = 24;  // pictures a second that screens show, and eyes follow
  if (fps > fastest) fps = slow_motion;
  Result<void> made = write_video(paths.video(), paths.images(), paths.name, 1, report.frames, fps);
  if (made) made = record.note_video(report.frames);
  if (made)
    report.show = paths.video();
  else
    observer.on_warning("no video: " + made.error().message);
}

}  // namespace whorl
