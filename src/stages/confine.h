// Vorticity confinement (Fedkiw, Stam & Jensen 2001; after Steinhoff): a force that feeds the swirls which a
// coarse grid damps,
//
//   f = ε h (N × ω),   ω = curl u,   N = grad |ω| / |grad |ω||
//
// and fades with h, so that a finer grid needs none.
#pragma once

#include "grid/field.h"

namespace whorl {

// u += dt f on live faces, where the whole stencil lies on active cells.
template <int D>
void confine_vorticity(Exec& ex, MacField<float, D>& velocity, double strength, double h, double dt);

}  // namespace whorl
