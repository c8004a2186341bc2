// Dissipation: what is carried fades towards its background, dq/dt = -rate (q - background).
#pragma once

#include "grid/field.h"

namespace whorl {

// Exact over a step of any length.
template <int D>
void dissipate(Exec& ex, Field<float, D>& q, double rate, double dt);

}  // namespace whorl
