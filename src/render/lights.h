// The lights that every 3D preview is seen by: a warm key from the side, a cool rim from behind, and a sky.
#pragma once

#include "render/camera.h"
#include "render/colour.h"

#include <array>

namespace whorl {

struct Light {
  Point towards;  // unit vector from the scene to the light
  Rgb colour;
};

inline const std::array<Light, 2> lights = {
    Light{direction(Camera::azimuth - 82, 46), {7.0f, 6.15f, 5.1f}},
    Light{direction(Camera::azimuth + 155, 22), {0.36f, 0.5f, 0.75f}},
};
inline const Light& key_light = lights[0];

inline constexpr Rgb sky_colour{0.115f, 0.15f, 0.21f};
inline constexpr Rgb ground_colour{0.035f, 0.035f, 0.036f};  // what the ground throws back

// The sky as seen along an upward or downward direction.
inline Rgb sky(const Point& towards) {
  return mix(ground_colour, sky_colour, smooth_step(-0.6f, 0.8f, float(towards[1])));
}

}  // namespace whorl
