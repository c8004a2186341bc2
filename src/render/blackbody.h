// The colour of what glows: Planck's law as the eye sees it.
#pragma once

#include "render/colour.h"

#include <array>

namespace whorl {

// X, Y, Z of a black body of at least 100 K (Planck 1901) for the CIE 1931 2-degree observer, in units of
// their own: only ratios mean anything.
Vec<double, 3> blackbody_xyz(double kelvin);

// x and y.
Vec<double, 2> blackbody_chromaticity(double kelvin);

// Of unit luminance. Below 1900 K more saturated than sRGB can show: moved towards grey until it can.
Rgb blackbody_colour(double kelvin);

// How bright what glows looks to an eye that gets used to it. The luminance itself spans six powers of ten
// from dull red to candle light, and no picture shows both; its fourth root spans one and a half. 1 at
// 1600 K.
double blackbody_brightness(double kelvin);

// Colour times brightness, quick to look up. Burning gas always glows: what is cooler than the first
// temperature is drawn as if it had that.
class GlowColours {
 public:
  static constexpr float coolest = 900, hottest = 4000;  // K

  GlowColours();
  Rgb operator()(float kelvin) const {
    const float at = std::clamp((kelvin - coolest) / (hottest - coolest), 0.f, 1.f) * (count - 1);
    const int k = std::min(int(at), count - 2);
    return mix(colours_[std::size_t(k)], colours_[std::size_t(k) + 1], at - float(k));
  }

 private:
  static constexpr int count = 128;
  std::array<Rgb, count> colours_;
};

}  // namespace whorl
