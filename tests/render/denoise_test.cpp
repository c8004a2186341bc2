// The filter that takes noise out of pictures, and leaves edges.
#include "render/denoise.h"

#include "base/rng.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

constexpr int width = 48, height = 32;
constexpr float noise = 0.2f;

// Bright on the left and dark on the right, where the things seen differ if told so.
Pixels<NoisyPixel> two_halves(float left, float right, bool noisy, bool differ) {
  Pixels<NoisyPixel> pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const bool is_left = column < width / 2;
      NoisyPixel& p = pixels(column, row);
      Rng rng(1, std::uint64_t(row), std::uint64_t(column));
      const float off = noisy ? noise * std::sqrt(3.f) * rng.uniform(-1, 1) : 0;
      p.light = Rgb::filled((is_left ? left : right) + off);
      p.variance = noisy ? noise * noise : 0;
      p.albedo = Rgb::filled(0.5f);
      p.normal = differ && is_left ? Vec<float, 3>{1, 0, 0} : Vec<float, 3>{0, 1, 0};
      p.nearness = 1;
    }
  return pixels;
}

TEST(Denoise, KeepsWhatHasNoNoise) {
  Exec ex;
  const Pixels<NoisyPixel> flat = two_halves(0.7f, 0.7f, false, false),
                           edge = two_halves(0.9f, 0.2f, false, false);
  const Pixels<Rgb> same = denoised(ex, flat), halves = denoised(ex, edge);
  for (std::size_t k = 0; k < same.values.size(); ++k) {
    EXPECT_NEAR(same.values[k][1], 0.7f, 1e-5);
    EXPECT_NEAR(halves.values[k][1], edge.values[k].light[1], 1e-4);
  }
}

TEST(Denoise, TakesNoiseOutAndKeepsEdges) {
  Exec ex;
  const Pixels<Rgb> smooth = denoised(ex, two_halves(0.8f, 0.6f, true, true));
  double error = 0, left = 0, right = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const float off = smooth(column, row)[1] - (column < width / 2 ? 0.8f : 0.6f);
      error += double(off * off);
      if (column == width / 2 - 1) left += double(smooth(column, row)[1]) / height;
      if (column == width / 2) right += double(smooth(column, row)[1]) / height;
    }
  EXPECT_LT(std::sqrt(error / (width * height)), double(noise) / 5);
  EXPECT_NEAR(left - right, 0.2, 0.05) << "an edge as strong as the noise, of two things";
}

TEST(Denoise, FillsHolesOfOnePixel) {
  Exec ex;
  Pixels<NoisyPixel> flat = two_halves(0.7f, 0.7f, false, false);
  flat(20, 10).light = {};
  EXPECT_NEAR(denoised(ex, flat)(20, 10)[1], 0.7, 1e-5);
}

TEST(Denoise, SameBitsOnAnyThreads) {
  std::vector<Rgb> expected;
  for (const int threads : {1, 2, 7}) {
    Exec ex({.threads = threads});
    const Pixels<Rgb> smooth = denoised(ex, two_halves(0.8f, 0.6f, true, true));
    if (expected.empty()) expected = smooth.values;
    EXPECT_TRUE(smooth.values == expected) << threads;
  }
}

}  // namespace
}  // namespace whorl
