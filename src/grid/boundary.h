// What a sampler finds beyond the sides of the domain, for one centred field or one face component.
#pragma once

#include "grid/domain.h"

namespace whorl {

// Cells of the field with lo <= index < hi have values of their own. Beyond, along each axis, either
// the nearest of those (`extend`) or a fixed value. Plain data: kernels carry it.
template <int D>
struct Boundary {
  Coord<D> lo, hi;
  bool extend[D][2];
  float value[D][2];
  bool open[D][2];  // air passes

  bool operator==(const Boundary&) const = default;

  // For what goes out by an open side: it stays as it is.
  Boundary outward() const {
    Boundary b = *this;
    for (int a = 0; a < D; ++a)
      for (int high = 0; high < 2; ++high) b.extend[a][high] = extend[a][high] || open[a][high];
    return b;
  }
};

// Scalars: no flux through walls, the background from open air, `inflow` at inflow sides.
template <int D>
Boundary<D> scalar_boundary(const Domain<D>& domain, float background, float inflow);

// The velocity that inflow sides impose.
template <int D>
struct Inflow {
  Vec<float, D> velocity[D][2] = {};  // [axis][0: low, 1: high]
};

// The largest component of the velocity at any inflow side.
template <int D>
float max_inflow_component(const Domain<D>& domain, const Inflow<D>& inflow);

// Component `axis` of the velocity: walls are slippery (tangential components go on, the normal one is
// zero), beyond open sides blows the wind, inflow sides have their own velocity. What comes in from open air
// must not bring the velocity of what it meets: that would feed on itself.
template <int D>
Boundary<D> velocity_boundary(const Domain<D>& domain, int axis, float wind, const Inflow<D>& inflow);

}  // namespace whorl
