#pragma once

#include "scene_arguments.h"

// Says what a run of the scene will take. Returns the exit code: that of resources where it would not fit.
int plan_scene(const SceneArguments& arguments);
