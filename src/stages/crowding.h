// How crowded particles are.
//
// Errors of many steps let particles gather in some places and thin out in others, and the liquid's volume
// goes with them. A flow that carries them apart, and together, keeps it: its divergence is what
// crowding() says, and no particle's velocity learns of it (after Kugelstadt et al. 2019).
#pragma once

#include "grid/retile.h"
#include "particles/particle_set.h"

namespace whorl {

// The part of its volume by which each cell has to grow: particles, as means over the cells round it, beside
// the 2^D that a cell full of liquid has, and as many fewer as the `surface` leaves to the air. Drops and
// sheets, of which most of a cell's surroundings are air, never shrink. `room` is the part of each cell that
// solids leave free; those outside the domain have none. Cells of the `core` (stages/narrow_band.h), if there
// is one, are full. On the particles' topology.
template <int D>
Field<float, D> crowding(Exec& ex, const ParticleSet<D>& particles, const Field<float, D>& surface,
                         const Field<float, D>& room, double h, const CellMask<D>& core = {});

}  // namespace whorl
