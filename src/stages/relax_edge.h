// The edge of the grid lets the wind in: what reaches the last cells before open air is calmed down, instead
// of being cut off or thrown back.
#pragma once

#include "grid/field.h"

namespace whorl {

// In the outermost `layers` of active cells, du/dt = -k (u - wind), the wind being the velocity's background
// and k rising with the square of the depth to `rate` (1/s) at the edge. The edge is where the grid ends in
// the open: at the sparse edge and at open sides, not at walls or inflows. Implicit, and so stable for any
// rate.
template <int D>
void relax_edge(Exec& ex, MacField<float, D>& velocity, int layers, double rate, double dt);

}  // namespace whorl
