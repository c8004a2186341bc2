// A filter that takes out bumps and leaves curved surfaces where they are.
#pragma once

#include "grid/field.h"

namespace whorl {

struct SmoothParams {
  double width = 1;  // of a Gaussian G, cells of the field
  // The field becomes (1 + b) G - b G² of itself. A Gaussian alone, b = 0, shrinks what is convex; b = 1
  // leaves fields of second order as they are; more puts back what was lost before, in proportion to the
  // curvature.
  float b = 1;
};

// `part`, 0 to 1, says how much of the result is taken. Where no tile is, is 0.
void smooth_field(Exec& ex, Field<float, 3>& field, const Field<float, 3>& part, const SmoothParams& params);

// Means by a Gaussian of so many cells. Where no tile is, is 0.
void blur_field(Exec& ex, Field<float, 3>& field, double width);

// Cells that smooth_field() looks away, along each axis.
int smoothing_reach(double width);

}  // namespace whorl
