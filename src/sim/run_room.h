// Whether memory and disk last for another frame of a run.
#pragma once

#include "sim/run_folder.h"
#include "whorl/error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace whorl {

// The folder, or the nearest above it that there is.
std::string existing_folder(const std::string& folder);

// Bytes that there is room for in it; none where the system does not say.
std::optional<std::uint64_t> free_disk(const std::string& folder);

// After a frame: whether there is room for the next one, should it be somewhat larger, and for a checkpoint.
// ErrorCode::resources says what there is too little of. A stop here loses nothing, and one in the middle of
// a frame loses that frame.
Result<void> room_for_another(const RunPaths& paths, int last_frame);

}  // namespace whorl
