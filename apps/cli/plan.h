#pragma once

#include "scene_arguments.h"
#include "sim/run_stages.h"

#include <optional>

// Says what a run of the scene will take. Returns the exit code: that of resources where it would not fit.
// What is being tried goes to stderr, unless quiet.
int plan_scene(const SceneArguments& arguments, bool quiet, std::optional<whorl::RunStages> stages = {});
