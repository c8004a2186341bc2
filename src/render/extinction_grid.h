// What stands in the way of light: the mean extinction, 1/m, on a grid coarse enough for a light volume.
#pragma once

#include "render/bricks.h"
#include "render/dense_grid.h"
#include "render/solids.h"

namespace whorl {

// Of the smoke, with an empty rim.
DenseGrid<float> extinction_grid(Exec& ex, const Snapshot<3>& snapshot, const Bricks<3>& density,
                                 double unit_extinction, const Bounds<3>& framed);

// Adds the solids, all but opaque.
void add_solids(Exec& ex, DenseGrid<float>& extinction, const Solids& solids);

}  // namespace whorl
