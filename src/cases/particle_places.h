// Where particles are, in metres.
#pragma once

#include "particles/particle_set.h"

namespace whorl {

// Calls f(index, place).
template <class F>
void for_each_particle(const ParticleSet<2>& p, double h, const F& f) {
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
      Vec<double, 2> x;
      for (int a = 0; a < 2; ++a)
        x[a] = h * (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                    double(p.position[std::size_t(a)][i]));
      f(i, x);
    }
}

}  // namespace whorl
