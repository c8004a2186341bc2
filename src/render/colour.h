// Colours: linear light while we compute, sRGB bytes in the image.
#pragma once

#include "base/image.h"
#include "base/rng.h"
#include "base/vec.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace whorl {

using Rgb = Vec<float, 3>;   // linear, sRGB primaries
using Rgba = Vec<float, 4>;  // the same, dimmed by alpha, which is last

inline Rgba with_alpha(const Rgb& x, float alpha) { return {x[0], x[1], x[2], alpha}; }

inline Rgb tint(Rgb x, const Rgb& y) {
  for (int c = 0; c < 3; ++c) x[c] *= y[c];
  return x;
}
inline Rgb mix(const Rgb& x, const Rgb& y, float t) { return x * (1 - t) + y * t; }

// 0 up to `lo`, 1 from `hi`, smooth between.
inline float smooth_step(float lo, float hi, float x) {
  const float t = std::clamp((x - lo) / (hi - lo), 0.f, 1.f);
  return t * t * (3 - 2 * t);
}

inline float srgb_encode(float x) {
  return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

// A curve with a toe and a long shoulder, as film has them (Narkowicz 2015's fit of the ACES curve).
inline float filmic(float x) {
  return std::clamp(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.f, 1.f);
}
inline Rgb filmic(Rgb x) {
  for (int c = 0; c < 3; ++c) x[c] = filmic(x[c]);
  return x;
}

// What glows, brought into reach of the filmic curve: faint light stays as it is, no channel gets past
// `most`, and what is far too bright loses its colour little by little, as film does.
inline Rgb roll_off(const Rgb& x, float most) {
  const float peak = std::max({x[0], x[1], x[2]});
  if (!(peak > 0)) return {};
  const float kept = most * (1 - std::exp(-peak / most));
  return mix(x * (kept / peak), Rgb::filled(kept), 0.08f * (kept / most) * (kept / most));
}

// OKLab (Ottosson 2020): equal steps look equal, so a gradient through it has no bright or muddy bands.
struct OkLab {
  float lightness, a, b;
};
inline Rgb to_rgb(const OkLab& x) {
  const auto cube = [](float v) { return v * v * v; };
  const float l = cube(x.lightness + 0.3963377774f * x.a + 0.2158037573f * x.b);
  const float m = cube(x.lightness - 0.1055613458f * x.a - 0.0638541728f * x.b);
  const float s = cube(x.lightness - 0.0894841775f * x.a - 1.2914855480f * x.b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

// The colour at x of evenly spaced stops, the first at 0 and the last at 1.
inline Rgb gradient(std::span<const OkLab> stops, float x) {
  const float at = std::clamp(x, 0.f, 1.f) * float(stops.size() - 1);
  const std::size_t k = std::min(std::size_t(at), stops.size() - 2);
  const float t = at - float(k);
  const OkLab &p = stops[k], &q = stops[k + 1];
  return to_rgb(
      {p.lightness + t * (q.lightness - p.lightness), p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)});
}

// Writes a colour of linear light in [0, 1], dithered by less than a step of eight bits so that smooth
// gradients do not band. The pattern stands still from frame to frame.
inline void put_pixel(Image& image, int column, int row, const Rgb& colour) {
  Rng noise(0, std::uint64_t(row) << 32 | std::uint64_t(column));
  for (int c = 0; c < 3; ++c) {
    const float level = 255 * srgb_encode(std::min(std::max(0.f, colour[c]), 1.f));
    const float dither = noise.uniform() + noise.uniform() - 1;
    image.pixel(column, row)[c] = std::uint8_t(std::clamp(level + 0.5f + 0.5f * dither, 0.f, 255.f));
  }
}

}  // namespace whorl
