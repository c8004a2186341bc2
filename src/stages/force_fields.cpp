#include "stages/force_fields.h"

#include "stages/box_cells.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// How much of a field each face feels. A distance changes by no more than the way gone, so that one look
// tells of most tiles that they lie inside or outside.
template <int D>
MacField<float, D> mask_of_shape(Exec& ex, const TopologyPtr<D>& topology, const ForceField<D>& force,
                                 double h) {
  MacField<float, D> mask = MacField<float, D>::unfilled(ex, topology);
  const double width = std::max(force.softness, h);
  const double to_corner = (tile_side / 2 + 1) * h * std::sqrt(double(D));  // a cell to spare, for meshes
  const auto share_at = [&](double distance) { return float(std::clamp(0.5 - distance / width, 0., 1.)); };
  ex.parallel_for(topology->tile_count(), tiles_per_chunk<D> / 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const Coord<D> first = topology->tiles()[std::size_t(tile)] * tile_side;
      const Box<D> cells{first, first + Coord<D>::filled(tile_side)};
      const double middle =
          force.shape->distance(convert<double>(first) * h + Vec<double, D>::filled(tile_side / 2 * h));
      const bool uniform = std::abs(middle) > to_corner + width / 2;
      for (int a = 0; a < D; ++a) {
        float* place = mask[a].data() + std::size_t(tile) * tile_cells<D>;
        if (uniform)
          std::fill_n(place, tile_cells<D>, share_at(middle));
        else
          for_each_coord(cells, [&](const Coord<D>& c) {
            *place++ = share_at(force.shape->distance(sample_place(c, a, h)));
          });
      }
    }
  });
  return mask;
}

// Acceleration is at(index, axis).
template <int D, class Acceleration>
struct Accelerate {
  FacePush<D> push;
  Acceleration acceleration;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    for (int a = 0; a < D; ++a) push.add(i, a, acceleration.at(i, a));
  }
};

template <int D>
struct SameEverywhere {
  Vec<float, D> acceleration;

  template <class Index>
  WHORL_INLINE auto at(const Index&, int axis) const {
    return typename Index::Real(acceleration[axis]);
  }
};

template <int D>
struct FromField {
  MacView<const float, D> acceleration;
  float strength;

  template <class Index>
  WHORL_INLINE auto at(const Index& i, int axis) const {
    return typename Index::Real(strength) * acceleration[axis](i);
  }
};

// Over the distance, so that a force is this times the way to a place.
struct Profile {
  float acceleration, radius, power;

  template <class Real>
  WHORL_INLINE Real over_distance(Real distance2) const {
    const Real distance = sqrt(max(distance2, Real(radius * radius)));
    const Real nearness = Real(radius) / distance;  // 1 within the radius
    return Real(acceleration) / distance *
           from_elements<Real>([&](int k) { return powf(element(nearness, k), power); });
  }
};

template <int D>
struct FromPoint {
  TopologyView<D> cells;
  Vec<double, D> center;
  double h;
  Profile profile;

  template <class Index>
  WHORL_INLINE auto at(const Index& i, int axis) const {
    const auto d = face_from<D>(center, cells, i, axis, h);
    return d[axis] * profile.over_distance(dot(d, d));
  }
};

template <int D>
struct RoundAxis {
  TopologyView<D> cells;
  Vec<double, D> center;
  double h;
  Turn<float, D> axis;  // of length 1
  Profile profile;

  template <class Index>
  WHORL_INLINE auto at(const Index& i, int a) const {
    using Real = typename Index::Real;
    const Vec<Real, D> d = face_from<D>(center, cells, i, a, h);
    Vec<Real, D> round;  // along the circle, and as long as its radius
    for (int b = 0; b < D; ++b) round[b] = cross_component<D>(axis, d, b);
    return round[a] * profile.over_distance(dot(round, round));
  }
};

// |u - v| at the centres of active cells.
template <int D>
struct RelativeSpeed {
  MacView<const float, D> u;
  Vec<float, D> target;
  FieldView<float, D> out;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    Real sum(0.f);
    for (int a = 0; a < D; ++a) {
      const Real w = Real(0.5f) * (u[a](i) + u[a](i, a, +1)) - Real(target[a]);
      sum += w * w;
    }
    out.store(i, sqrt(sum));
  }
};

// u - v after dt is (u - v) / (1 + k dt), with the k of before: backward Euler but for the speed in k.
template <int D>
struct Drag {
  FacePush<D> push;
  Vec<float, D> target;
  FieldView<const float, D> speed;  // null where drag is linear
  float rate, quadratic;

  // The mean of the cells there are on either side of a face.
  template <class Index>
  WHORL_INLINE auto face_speed(const Index& i, int axis) const {
    using Real = typename Index::Real;
    const auto here = mask_of<Real>(push.cells.active_bits(i));
    const auto below = mask_of<Real>(push.cells.active_bits(i, axis, -1));
    const Real low = select(below, speed(i, axis, -1), speed(i)), high = select(here, speed(i), low);
    return Real(0.5f) * (low + high);
  }
  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      Real k(rate);
      if (speed.data) k = k + Real(quadratic) * face_speed(i, a);
      const Real w = push.velocity[a](i) - Real(target[a]), kdt = k * Real(push.dt) * push.share(i, a);
      push.velocity[a].store(i, push.velocity[a](i) - w * (kdt / (Real(1.f) + kdt)));
    }
  }
};

