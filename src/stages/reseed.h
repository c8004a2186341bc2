// Keeps between a half and one and a half times 2^D particles in each cell deep in the liquid, by moving some
// of a tile's from cells that have too many to cells that have too few. None is made and none lost, so
// volume stays what it is; none near the surface is touched, so that stays where it is.
#pragma once

#include "grid/retile.h"
#include "particles/particle_set.h"

namespace whorl {

// `surface`, and `solids`, the distance from the nearest one, live on the particles' topology. Tiles that a
// solid reaches into are left as they are: beyond it is other liquid. A particle that is moved takes on the
// `velocity` of its new cell's low faces and what else the particles there carry; its modes are for
// faces_to_particles() to set. Afterwards those of a tile are no longer in the order of its cells. Cells of
// the `core` (stages/narrow_band.h), if there is one, stay empty. Returns how many were moved.
template <int D>
std::int64_t reseed(Exec& ex, ParticleSet<D>& particles, const Field<float, D>& surface,
                    const Field<float, D>& solids, const MacField<float, D>& velocity, double h,
                    std::uint64_t seed, const CellMask<D>& core = {});

}  // namespace whorl
