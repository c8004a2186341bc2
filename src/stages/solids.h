// Solids, as the grid sees them: faces that nothing passes, cells that no fluid is in.
//
// A face is closed when its centre lies in a solid. Cut faces, with fractions between, will come through the
// same open fractions.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"
#include "grid/retile.h"

#include <array>
#include <span>

namespace whorl {

// A rigid motion's velocity at a place x: at_origin + Σ_a x_a · gradient[a].
template <int D>
struct RigidVelocity {
  Vec<double, D> at_origin{};
  std::array<Vec<double, D>, D> gradient{};

  Vec<double, D> at(const Vec<double, D>& x) const {
    Vec<double, D> u = at_origin;
    for (int a = 0; a < D; ++a) u = u + gradient[std::size_t(a)] * x[a];
    return u;
  }
};

// In metres from the low corner of cell 0.
template <int D>
struct Solid {
  Shape<D> before;  // where it is at the start of a step …
  Shape<D> shape;   // … and at its end
  RigidVelocity<D> velocity;
};

// Takes what a solid covers from the open fractions.
template <int D>
void close_faces(Exec& ex, MacField<float, D>& open, const Shape<D>& solid, double h);

// Gives the faces that a solid covers its velocity.
template <int D>
void enforce_solids(Exec& ex, MacField<float, D>& velocity, std::span<const Solid<D>> solids, double h);

// The active cells with an open face.
template <int D>
CellMask<D> fluid_cells(Exec& ex, const MacField<float, D>& open);

// Sampling next to a wall reads cells and faces behind it. These get what the fluid before the wall has: air
// slips along it, and no smoke is lost to it.
template <int D>
void extend_into_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid);
template <int D>
void extend_into_solids(Exec& ex, MacField<float, D>& velocity, const CellMask<D>& fluid);

// The background in active cells that are not fluid.
template <int D>
void clear_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid);

}  // namespace whorl
