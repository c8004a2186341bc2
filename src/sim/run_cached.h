#pragma once

#include "sim/run.h"

namespace whorl {

// The stages of options.stages, which have no simulate among them, from the particles or volumes of an
// earlier run in the folder. They write their own files where these would change, and then the report, and
// leave all others alone.
RunReport run_cached(const SceneFile& scene, const RunOptions& options, RunObserver& observer);

}  // namespace whorl
