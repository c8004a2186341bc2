// Following the flow: Runge–Kutta traces through a staggered velocity.
//
// Points are in cells from the low corner of a tile: the centre of cell i is at i + ½, its low face
// along axis a at i along a and i + ½ along the others.
#pragma once

#include "grid/interpolate.h"
#include "grid/sampler.h"

namespace whorl {

// Where a quantity lives: at cell centres, or on the low faces along an axis.
inline constexpr int at_centres = -1;

// Offset from a cell's low corner to its sample, along axis a.
WHORL_INLINE constexpr float sample_offset(int location, int a) { return a == location ? 0.f : 0.5f; }

// The point, measured as samplers of a quantity at `location` want it.
template <int D, class Real>
WHORL_INLINE Vec<Real, D> relative_to_samples(Vec<Real, D> x, int location) {
  for (int a = 0; a < D; ++a) x[a] = x[a] - Real(sample_offset(location, a));
  return x;
}

// Velocity by multilinear interpolation of each component from its own faces (
// Bridson & Müller-Fischer 2007, ch. 3).
template <int D, class Sampler, class Real>
WHORL_INLINE Vec<Real, D> sample_velocity(const Sampler* component, const Vec<Real, D>& x) {
  Vec<Real, D> u;
  for (int a = 0; a < D; ++a) u[a] = sample<Linear, D>(component[a], relative_to_samples<D>(x, a));
  return u;
}

// Where a particle that is at x, with velocity u0 there, is after `step` (cells moved per unit
// velocity; negative goes back). Order 1: Euler; 2: midpoint; 3: Ralston's third-order rule.
template <int D, class Velocity, class Real>
WHORL_INLINE Vec<Real, D> trace(const Velocity& velocity, const Vec<Real, D>& x, const Vec<Real, D>& u0, Real step,
                                int order) {
  if (order == 1) return x + u0 * step;
  const Vec<Real, D> u1 = velocity(x + u0 * (Real(0.5f) * step));
  if (order == 2) return x + u1 * step;
  const Vec<Real, D> u2 = velocity(x + u1 * (Real(0.75f) * step));
  return x + (u0 * Real(2.f / 9) + u1 * Real(3.f / 9) + u2 * Real(4.f / 9)) * step;
}

// The largest part of a full step at which trace() looks the velocity up.
WHORL_INLINE constexpr float trace_reach(int order) { return order == 1 ? 0.f : order == 2 ? 0.5f : 0.75f; }

}  // namespace whorl
