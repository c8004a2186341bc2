// Following the flow: Runge–Kutta traces through a staggered velocity.
//
// A point is a place where a quantity lives (the centre or a face of cell `at`) and a displacement from
// there, in cells: displacements are small, so they keep their precision wherever the cell is.
#pragma once

#include "grid/interpolate.h"
#include "grid/sampler.h"

namespace whorl {

// Where a quantity lives: at cell centres, on the low faces along an axis, or in the middle of the edge along
// an axis that starts at the cell's low corner (in 2D there is one axis more: its edge is the corner itself).
inline constexpr int at_centres = -1;
WHORL_INLINE constexpr int at_edges(int axis) { return 3 + axis; }

// From a cell's low corner to its sample, along axis a, in cells.
WHORL_INLINE constexpr float sample_offset(int location, int a) {
  const bool on_edge = location >= at_edges(0);
  return (on_edge ? a != location - at_edges(0) : a == location) ? 0.f : 0.5f;
}

// The velocity at a point `d` away from where a quantity at `location` lives: each component by
// multilinear interpolation from its own faces (Bridson & Müller-Fischer 2007, ch. 3).
template <int D, class Sampler, class Real>
WHORL_INLINE Vec<Real, D> sample_velocity(const Sampler* component, const Coord<D>& at, int location,
                                          const Vec<Real, D>& d) {
  Vec<Real, D> u;
  for (int a = 0; a < D; ++a) {
    Vec<Real, D> from_face = d;
    for (int b = 0; b < D; ++b) from_face[b] = d[b] + Real(sample_offset(location, b) - sample_offset(a, b));
    u[a] = sample<Linear, D>(component[a], at, from_face);
  }
  return u;
}

// How far a particle moves in `step` (cells per unit velocity; negative goes back), given its velocity u0
// at the start and velocity(d) at a displacement. Order 1: Euler; 2: midpoint; 3: Ralston's rule.
template <int D, class Velocity, class Real>
WHORL_INLINE Vec<Real, D> trace(const Velocity& velocity, const Vec<Real, D>& u0, Real step, int order) {
  if (order == 1) return u0 * step;
  const Vec<Real, D> u1 = velocity(u0 * (Real(0.5f) * step));
  if (order == 2) return u1 * step;
  const Vec<Real, D> u2 = velocity(u1 * (Real(0.75f) * step));
  return (u0 * Real(2.f / 9) + u1 * Real(3.f / 9) + u2 * Real(4.f / 9)) * step;
}

// The largest part of a full step at which trace() looks the velocity up.
WHORL_INLINE constexpr float trace_reach(int order) { return order == 1 ? 0.f : order == 2 ? 0.5f : 0.75f; }

}  // namespace whorl
