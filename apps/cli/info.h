// What info tells of each kind of thing: for a person, or as one JSON object.
#pragma once

#include "scene/config.h"
#include "sim/run_summary.h"

#include <string>

std::string scene_text(const whorl::SceneConfig& scene, const std::string& file);
std::string scene_json(const whorl::SceneConfig& scene, const std::string& file);

std::string run_text(const whorl::RunSummary& run);
std::string run_json(const whorl::RunSummary& run);
