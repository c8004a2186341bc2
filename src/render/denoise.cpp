#include "render/denoise.h"

#include <limits>

namespace whorl {
namespace {

constexpr int passes = 4;
constexpr float light_width = 3;       // standard deviations
constexpr float normal_width = 0.16f;  // of the difference of unit vectors
constexpr float albedo_width = 0.06f;
constexpr float nearness_width = 0.02f;  // of itself, a pixel apart

struct Smooth {
  Rgb light;
  float variance;
};

float square(const Vec<float, 3>& x) { return dot(x, x); }

// The variance round a pixel: one pixel's own is itself noisy.
float steady_variance(const Pixels<Smooth>& at, int column, int row) {
  float sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += at.nearest(column + i, row + j).variance * float((2 - std::abs(i)) * (2 - std::abs(j)));
  return sum / 16;
}

Smooth filtered(const Pixels<Smooth>& from, const Pixels<NoisyPixel>& guide, int column, int row, int step) {
  constexpr float kernel[] = {3 / 8.f, 1 / 4.f, 1 / 16.f};
  const NoisyPixel& own = guide(column, row);
  const Smooth& centre = from(column, row);
  const float own_light = luminance(centre.light);
  const float differs = 1 / (light_width * std::sqrt(steady_variance(from, column, row)) + 1e-4f);
  const float recedes = 1 / (nearness_width * (own.nearness + 1e-3f) * float(step));
  Rgb sum{};
  float weights = 0, variance = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      const int c = column + i * step, r = row + j * step;
      if (c < 0 || r < 0 || c >= from.width || r >= from.height) continue;
      const Smooth& other = from(c, r);
      const NoisyPixel& there = guide(c, r);
      const float unlike = std::abs(luminance(other.light) - own_light) * differs +
                           square(there.normal - own.normal) * (1 / (normal_width * normal_width)) +
                           square(there.albedo - own.albedo) * (1 / (albedo_width * albedo_width)) +
                           std::abs(there.nearness - own.nearness) * recedes;
      const float weight = kernel[std::abs(i)] * kernel[std::abs(j)] * std::exp(-unlike);
      sum = sum + other.light * weight;
      variance += other.variance * weight * weight;
      weights += weight;
    }
  return {sum * (1 / weights), variance / (weights * weights)};
}

// A pixel darker than all round it has missed what light there is.
Smooth without_hole(const Pixels<NoisyPixel>& noisy, int column, int row) {
  const NoisyPixel& own = noisy(column, row);
  float least = std::numeric_limits<float>::infinity();
  Rgb colour{};
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      if (i == 0 && j == 0) continue;
      const Rgb& light = noisy.nearest(column + i, row + j).light;
      if (luminance(light) < least) least = luminance(light), colour = light;
    }
  return {luminance(own.light) < least ? colour : own.light, own.variance};
}

}  // namespace

Pixels<Rgb> denoised(Exec& ex, const Pixels<NoisyPixel>& noisy) {
  const Zone zone(ex.profile(), "denoise");
  const int width = noisy.width, height = noisy.height;
  Pixels<Smooth> now(ex, width, height, [&](int c, int r) { return without_hole(noisy, c, r); });
  for (int pass = 0; pass < passes; ++pass)
    now = Pixels<Smooth>(ex, width, height,
                         [&](int c, int r) { return filtered(now, noisy, c, r, 1 << pass); });
  return {ex, width, height, [&](int c, int r) { return now(c, r).light; }};
}

}  // namespace whorl
