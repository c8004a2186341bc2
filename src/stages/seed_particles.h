// Particles for a shape: 2^D in each of its cells, each at a random place of its own part of the cell.
#pragma once

#include "geometry/shape.h"
#include "grid/domain.h"
#include "particles/particle_set.h"

namespace whorl {

// `cells` bounds the search. A particle's place depends on its cell and the seed alone.
template <int D>
NewParticles<D> seed_particles(const Shape<D>& shape, const Box<D>& cells, double h, std::uint64_t seed = 0,
                               const Vec<float, D>& velocity = {});

}  // namespace whorl
