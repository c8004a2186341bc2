// The surface of a liquid from its particles, after Zhu & Bridson 2005: how far a place is from the mean of
// the particles round it says how far it is from the surface.
//
// With the weights (1 - d²/R²)³, R = 2 cells, that distance s falls from R, a reach above a flat surface, to
// 0, a reach below it. The function from s back to the height is known, so a flat surface is found where it
// is, with the slope that a signed distance has.
#pragma once

#include "grid/retile.h"
#include "particles/particle_set.h"

namespace whorl {

inline constexpr int surface_reach = 2;  // cells, R

// Signed distance in metres at cell centres, negative in the liquid, from -R h to R h, on the particles'
// topology. Cells of the `core` (stages/narrow_band.h), if there is one, are full.
template <int D>
Field<float, D> surface_from_particles(Exec& ex, const ParticleSet<D>& particles, double h,
                                       const CellMask<D>& core = {});

}  // namespace whorl
