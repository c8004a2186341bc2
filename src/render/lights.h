// The lights that smoke in 3D is seen by: a warm key from the side, a cool rim from behind, and a sky.
#pragma once

#include "render/camera.h"
#include "render/colour.h"
#include "render/light_params.h"

#include <array>

namespace whorl {

struct Light {
  Point towards;  // unit vector from the scene to the light
  Rgb colour;
};

class Lights {
 public:
  // The key is the sun, and the rim goes with the sky.
  explicit Lights(const LightParams& params = {})
      : each_{Light{direction(params.azimuth.value_or(Camera::azimuth - 82), params.elevation.value_or(46)),
                    Rgb{7.0f, 6.15f, 5.1f} * params.sun},
              Light{direction(Camera::azimuth + 155, 22), Rgb{0.36f, 0.5f, 0.75f} * params.sky}},
        sky_part_(params.sky) {}

  const std::array<Light, 2>& each() const { return each_; }
  const Light& key() const { return each_[0]; }

  // The sky as seen along an upward direction, what the ground throws back along a downward one.
  Rgb sky(const Point& towards) const {
    constexpr Rgb above{0.115f, 0.15f, 0.21f}, below{0.035f, 0.035f, 0.036f};
    return mix(below, above, smooth_step(-0.6f, 0.8f, float(towards[1]))) * sky_part_;
  }
  float sky_part() const { return sky_part_; }  // of what it is by default

 private:
  std::array<Light, 2> each_;
  float sky_part_;
};

}  // namespace whorl
