#pragma once

#include "scene/config.h"
#include "whorl/scene.h"

namespace whorl {

struct SceneContent {
  SceneConfig config;
};

}  // namespace whorl
