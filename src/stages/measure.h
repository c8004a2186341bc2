// What a run reports about its fields. Sums in double, over active cells.
#pragma once

#include "grid/field.h"

namespace whorl {

// ∫ q dx over active cells.
template <int D>
double integral(Exec& ex, const Field<float, D>& q, double h);

// ½ ∫ weight |u - frame|² dx, each cell taking the mean of its two faces' squares along each axis;
// `weight` of null counts as 1.
template <int D>
double kinetic_energy(Exec& ex, const MacField<float, D>& velocity, double h, const Vec<float, D>& frame = {},
                      const Field<float, D>* weight = nullptr);

// The largest |u_a| over all faces and axes, in m/s: what limits the step.
template <int D>
double max_component(Exec& ex, const MacField<float, D>& velocity);

}  // namespace whorl
