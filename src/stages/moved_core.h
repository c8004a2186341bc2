// The core of a liquid with a narrow band of particles (stages/narrow_band.h), on its way with the flow.
#pragma once

#include "grid/boundary.h"
#include "grid/retile.h"

namespace whorl {

// The part of each cell, 0 to 1, that the core has got to, having gone with the flow for a `step` of dt / h;
// on crossing.to().
template <int D>
Field<float, D> moved_core(Exec& ex, const CellMask<D>& core, const Crossing<D>& crossing,
                           const MacField<float, D>& velocity, const Inflow<D>& inflow, float step);

// The cells that those of a mask may get to, or come from, in a `step` of dt / h, and those that are looked
// at there: as far as the flow goes in their tile and in those round it. `velocity` may live on another
// topology.
template <int D>
CellMask<D> grown_with_flow(Exec& ex, const CellMask<D>& cells, const MacField<float, D>& velocity,
                            float step);

// The same cells on another topology, as far as it has their tiles.
template <int D>
CellMask<D> put_on(Exec& ex, const CellMask<D>& mask, const TopologyPtr<D>& topology);

}  // namespace whorl
