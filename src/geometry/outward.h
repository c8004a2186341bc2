// The way out of a shape.
#pragma once

#include "geometry/shape.h"

namespace whorl {

// Along which the distance grows fastest at a place, found over `step` to both sides; zero where there is no
// such way.
template <int D>
Vec<double, D> outward(const Shape<D>& shape, const Vec<double, D>& x, double step) {
  Vec<double, D> n;
  for (int a = 0; a < D; ++a) {
    const Vec<double, D> by = Vec<double, D>::unit(a, step);
    n[a] = shape.distance(x + by) - shape.distance(x - by);
  }
  const double size = length(n);
  return size > 0 ? n * (1 / size) : Vec<double, D>{};
}

}  // namespace whorl
