// The light outdoors: a clear sky that is brighter near the horizon and round the sun, and the sun's disc.
#pragma once

#include "render/camera.h"
#include "render/colour.h"
#include "render/light_params.h"

namespace whorl {

struct Daylight {
  static constexpr double azimuth = -128, elevation = 38;  // degrees, of the sun

  Point sun = direction(azimuth, elevation);  // unit vector towards its middle
  double sun_half_angle = 1.1;                // degrees; four times the true one, for soft edges
  Rgb sun_irradiance{4.1f, 3.6f, 2.9f};       // on a surface that faces it
  Rgb zenith{0.065f, 0.165f, 0.43f};          // radiance
  Rgb horizon{0.46f, 0.58f, 0.73f};
  Rgb ground{0.26f, 0.25f, 0.235f};  // of what lies below the horizon, where no ground is drawn
  float glow = 0.55f;                // round the sun, against the horizon
  float brightness = 1;              // of sun or sky, whichever is more, against what is above

  // As a scene says it.
  static Daylight of(const LightParams& params);
  // All directions alike.
  static Daylight even(const Rgb& radiance);

  Rgb sky(const Point& towards) const;  // without the disc
  Rgb disc(const Point& towards) const;
  Point towards_sun(const Vec<float, 2>& u) const;  // evenly over the disc
  // What a horizontal surface gets, over π, but for the glow: how bright a white one is.
  Rgb mean() const;
};

// Two unit vectors square to one and to each other.
struct Frame {
  Point x, y, z;

  explicit Frame(const Point& axis);
  Point operator()(const Point& local) const { return x * local[0] + y * local[1] + z * local[2]; }
};

// Any direction, all as often.
Point even_direction(const Vec<float, 2>& u);
// About a normal, as often as matte surfaces send light there.
Point cosine_direction(const Point& normal, const Vec<float, 2>& u);

}  // namespace whorl
