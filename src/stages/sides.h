// The sides of the domain, as the projection sees them.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"

namespace whorl {

// Bits of the row's cells, or low faces, whose coordinate along `axis` is `face`.
template <int D>
WHORL_INLINE unsigned bits_on_side(const Coord<D>& tile, const RowIndex<D>& r, int axis, int face) {
  const int at = face - tile[axis] * tile_side;  // of the side, in cells of this tile
  if (axis < D - 1) return r.at[axis] == at ? 0xffu : 0u;
  return at >= 0 && at < tile_side ? 1u << at : 0u;
}

// Sets the faces that lie on walls to zero and those on inflow sides to the inflow's velocity.
template <int D>
void enforce_sides(Exec& ex, MacField<float, D>& velocity, const Inflow<D>& inflow);

// The open fraction of each face: 1 where pressure acts, 0 at walls, at inflow sides and wherever no
// active cell is near.
template <int D>
MacField<float, D> open_fraction(Exec& ex, const TopologyPtr<D>& topology);

}  // namespace whorl
