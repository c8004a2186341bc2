// Redistancing: makes a field the signed distance to its own zero level, which stays where it is.
//
// Cells next to the surface find their nearest point of it (surface_pieces.h). The others inherit a piece
// from a neighbour, the one that is nearest to them: by fast sweeping (Zhao 2005; with closest points: Tsai
// 2002), tile by tile and in parallel, or by fast marching from near to far (Sethian 1996), which is serial.
#pragma once

#include "exec/exec.h"
#include "grid/field.h"

namespace whorl {

enum class DistanceMethod { fast_sweeping, fast_marching };

struct RedistanceParams {
  DistanceMethod method = DistanceMethod::fast_sweeping;
  double width = 6;  // cells on each side that get a distance; further out it is this one
};

// `phi` is in metres and negative inside; active cells change, but not their sign.
template <int D>
void redistance(Exec& ex, Field<float, D>& phi, double h, const RedistanceParams& params = {});

}  // namespace whorl
