// The stages of a run, and what each of them writes:
//
//   simulate    volumes, particles, statistics
//   surface     the meshes of a liquid
//   whitewater  its spray, foam and bubbles
//   render      previews, their light, and the video of them
//
// All but the first can be done again from what a run has written: the particles of a liquid in three
// dimensions, the volumes of anything else.
#pragma once

#include "whorl/scene.h"

#include <string>

namespace whorl {

struct RunStages {
  bool simulate = false, surface = false, whitewater = false, render = false;
};

// From "surface,render". ErrorCode::usage for an unknown name.
Result<RunStages> parse_stages(const std::string& list);

// Those that the scene itself asks for.
RunStages stages_of(const SceneFile& scene);

// The files that a frame's picture goes to.
struct PictureFiles {
  bool png = false, exr = false;
};

// Those that the stage `render` writes, if it is among the stages; for a scene that asks for none, images.
PictureFiles picture_files(const SceneFile& scene, const RunStages& stages);

// Whether the scene has what the stages are about. ErrorCode::usage where not.
Result<void> check_stages(const SceneFile& scene, const RunStages& stages);

}  // namespace whorl
