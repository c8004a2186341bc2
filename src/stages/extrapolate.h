// Extrapolation: values for places that have none, from those round them that do.
#pragma once

#include "grid/field.h"
#include "grid/retile.h"

namespace whorl {

// Layer by layer, each place that is `wanted` and not yet known takes the mean of its known neighbours,
// and is known then. Returns how many layers found something to fill.
template <int D>
int extrapolate(Exec& ex, Field<float, D>& q, CellMask<D>& known, const CellMask<D>& wanted, int layers);

// How much a field may change from one cell to the next where it is carried on.
struct StraightLimit {
  float part = 1e9f;  // of the larger of the two values before, or …
  float least = 0;    // … by so much in any case
};

// One layer, going straight on from the two before it where both are known, along the axes on which `level`
// falls towards them and in the mean by the squares of its slopes: nothing is carried on along the levels,
// where that would add to every unevenness. It changes by no more than `limit` allows: where q jumps,
// going straight on would add to that, step after step. Adds the layer to what is known.
template <int D>
void extrapolate_straight(Exec& ex, Field<float, D>& q, const Field<float, D>& level, CellMask<D>& known,
                          const CellMask<D>& wanted, const StraightLimit& limit = {});

}  // namespace whorl
