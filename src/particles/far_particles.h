// Particles that have gone far.
#pragma once

#include "particles/particle_set.h"

namespace whorl {

// Puts particles into tiles next to theirs until the rest of their way is less than a tile's side, which is
// as far as sort_particles() follows them.
template <int D>
void go_far(Exec& ex, ParticleSet<D>& particles);

}  // namespace whorl
