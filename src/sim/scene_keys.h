// A scene as text, for what depends on some of its keys: "grid.resolution = 64", a line each.
#pragma once

#include "exec/exec.h"
#include "scene/config.h"
#include "scene/key.h"

#include <string>
#include <string_view>

namespace whorl {

std::string key_line(std::string_view key, std::string_view text);

// Those that a part of a run goes by. A mesh is what its file holds, whatever its name.
std::string key_lines(Exec& ex, const SceneConfig& scene, bool KeyUse::*part);

}  // namespace whorl
