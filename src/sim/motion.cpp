#include "sim/motion.h"

#include "base/box.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// How many of a key's angles differ from the next one's.
template <int D>
int changed_angles(const Angles<D>& from, const Angles<D>& to) {
  int count = 0;
  for (int k = 0; k < D * (D - 1) / 2; ++k) count += from[k] != to[k];
  return count;
}

template <int D>
Pose<D> pose_at(const MotionConfig<D>& motion, double t) {
  const auto& keys = motion.keys;
  if (keys.empty()) return {};
  std::size_t next = 0;
  while (next < keys.size() && keys[next].t <= t) ++next;
  const MotionKey<D>& from = keys[next ? next - 1 : 0];
  const MotionKey<D>& to = keys[next < keys.size() ? next : next - 1];
  const double part = from.t < to.t ? key_progress(t, from.t, to.t, motion.interp) : 0;
  Pose<D> pose{from.translate + (to.translate - from.translate) * part, {}};
  // One angle that changes is a turn about one axis, and may go round many times; otherwise the shortest way.
  if (changed_angles<D>(from.rotate_deg, to.rotate_deg) <= 1)
    pose.turn = quaternion<D>(from.rotate_deg + (to.rotate_deg - from.rotate_deg) * part);
  else
    pose.turn = slerp(quaternion<D>(from.rotate_deg), quaternion<D>(to.rotate_deg), part);
  return pose;
}

template <int D>
Shape<D> posed(const Shape<D>& shape, const Pose<D>& pose) {
  return PosedShape<D>{{shape}, pose.translate, rotation<D>(pose.turn)};
}

// A rigid body's velocity at the end of a step: its origin's mean one, and ω × (x - origin).
template <int D>
RigidVelocity<D> velocity_between(const Pose<D>& from, const Pose<D>& to, double dt) {
  const Vec<double, 3> spin = turn_between(from.turn, to.turn) * (1 / dt);
  const auto turned = [&](const Vec<double, D>& x) {
    Vec<double, 3> in_space{};
    for (int a = 0; a < D; ++a) in_space[a] = x[a];
    const Vec<double, 3> u = cross(spin, in_space);
    Vec<double, D> v;
    for (int a = 0; a < D; ++a) v[a] = u[a];
    return v;
  };
  RigidVelocity<D> v;
  v.at_origin = (to.translate - from.translate) * (1 / dt) - turned(to.translate);
  for (int a = 0; a < D; ++a) v.gradient[std::size_t(a)] = turned(Vec<double, D>::unit(a));
  return v;
}

}  // namespace

template <int D>
Pose<D> pose_of(const SolidConfig<D>& solid, double t) {
  return pose_at(solid.motion, t);
}

template <int D>
bool moves(const MotionConfig<D>& motion, double from, double to) {
  if (!(from < to)) return false;
  for (std::size_t k = 1; k < motion.keys.size(); ++k) {
    const MotionKey<D>&before = motion.keys[k - 1], &after = motion.keys[k];
    const bool under_way = motion.interp == KeyInterpolation::step ? from < after.t && after.t <= to
                                                                   : before.t < to && from < after.t;
    if (under_way && !(before.translate == after.translate && before.rotate_deg == after.rotate_deg))
      return true;
  }
  return false;
}

template <int D>
Shape<D> shape_at(const SolidConfig<D>& solid, double t) {
  return solid.motion.keys.empty() ? solid.shape : posed(solid.shape, pose_at(solid.motion, t));
}

template <int D>
Shape<D> moved(const Shape<D>& shape, const Vec<double, D>& by) {
  if (by == Vec<double, D>{}) return shape;
  return PosedShape<D>{{shape}, by};
}

namespace {

// As if it went evenly from where it is at t to where it is at t + dt.
template <int D>
Solid<D> swept(const SolidConfig<D>& solid, double t, double dt, const Vec<double, D>& origin) {
  const Vec<double, D> shift = Vec<double, D>{} - origin;
  if (solid.motion.keys.empty()) {
    const Shape<D> rest = moved(solid.shape, shift);
    return {rest, rest, {}, {}};
  }
  const auto pose = [&](double time) {
    Pose<D> p = pose_at(solid.motion, time);
    p.translate = p.translate + shift;
    return p;
  };
  const Pose<D> from = pose(t), to = pose(t + dt);
  return {posed(solid.shape, from), posed(solid.shape, to), velocity_between(from, to, dt),
          posed(solid.shape, pose(t + dt / 2))};
}

}  // namespace

template <int D>
Solid<D> solid_over(const SolidConfig<D>& solid, double t, double dt, const Vec<double, D>& origin) {
  Solid<D> over = swept(solid, t, dt, origin);
  // A solid that jumps is at rest wherever it is: it drives no air before it.
  if (solid.motion.interp == KeyInterpolation::step) over.velocity = {};
  return over;
}

template <int D>
double fastest_corner(const Solid<D>& solid) {
  double fastest = 0;
  const Bounds<D> bounds = solid.shape.bounds();
  for_each_coord(Box<D>{{}, Coord<D>::filled(2)}, [&](const Coord<D>& corner) {
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) {
      x[a] = corner[a] ? bounds.hi[a] : bounds.lo[a];
      if (!std::isfinite(x[a])) x[a] = 0;
    }
    fastest = std::max(fastest, length(solid.velocity.at(x)));
  });
  return fastest;
}

template <int D>
Sweep<D> sweep_of(const SolidConfig<D>& solid, double t, double dt) {
  Sweep<D> sweep{0, shape_at(solid, t).bounds()};
  if (solid.motion.keys.empty()) return sweep;
  constexpr int pieces = 16;  // it may turn back on the way
  for (int k = 0; k < pieces && dt > 0; ++k) {
    const Solid<D> piece = swept(solid, t + k * dt / pieces, dt / pieces, {});
    sweep.speed = std::max(sweep.speed, fastest_corner(piece));
    const Bounds<D> next = piece.shape.bounds();
    for (int a = 0; a < D; ++a) {
      sweep.bounds.lo[a] = std::min(sweep.bounds.lo[a], next.lo[a]);
      sweep.bounds.hi[a] = std::max(sweep.bounds.hi[a], next.hi[a]);
    }
  }
  return sweep;
}

template Pose<2> pose_of(const SolidConfig<2>&, double);
template Pose<3> pose_of(const SolidConfig<3>&, double);
template bool moves(const MotionConfig<2>&, double, double);
template bool moves(const MotionConfig<3>&, double, double);
template Shape<2> shape_at(const SolidConfig<2>&, double);
template Shape<3> shape_at(const SolidConfig<3>&, double);
template Shape<2> moved(const Shape<2>&, const Vec<double, 2>&);
template Shape<3> moved(const Shape<3>&, const Vec<double, 3>&);
template double fastest_corner(const Solid<2>&);
template double fastest_corner(const Solid<3>&);
template Sweep<2> sweep_of(const SolidConfig<2>&, double, double);
template Sweep<3> sweep_of(const SolidConfig<3>&, double, double);
template Solid<2> solid_over(const SolidConfig<2>&, double, double, const Vec<double, 2>&);
template Solid<3> solid_over(const SolidConfig<3>&, double, double, const Vec<double, 3>&);

}  // namespace whorl
