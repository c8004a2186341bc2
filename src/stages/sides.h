// The sides of the domain, as the projection sees them.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"

namespace whorl {

// Sets the faces that lie on walls to zero and those on inflow sides to the inflow's velocity.
template <int D>
void enforce_sides(Exec& ex, MacField<float, D>& velocity, const Inflow<D>& inflow);

// The open fraction of each face: 1 where pressure acts, 0 at walls, at inflow sides and wherever no
// active cell is near.
template <int D>
MacField<float, D> open_fraction(Exec& ex, const TopologyPtr<D>& topology);

}  // namespace whorl
