#include "geometry/shape.h"

#include "base/check.h"
#include "geometry/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace whorl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// From the distances to the slabs that bound a box-like shape, each negative inside its slab.
template <int N>
double distance_from_slabs(const Vec<double, N>& slab) {
  double outside = 0, nearest = -infinity;
  for (int a = 0; a < N; ++a) {
    outside += std::pow(std::max(slab[a], 0.0), 2);
    nearest = std::max(nearest, slab[a]);
  }
  return std::sqrt(outside) + std::min(nearest, 0.0);
}

// Where a point is as seen from a round shape: along its axis (0 in 2D about z), and off it.
struct Cylindrical {
  double along, off;
};

template <int D>
Cylindrical cylindrical(Vec<double, D> at, ShapeAxis axis) {
  double along = 0;
  if (int(axis) < D) std::swap(along, at[int(axis)]);
  return {along, length(at)};
}

// Half the size of a round shape along each axis.
template <int D>
Vec<double, D> round_reach(ShapeAxis axis, double along, double off) {
  auto reach = Vec<double, D>::filled(off);
  if (int(axis) < D) reach[int(axis)] = along;
  return reach;
}

template <int D>
double distance_to(const BoxShape<D>& s, const Vec<double, D>& at) {
  Vec<double, D> slab;
  for (int a = 0; a < D; ++a) slab[a] = std::max(s.min[a] - at[a], at[a] - s.max[a]);
  return distance_from_slabs(slab);
}

template <int D>
double distance_to(const SphereShape<D>& s, const Vec<double, D>& at) {
  return length(at - s.center) - s.radius;
}

template <int D>
double distance_to(const CapsuleShape<D>& s, const Vec<double, D>& at) {
  const Vec<double, D> along = s.end - s.start, from = at - s.start;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(from, along) / squared, 0.0, 1.0) : 0;
  return length(from - along * t) - s.radius;
}

template <int D>
double distance_to(const CylinderShape<D>& s, const Vec<double, D>& at) {
  const Cylindrical p = cylindrical(at - s.center, s.axis);
  const bool has_ends = int(s.axis) < D;
  return distance_from_slabs(
      Vec<double, 2>{p.off - s.radius, has_ends ? std::abs(p.along) - s.height / 2 : -infinity});
}

template <int D>
double distance_to(const PlaneShape<D>& s, const Vec<double, D>& at) {
  return dot(at - s.point, s.normal) / length(s.normal);
}

template <int D>
double distance_to(const TorusShape<D>& s, const Vec<double, D>& at) {
  const Cylindrical p = cylindrical(at - s.center, s.axis);
  return std::hypot(p.off - s.ring_radius, p.along) - s.tube_radius;
}

template <int D>
double distance_to(const MeshShape<D>& s, const Vec<double, D>& at) {
  CHECK(s.mesh, "the mesh of ", s.file, " has not been read");
  Vec<double, 3> x{};  // in 2D on the plane z = 0
  for (int a = 0; a < D; ++a) x[a] = at[a];
  return s.mesh->distance(x);
}

template <int D>
double nearest_of(const std::vector<Shape<D>>& parts, const Vec<double, D>& at) {
  double d = infinity;
  for (const Shape<D>& part : parts) d = std::min(d, part.distance(at));
  return d;
}

template <int D>
double distance_to(const UnionShape<D>& s, const Vec<double, D>& at) {
  return nearest_of(s.parts, at);
}

template <int D>
double distance_to(const IntersectionShape<D>& s, const Vec<double, D>& at) {
  double d = s.parts.empty() ? infinity : -infinity;
  for (const Shape<D>& part : s.parts) d = std::max(d, part.distance(at));
  return d;
}

template <int D>
double distance_to(const DifferenceShape<D>& s, const Vec<double, D>& at) {
  if (s.parts.empty()) return infinity;
  double d = s.parts[0].distance(at);
  for (std::size_t i = 1; i < s.parts.size(); ++i) d = std::max(d, -s.parts[i].distance(at));
  return d;
}

template <int D>
double distance_to(const ComplementShape<D>& s, const Vec<double, D>& at) {
  return -nearest_of(s.parts, at);
}

template <int D>
double distance_to(const PosedShape<D>& s, const Vec<double, D>& at) {
  return nearest_of(s.parts, s.turn.apply_inverse(at - s.translate));
}

template <int D>
double distance_to(const TransformShape<D>& s, const Vec<double, D>& at) {
  const Vec<double, D> local = s.turn.apply_inverse(at - s.translate) * (1 / s.scale);
  return nearest_of(s.parts, local) * s.scale;
}

// ---- bounds

template <int D>
Bounds<D> no_bounds() {
  return {Vec<double, D>::filled(-infinity), Vec<double, D>::filled(infinity)};
}

template <int D>
Bounds<D> empty_bounds() {
  return {Vec<double, D>::filled(infinity), Vec<double, D>::filled(-infinity)};
}

template <int D>
void grow(Bounds<D>& bounds, const Bounds<D>& by) {
  for (int a = 0; a < D; ++a) {
    bounds.lo[a] = std::min(bounds.lo[a], by.lo[a]);
    bounds.hi[a] = std::max(bounds.hi[a], by.hi[a]);
  }
}

