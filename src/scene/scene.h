// Scenes: from a file to a validated config, and everything that is to be said about their keys.
#pragma once

#include "scene/config.h"
#include "whorl/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace whorl {

struct SceneLimits {
  std::uint64_t memory = 0;  // bytes that a run may use; 0 asks the machine
};

// Reads a scene file and puts the overrides ("time.fps=30") on top. An error's message tells everything
// that is wrong, a line each.
Result<SceneConfig> load_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                               const SceneLimits& limits = {});

// The same from a text; `source` is what messages call it.
Result<SceneConfig> parse_scene(const std::string& text, const std::string& source,
                                const std::vector<std::string>& overrides = {},
                                const SceneLimits& limits = {});

// Memory free for a run now, in bytes; 0 where that cannot be found out.
std::uint64_t available_memory();

// ---- the reference; all of it comes from the describe() lists

// An overview for an empty key; a section ("smoke"), a key ("smoke.advection"), a shape ("shape.torus"), or
// the last part of a key ("fps"). An unknown one is ErrorCode::usage, with the nearest.
Result<std::string> help_text(const std::string& key);

std::string reference_markdown();
std::string json_schema();

// A commented scene to begin with, which loads as it is. An unknown solver is ErrorCode::usage.
Result<std::string> starter_scene(const std::string& solver);

}  // namespace whorl
