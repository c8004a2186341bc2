#include "render/specks.h"

#include <algorithm>
#include <cmath>

namespace whorl {

Pixels<float> clear_of_specks(const std::vector<Speck>& specks, const Camera& camera,
                              const Pixels<Surface>& behind, double depth) {
  constexpr double smallest = 0.7, largest = 32;  // pixels that a speck is drawn as wide as
  Pixels<float> clear(behind.width, behind.height);
  std::fill(clear.values.begin(), clear.values.end(), 1.f);
  for (const Speck& speck : specks) {
    const double distance = length(speck.place - camera.eye());
    const Vec<double, 2> at = camera.project(speck.place);
    const double pixels = double(speck.radius) / (distance * camera.pixel_spread());
    const double wide = std::clamp(pixels, smallest, largest);
    // One smaller than it is drawn hides as much as it would.
    const double opacity = double(speck.opacity) * std::min(1., pixels * pixels / (wide * wide));
    const int left = std::max(0, int(std::ceil(at[0] - wide - 0.5))),
              right = std::min(clear.width - 1, int(std::floor(at[0] + wide - 0.5))),
              top = std::max(0, int(std::ceil(at[1] - wide - 0.5))),
              bottom = std::min(clear.height - 1, int(std::floor(at[1] + wide - 0.5)));
    for (int row = top; row <= bottom; ++row)
      for (int column = left; column <= right; ++column) {
        const double x = (column + 0.5 - at[0]) / wide, y = (row + 0.5 - at[1]) / wide;
        const double round = std::max(0., 1 - x * x - y * y);
        const double hidden = std::max(0., distance - behind(column, row).distance);
        clear(column, row) *= 1 - float(opacity * round * std::exp(-hidden / depth));
      }
  }
  return clear;
}

}  // namespace whorl
