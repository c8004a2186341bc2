// A scene as text, for what depends on some of its keys: "grid.resolution = 64", a line each.
#pragma once

#include "exec/exec.h"
#include "scene/config.h"

#include <functional>
#include <string>
#include <string_view>

namespace whorl {

std::string key_line(std::string_view key, std::string_view text);

// Those that are wanted. A mesh is what its file holds, whatever its name.
std::string key_lines(Exec& ex, const SceneConfig& scene,
                      const std::function<bool(std::string_view)>& wanted);

}  // namespace whorl
