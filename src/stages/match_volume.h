// A surface moved to hold the volume of its particles.
//
// Means of particles tell where a surface is but for a few hundredths of a cell, less where particles lie in
// disorder and where they have been drawn apart: a pool of a few cells then looks a per cent or two too
// shallow. What the particles of a neighbourhood stand for, less what the surface holds there, over its area:
// so far it moves outwards.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"

#include <cstdint>
#include <vector>

namespace whorl {

struct MatchVolumeParams {
  int refinement = 2;   // cells of phi along the side of a particles' cell
  double per_cell = 8;  // particles in a full cell
  double width = 2;     // of a Gaussian, the neighbourhood, in the particles' cells
  double most = 0.25;   // of these that a surface moves
};

// `phi` over h, less `outside`, its value where no tile is; `coarse`: the particles' tiles and those next to
// them. Particles that `left_out` has a one for do not count.
void match_volume(Exec& ex, Field<float, 3>& phi, float outside, const ParticleSet<3>& particles,
                  const TopologyPtr<3>& coarse, const std::vector<std::uint8_t>& left_out,
                  const MatchVolumeParams& params);

}  // namespace whorl
