// Small white things in a picture of a liquid: spray, foam and bubbles.
#pragma once

#include "render/camera.h"

namespace whorl {

struct Speck {
  Point place;                  // m
  float radius = 0;             // m
  Vec<float, 3> velocity = {};  // m/s
};

}  // namespace whorl
