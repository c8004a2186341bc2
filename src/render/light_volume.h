// How much stands between each point of space and a distant light.
#pragma once

#include "exec/exec.h"
#include "render/dense_grid.h"

namespace whorl {

// Slices of the grid across one axis are pushed sideways, each a little further than the one before, until
// the light shines straight down their columns: then the optical depth is a running sum down each column,
// without error from the light's slant.
class LightVolume {
 public:
  LightVolume(Exec& ex, const DenseGrid<float>& extinction, const Point& to_light);

  // The optical depth from a point to the light. Points beyond the grid are seen through it.
  float depth(const Point& x) const;

 private:
  Point origin_;
  double cell_;
  int along_, axis_[2];     // the axis of the columns, and the two across
  double first_, towards_;  // where columns begin, at the light's end of the grid, and its side: 1 or -1
  double slope_[2], low_[2];
  int slices_, width_[2];
  Buffer<float> depth_;  // [across 0][slice boundary, from the light][across 1]
};

}  // namespace whorl