// Calls the kernel of each kind of part.
template <int D>
class Pusher {
 public:
  Pusher(Exec& ex, MacField<float, D>& velocity, const FacePush<D>& push, double strength, double h, double t)
      : ex_(ex), velocity_(velocity), push_(push), strength_(strength), h_(h), t_(t) {}

  void operator()(const UniformForce<D>& f) const {
    accelerate(SameEverywhere<D>{convert<float>(f.acceleration * strength_)});
  }
  void operator()(const RadialForce<D>& f) const {
    accelerate(FromPoint<D>{push_.cells, f.center, h_, profile(f)});
  }
  void operator()(const VortexForce<D>& f) const {
    accelerate(RoundAxis<D>{push_.cells, f.center, h_, convert<float>(normalised(f.axis)), profile(f)});
  }
  void operator()(const Turbulence& f) const {
    add_curl_noise(ex_, *velocity_.topology(), push_, f, strength_, h_, t_);
  }
  void operator()(const CustomForce<D>& f) const {
    MacField<float, D> field(ex_, velocity_.topology());
    f.acceleration(field);
    accelerate(FromField<D>{std::as_const(field).view(), float(strength_)});
  }
  void operator()(const DragForce<D>& f) const {
    const Vec<float, D> target = convert<float>(f.velocity);
    Field<float, D> speed;
    if (f.quadratic != 0) {
      speed = Field<float, D>(ex_, velocity_.topology());
      for_rows(ex_, velocity_.topology()->active_tile_set(),
               RelativeSpeed<D>{std::as_const(velocity_).view(), target, speed.view()});
    }
    for_rows(ex_, velocity_.topology()->tile_set(),
             Drag<D>{push_, target, std::as_const(speed).view(), float(f.rate * strength_),
                     float(f.quadratic * strength_)});
  }

 private:
  template <class Acceleration>
  void accelerate(const Acceleration& acceleration) const {
    for_rows(ex_, velocity_.topology()->tile_set(), Accelerate<D, Acceleration>{push_, acceleration});
  }
  Profile profile(const auto& f) const {
    return {float(f.acceleration * strength_), float(f.radius), float(f.power)};
  }

  Exec& ex_;
  MacField<float, D>& velocity_;
  FacePush<D> push_;
  double strength_, h_, t_;
};

template <int D>
double largest(const Vec<double, D>& x) {
  double most = 0;
  for (int a = 0; a < D; ++a) most = std::max(most, std::abs(x[a]));
  return most;
}

// How strong a part can be anywhere, at a strength of 1.
template <int D>
struct LimitOf {
  Exec& ex;
  const TopologyPtr<D>& topology;

  ForceLimit operator()(const UniformForce<D>& f) const { return {largest(f.acceleration), 0}; }
  ForceLimit operator()(const DragForce<D>& f) const { return {0, largest(f.velocity)}; }
  ForceLimit operator()(const RadialForce<D>& f) const { return {std::abs(f.acceleration), 0}; }
  ForceLimit operator()(const VortexForce<D>& f) const { return {std::abs(f.acceleration), 0}; }
  ForceLimit operator()(const Turbulence& f) const { return {max_curl_noise(f), 0}; }
  ForceLimit operator()(const CustomForce<D>& f) const {
    MacField<float, D> field(ex, topology);
    f.acceleration(field);
    return {max_component(ex, field), 0};
  }
};

}  // namespace

template <int D>
void add_forces(Exec& ex, MacField<float, D>& velocity, std::span<const ForceField<D>> forces, double h,
                double t, double dt) {
  if (forces.empty()) return;
  const Zone zone(ex.profile(), "add_forces");
  for (const ForceField<D>& force : forces) {
    if (force.strength == 0) continue;
    MacField<float, D> mask;
    if (force.shape) mask = mask_of_shape(ex, velocity.topology(), force, h);
    const FacePush<D> push{velocity.view(), std::as_const(mask).view(), velocity.topology()->view(),
                           float(dt)};
    for (const ForcePart<D>& part : force.parts)
      std::visit(Pusher<D>(ex, velocity, push, force.strength, h, t), part);
  }
}

template <int D>
ForceLimit force_limit(Exec& ex, const TopologyPtr<D>& topology, std::span<const ForceField<D>> forces) {
  ForceLimit all;
  for (const ForceField<D>& force : forces) {
    if (force.strength == 0) continue;
    for (const ForcePart<D>& part : force.parts) {
      const ForceLimit limit = std::visit(LimitOf<D>{ex, topology}, part);
      all.acceleration += std::abs(force.strength) * limit.acceleration;
      all.speed = std::max(all.speed, limit.speed);
    }
  }
  return all;
}

template void add_forces(Exec&, MacField<float, 2>&, std::span<const ForceField<2>>, double, double, double);
template void add_forces(Exec&, MacField<float, 3>&, std::span<const ForceField<3>>, double, double, double);
template ForceLimit force_limit(Exec&, const TopologyPtr<2>&, std::span<const ForceField<2>>);
template ForceLimit force_limit(Exec&, const TopologyPtr<3>&, std::span<const ForceField<3>>);

}  // namespace whorl
