// Thinning: gas that expands spreads what it carries over more room,
//
//   dq/dt + u · grad q = -q div u
//
// for what is counted by volume, as smoke is. What is not, as temperature, stays as it is, and there is more
// of it by as much as the gas has grown.
#pragma once

#include "grid/field.h"

namespace whorl {

// q *= exp(-div u dt), before the flow carries it for dt. `growth` is div u, 1/s.
template <int D>
void thin(Exec& ex, Field<float, D>& q, const Field<double, D>& growth, double dt);

// Σ (q - background) (exp(div u dt) - 1) over active cells: how much more there will be of what does not
// thin.
template <int D>
double amount_grown(Exec& ex, const Field<float, D>& q, const Field<double, D>& growth, double dt);

}  // namespace whorl
