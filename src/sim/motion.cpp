#include "sim/motion.h"

namespace whorl {

namespace {

template <int D>
struct Pose {
  Vec<double, D> translate{};
  Angles<D> rotate_deg{};
};

template <int D>
Pose<D> pose_at(const MotionConfig<D>& motion, double t) {
  const auto& keys = motion.keys;
  if (keys.empty()) return {};
  std::size_t next = 0;
  while (next < keys.size() && keys[next].t <= t) ++next;
  const MotionKey<D>& from = keys[next ? next - 1 : 0];
  const MotionKey<D>& to = keys[next < keys.size() ? next : next - 1];
  const double part = from.t < to.t ? key_progress(t, from.t, to.t, motion.interp) : 0;
  return {from.translate + (to.translate - from.translate) * part,
          from.rotate_deg + (to.rotate_deg - from.rotate_deg) * part};
}

template <int D>
Shape<D> posed(const Shape<D>& shape, const Pose<D>& pose) {
  return TransformShape<D>{{shape}, pose.translate, pose.rotate_deg, 1};
}

// The velocity that brings every point of a body from one pose to another in dt.
template <int D>
RigidVelocity<D> velocity_between(const Pose<D>& from, const Pose<D>& to, double dt) {
  // A point that is at x in the end was at R x + s before.
  const Rotation<D> before = rotation<D>(from.rotate_deg), after = rotation<D>(to.rotate_deg);
  const auto back = [&](const Vec<double, D>& x) { return before.apply(after.apply_inverse(x)); };
  RigidVelocity<D> v;
  v.at_origin = (back(to.translate) - from.translate) * (1 / dt);
  for (int a = 0; a < D; ++a) {
    const Vec<double, D> unit = Vec<double, D>::unit(a);
    v.gradient[std::size_t(a)] = (unit - back(unit)) * (1 / dt);
  }
  return v;
}

}  // namespace

template <int D>
Shape<D> shape_at(const SolidConfig<D>& solid, double t) {
  return solid.motion.keys.empty() ? solid.shape : posed(solid.shape, pose_at(solid.motion, t));
}

template <int D>
Shape<D> moved(const Shape<D>& shape, const Vec<double, D>& by) {
  if (by == Vec<double, D>{}) return shape;
  return TransformShape<D>{{shape}, by, {}, 1};
}

template <int D>
Solid<D> solid_over(const SolidConfig<D>& solid, double t, double dt, const Vec<double, D>& origin) {
  const Vec<double, D> shift = Vec<double, D>{} - origin;
  if (solid.motion.keys.empty()) {
    const Shape<D> rest = moved(solid.shape, shift);
    return {rest, rest, {}};
  }
  Pose<D> from = pose_at(solid.motion, t), to = pose_at(solid.motion, t + dt);
  from.translate = from.translate + shift;
  to.translate = to.translate + shift;
  return {posed(solid.shape, from), posed(solid.shape, to), velocity_between(from, to, dt)};
}

template Shape<2> shape_at(const SolidConfig<2>&, double);
template Shape<3> shape_at(const SolidConfig<3>&, double);
template Shape<2> moved(const Shape<2>&, const Vec<double, 2>&);
template Shape<3> moved(const Shape<3>&, const Vec<double, 3>&);
template Solid<2> solid_over(const SolidConfig<2>&, double, double, const Vec<double, 2>&);
template Solid<3> solid_over(const SolidConfig<3>&, double, double, const Vec<double, 3>&);

}  // namespace whorl
