#include "render/daylight.h"

namespace whorl {

Daylight Daylight::of(const LightParams& params) {
  Daylight day;
  day.sun = direction(params.azimuth.value_or(azimuth), params.elevation.value_or(elevation));
  day.sun_irradiance = day.sun_irradiance * params.sun;
  for (Rgb* radiance : {&day.zenith, &day.horizon, &day.ground}) *radiance = *radiance * params.sky;
  day.brightness = std::max(params.sun, params.sky);
  return day;
}

Daylight Daylight::even(const Rgb& radiance) {
  Daylight light;
  light.zenith = light.horizon = light.ground = radiance;
  light.sun_irradiance = {};
  light.glow = 0;
  return light;
}

Rgb Daylight::sky(const Point& towards) const {
  const float up = float(towards[1]);
  if (up < 0) return mix(horizon, ground, smooth_step(0, 0.04f, -up));
  const Rgb clear = mix(horizon, zenith, 1 - std::exp(-3.2f * up));
  const float near = std::max(float(dot(towards, sun)), 0.f);
  const float halo = glow * (0.25f * std::pow(near, 6.f) + std::pow(near, 90.f));
  return clear + tint(horizon, {1, 0.93f, 0.82f}) * halo;
}

Rgb Daylight::disc(const Point& towards) const {
  const double half = sun_half_angle * std::numbers::pi / 180;
  if (dot(towards, sun) < std::cos(half)) return {};
  return sun_irradiance * float(1 / (std::numbers::pi * std::sin(half) * std::sin(half)));
}

Point Daylight::towards_sun(const Vec<float, 2>& u) const {
  const double widest = std::sin(sun_half_angle * std::numbers::pi / 180);
  const double r = widest * std::sqrt(double(u[0])), turn = 2 * std::numbers::pi * double(u[1]);
  return Frame(sun)({r * std::cos(turn), r * std::sin(turn), std::sqrt(1 - r * r)});
}

Rgb Daylight::mean() const {
  const Rgb all = mix(horizon, zenith, 0.838f);  // 1 - exp(-3.2 y), averaged with the weight 2 y
  return all + sun_irradiance * float(sun[1] / std::numbers::pi);
}

Frame::Frame(const Point& axis) : z(axis) {
  // Without a singular direction but one (Duff et al. 2017).
  const double sign = std::copysign(1., z[2]), a = -1 / (sign + z[2]), b = z[0] * z[1] * a;
  x = {1 + sign * z[0] * z[0] * a, sign * b, -sign * z[0]};
  y = {b, sign + z[1] * z[1] * a, -z[1]};
}

Point even_direction(const Vec<float, 2>& u) {
  const double y = 1 - 2 * double(u[0]), r = std::sqrt(std::max(0., 1 - y * y)),
               turn = 2 * std::numbers::pi * double(u[1]);
  return {r * std::cos(turn), y, r * std::sin(turn)};
}

Point cosine_direction(const Point& normal, const Vec<float, 2>& u) {
  const double r = std::sqrt(double(u[0])), turn = 2 * std::numbers::pi * double(u[1]);
  return normalised(Frame(normal)({r * std::cos(turn), r * std::sin(turn), std::sqrt(1 - double(u[0]))}));
}

}  // namespace whorl
