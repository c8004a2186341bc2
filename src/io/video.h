// A film of the frames, made by the ffmpeg program.
#pragma once

#include "whorl/error.h"

#include <string>

namespace whorl {

// From FOLDER/STEM.0001.png and so on, first to last frame, to an .mp4 (H.264, 4:2:0). A side of an odd
// number of pixels gets one more. The same pictures give the same bytes. ErrorCode::usage where a frame is
// missing, ErrorCode::resources where there is no ffmpeg, or where it fails.
Result<void> write_video(const std::string& path, const std::string& folder, const std::string& stem,
                         int first_frame, int last_frame, double fps);

}  // namespace whorl
