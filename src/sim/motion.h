// Where a solid of a scene is, and how it moves.
#pragma once

#include "scene/config.h"
#include "stages/solids.h"

namespace whorl {

// The shape at a time, in the scene's metres.
template <int D>
Shape<D> shape_at(const SolidConfig<D>& solid, double t);

// For a step from t to t + dt, in metres from `origin`.
template <int D>
Solid<D> solid_over(const SolidConfig<D>& solid, double t, double dt, const Vec<double, D>& origin);

// A shape as seen from `origin`.
template <int D>
Shape<D> moved(const Shape<D>& shape, const Vec<double, D>& by);

}  // namespace whorl
