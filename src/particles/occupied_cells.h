// Which cells have particles.
#pragma once

#include "grid/retile.h"
#include "particles/particle_set.h"

namespace whorl {

// On the particles' topology; and besides, if it has any, the cells of `more`.
template <int D>
CellMask<D> occupied_cells(Exec& ex, const ParticleSet<D>& particles, const CellMask<D>& more = {});

}  // namespace whorl
