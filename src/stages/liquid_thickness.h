// How thick a liquid is: how many particles the 5³ cells hold that have most of them within two cells.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"

namespace whorl {

// 0 for sheets of two cells and balls as small, 1 from five cells up; at the centres of cells, on the
// particles' tiles and all those next to them, also beyond the domain's sides. `per_cell`: particles in a
// full cell.
Field<float, 3> liquid_thickness(Exec& ex, const ParticleSet<3>& particles, double per_cell);

}  // namespace whorl
