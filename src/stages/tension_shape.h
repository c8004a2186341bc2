// The shape of a surface, as smooth as surface tension needs it.
//
// A surface from particles, or one that markers have corrected, is rough by some hundredths of a cell, and
// its curvature, two derivatives on, is nothing but that. What tension is to feel is the shape of some cells:
// the distance to the surface, made (1 + b) G - b G² of itself as in calm_surface.h, which leaves alone what
// is as round as a few cells.
#pragma once

#include "grid/field.h"

namespace whorl {

template <int D>
struct TensionShape {
  Field<float, D>
      phi;  // m, a distance or nearly, also some cells into solids, which it meets at right angles
  Field<float, D> share;  // 0 to 1, of the tension that acts: none on what is too thin for the grid to know
                          // its shape
};

// `surface` in metres, negative in the liquid; `solids` how far they are, negative in them: nothing is known
// there.
template <int D>
TensionShape<D> tension_shape(Exec& ex, const Field<float, D>& surface, const Field<float, D>& solids,
                              double h);

}  // namespace whorl
