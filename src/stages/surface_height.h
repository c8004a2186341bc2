// From the distance between a place and the mean of the particles round it to its height above a flat
// surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace whorl {

// Both over the reach R of the weights (1 - d²/R²)³.
template <int D>
class SurfaceHeight {
 public:
  SurfaceHeight() {
    // At height z over a half space full of particles: moments of the weights over the slices below it, each
    // a disc (or, in 2D, a line) of radius ρ, ρ² = 1 - t², on which they integrate to (1 - t²)^(3 + (D -
    // 1)/2).
    std::array<double, entries> distance;
    for (int k = 0; k < entries; ++k) {
      const double z = -1 + 2. * k / (entries - 1);
      double weight = 0, moment = 0;
      constexpr int slices = 2000;
      for (int n = 0; n < slices; ++n) {
        const double t = z + (1 - z) * (n + 0.5) / slices;  // downwards
        const double w = std::pow(1 - t * t, 3 + 0.5 * (D - 1));
        weight += w;
        moment += w * t;
      }
      distance[std::size_t(k)] = k == entries - 1 ? 1 : moment / weight;
    }
    for (int k = 0, below = 0; k < entries; ++k) {
      const double s = double(k) / (entries - 1);
      while (below < entries - 2 && distance[std::size_t(below + 1)] < s) ++below;
      const double lo = distance[std::size_t(below)], hi = distance[std::size_t(below + 1)];
      height_[std::size_t(k)] = float(-1 + 2 * (below + (s - lo) / (hi - lo)) / (entries - 1));
    }
  }
  float operator()(float s) const {
    const float place = std::min(s, 1.f) * (entries - 1);
    const int below = std::min(int(place), entries - 2);
    const float t = place - float(below);
    return height_[std::size_t(below)] + t * (height_[std::size_t(below + 1)] - height_[std::size_t(below)]);
  }

 private:
  static constexpr int entries = 256;
  std::array<float, entries> height_;
};

template <int D>
const SurfaceHeight<D>& surface_height() {
  static const SurfaceHeight<D> height;
  return height;
}

}  // namespace whorl
