// Sunlight that water and glass gather on the ground: photons counted in the cells of a map (after Arvo
// 1986).
#pragma once

#include "render/medium.h"

#include <vector>

namespace whorl {

class Caustics {
 public:
  // Sends about `photons` of them from the sun to where there is something clear.
  Caustics(Exec& ex, const LiquidWorld& world, const Daylight& day, const ClearWater& water, int photons,
           std::uint64_t seed);

  bool covers(const Point& x) const;
  // What the ground gets at x of light that has met a clear surface on its way.
  Rgb irradiance(const Point& x) const;

 private:
  Rgb at(int i, int j) const;

  double x_ = 0, z_ = 0;  // its low corner
  double cell_ = 1;       // m
  int width_ = 0, depth_ = 0;
  std::vector<Rgb> cells_;
};

}  // namespace whorl