template <int D>
Bounds<D> bounds_of(const BoxShape<D>& s) {
  return {s.min, s.max};
}

template <int D>
Bounds<D> bounds_of(const SphereShape<D>& s) {
  const auto reach = Vec<double, D>::filled(s.radius);
  return {s.center - reach, s.center + reach};
}

template <int D>
Bounds<D> bounds_of(const CapsuleShape<D>& s) {
  Bounds<D> bounds = bounds_of(SphereShape<D>{s.start, s.radius});
  grow(bounds, bounds_of(SphereShape<D>{s.end, s.radius}));
  return bounds;
}

template <int D>
Bounds<D> bounds_of(const CylinderShape<D>& s) {
  const auto reach = round_reach<D>(s.axis, s.height / 2, s.radius);
  return {s.center - reach, s.center + reach};
}

template <int D>
Bounds<D> bounds_of(const PlaneShape<D>& s) {
  Bounds<D> bounds = no_bounds<D>();
  for (int a = 0; a < D; ++a) {
    if (std::abs(s.normal[a]) != length(s.normal)) continue;  // not square to this axis
    (s.normal[a] > 0 ? bounds.hi : bounds.lo)[a] = s.point[a];
  }
  return bounds;
}

template <int D>
Bounds<D> bounds_of(const TorusShape<D>& s) {
  const auto reach = round_reach<D>(s.axis, s.tube_radius, s.ring_radius + s.tube_radius);
  return {s.center - reach, s.center + reach};
}

template <int D>
Bounds<D> bounds_of(const MeshShape<D>& s) {
  if (!s.mesh) return no_bounds<D>();
  Bounds<D> bounds;
  for (int a = 0; a < D; ++a) bounds.lo[a] = s.mesh->bounds().lo[a], bounds.hi[a] = s.mesh->bounds().hi[a];
  return bounds;
}

template <int D>
Bounds<D> hull_of(const std::vector<Shape<D>>& parts) {
  Bounds<D> bounds = empty_bounds<D>();
  for (const Shape<D>& part : parts) grow(bounds, part.bounds());
  return bounds;
}

template <int D>
Bounds<D> bounds_of(const UnionShape<D>& s) {
  return hull_of(s.parts);
}

template <int D>
Bounds<D> bounds_of(const IntersectionShape<D>& s) {
  if (s.parts.empty()) return empty_bounds<D>();
  Bounds<D> bounds = no_bounds<D>();
  for (const Shape<D>& part : s.parts) {
    const Bounds<D> by = part.bounds();
    for (int a = 0; a < D; ++a) {
      bounds.lo[a] = std::max(bounds.lo[a], by.lo[a]);
      bounds.hi[a] = std::min(bounds.hi[a], by.hi[a]);
    }
  }
  return bounds;
}

template <int D>
Bounds<D> bounds_of(const DifferenceShape<D>& s) {
  return s.parts.empty() ? empty_bounds<D>() : s.parts[0].bounds();
}

template <int D>
Bounds<D> bounds_of(const ComplementShape<D>&) {
  return no_bounds<D>();
}

// Of what is in a box after place(x).
template <int D, class Place>
Bounds<D> bounds_after(const Bounds<D>& local, const Place& place) {
  if (local.empty()) return local;
  for (int a = 0; a < D; ++a)
    if (std::isinf(local.lo[a]) || std::isinf(local.hi[a])) return no_bounds<D>();
  Bounds<D> bounds = empty_bounds<D>();
  for (int corner = 0; corner < 1 << D; ++corner) {
    Vec<double, D> at;
    for (int a = 0; a < D; ++a) at[a] = (corner >> a & 1 ? local.hi : local.lo)[a];
    const Vec<double, D> image = place(at);
    grow(bounds, {image, image});
  }
  return bounds;
}

template <int D>
Bounds<D> bounds_of(const TransformShape<D>& s) {
  return bounds_after(hull_of(s.parts),
                      [&](const Vec<double, D>& x) { return s.turn.apply(x * s.scale) + s.translate; });
}

template <int D>
Bounds<D> bounds_of(const PosedShape<D>& s) {
  return bounds_after(hull_of(s.parts),
                      [&](const Vec<double, D>& x) { return s.turn.apply(x) + s.translate; });
}

}  // namespace

template <int D>
bool Bounds<D>::empty() const {
  for (int a = 0; a < D; ++a)
    if (lo[a] > hi[a]) return true;
  return false;
}

template <int D>
bool Bounds<D>::overlaps(const Bounds& other) const {
  for (int a = 0; a < D; ++a)
    if (!(lo[a] < other.hi[a] && other.lo[a] < hi[a])) return false;
  return true;
}

template <int D>
double Shape<D>::distance(const Vec<double, D>& at) const {
  return std::visit([&](const auto& shape) { return distance_to(shape, at); }, node_);
}

template <int D>
Bounds<D> Shape<D>::bounds() const {
  return std::visit([](const auto& shape) { return bounds_of(shape); }, node_);
}

template struct Bounds<2>;
template struct Bounds<3>;
template class Shape<2>;
template class Shape<3>;

}  // namespace whorl
