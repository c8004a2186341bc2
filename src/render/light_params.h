// What a scene says of the light in its pictures.
#pragma once

#include <optional>

namespace whorl {

struct LightParams {
  float sun = 1, sky = 1;                    // times as bright as they are by default
  std::optional<double> azimuth, elevation;  // degrees, of the sun (camera.h: direction)
};

}  // namespace whorl
