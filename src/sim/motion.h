// Where a solid of a scene is, and how it moves.
#pragma once

#include "scene/config.h"
#include "stages/solids.h"

namespace whorl {

// Turned about the origin, then moved.
template <int D>
struct Pose {
  Vec<double, D> translate{};
  Quaternion turn;
};
template <int D>
Pose<D> pose_of(const SolidConfig<D>& solid, double t);

// Whether it is in more than one place, or turned in more than one way, from one time to another.
template <int D>
bool moves(const MotionConfig<D>& motion, double from, double to);

// The shape at a time, in the scene's metres.
template <int D>
Shape<D> shape_at(const SolidConfig<D>& solid, double t);

// For a step from t to t + dt, in metres from `origin`.
template <int D>
Solid<D> solid_over(const SolidConfig<D>& solid, double t, double dt, const Vec<double, D>& origin);

// The fastest corner of the box round a solid, in m/s.
template <int D>
double fastest_corner(const Solid<D>& solid);

// From t to t + dt: the fastest corner of the box round a solid, and a box that holds all places where it is.
template <int D>
struct Sweep {
  double speed = 0;  // m/s
  Bounds<D> bounds;
};
template <int D>
Sweep<D> sweep_of(const SolidConfig<D>& solid, double t, double dt);

// A shape that has gone so far.
template <int D>
Shape<D> moved(const Shape<D>& shape, const Vec<double, D>& by);

}  // namespace whorl
