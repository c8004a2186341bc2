// Extrapolation: values for places that have none, from those round them that do.
#pragma once

#include "grid/field.h"
#include "grid/retile.h"

namespace whorl {

// Layer by layer, each place that is `wanted` and not yet known takes the mean of its known neighbours,
// and is known then. Returns how many layers found something to fill.
template <int D>
int extrapolate(Exec& ex, Field<float, D>& q, CellMask<D>& known, const CellMask<D>& wanted, int layers);

}  // namespace whorl
