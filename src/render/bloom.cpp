#include "render/bloom.h"

namespace whorl {
namespace {

constexpr int finest = 270, coarsest = 12;  // rows of the images that are blurred, about, whatever our size

Pixels<Rgb> halved(Exec& ex, const Pixels<Rgb>& fine) {
  return {ex, (fine.width + 1) / 2, (fine.height + 1) / 2, [&](int i, int j) {
            return (fine.nearest(2 * i, 2 * j) + fine.nearest(2 * i + 1, 2 * j) +
                    fine.nearest(2 * i, 2 * j + 1) + fine.nearest(2 * i + 1, 2 * j + 1)) *
                   0.25f;
          }};
}

// By 1 4 6 4 1 along rows, then columns: near enough a Gaussian.
Pixels<Rgb> blurred(Exec& ex, const Pixels<Rgb>& sharp) {
  const auto five = [](const auto& at) {
    return (at(-2) + at(2)) * (1 / 16.f) + (at(-1) + at(1)) * 0.25f + at(0) * 0.375f;
  };
  const Pixels<Rgb> across(ex, sharp.width, sharp.height, [&](int i, int j) {
    return five([&](int k) { return sharp.nearest(i + k, j); });
  });
  return {ex, sharp.width, sharp.height,
          [&](int i, int j) { return five([&](int k) { return across.nearest(i, j + k); }); }};
}

// Linear between the middles of pixels.
Pixels<Rgb> enlarged(Exec& ex, const Pixels<Rgb>& small, int width, int height) {
  return {ex, width, height, [&](int i, int j) {
            const float c = (float(i) + 0.5f) / float(width) * float(small.width) - 0.5f;
            const float r = (float(j) + 0.5f) / float(height) * float(small.height) - 0.5f;
            const int m = int(std::floor(c)), n = int(std::floor(r));
            const auto across = [&](int row) {
              return mix(small.nearest(m, row), small.nearest(m + 1, row), c - float(m));
            };
            return mix(across(n), across(n + 1), r - float(n));
          }};
}

}  // namespace

Pixels<Rgb> bloom(Exec& ex, const Pixels<Rgb>& light) {
  const Zone zone(ex.profile(), "bloom");
  Pixels<Rgb> layer = light;
  while (layer.height > finest * 3 / 2) layer = halved(ex, layer);
  std::vector<Pixels<Rgb>> blurs{blurred(ex, layer)};
  while (blurs.back().height > coarsest * 3 / 2) blurs.push_back(blurred(ex, halved(ex, blurs.back())));

  // From the widest to the narrowest, each enlarged by one step at a time: so the sum stays smooth.
  Pixels<Rgb> sum = blurs.back();
  for (std::size_t k = blurs.size() - 1; k-- > 0;) {
    sum = enlarged(ex, sum, blurs[k].width, blurs[k].height);
    for (std::size_t p = 0; p < sum.values.size(); ++p) sum.values[p] = sum.values[p] + blurs[k].values[p];
  }
  sum = enlarged(ex, sum, light.width, light.height);
  for (Rgb& x : sum.values) x = x * (bloom_strength / float(blurs.size()));
  return sum;
}

}  // namespace whorl
