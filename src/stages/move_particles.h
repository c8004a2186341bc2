// Particles go with the flow, and stop at solids and walls.
#pragma once

#include "grid/boundary.h"
#include "grid/field.h"
#include "particles/particle_set.h"
#include "stages/solids.h"

#include <span>

namespace whorl {

struct MoveParams {
  int order = 2;       // of the trace through the velocity, 1 to 3
  float skin = 0.01f;  // cells that a particle keeps from solids and walls
};

// dx/dt = u over a step, by multilinear interpolation of the faces, and no further than a tile's side less
// one cell along each axis: `velocity` lives on the particles' topology. A particle that meets a solid,
// however fast, slides along it, is carried on by it, and loses the velocity into it. Walls of the domain
// count as solids; through other sides particles leave. Afterwards sort_particles() wants to be called. A
// solid may take particles further than a tile: then they are on another topology already.
//
// `solids` are where they are at the start and the end of the step: in between they go rigidly, exactly so
// where both places are PosedShapes and else as their velocity says. Particles must start outside of them.
// Returns how many have left, having taken them out.
template <int D>
std::int64_t move_particles(Exec& ex, ParticleSet<D>& particles, const MacField<float, D>& velocity,
                            const Inflow<D>& inflow, std::span<const Solid<D>> solids, double h, double dt,
                            const MoveParams& params);

}  // namespace whorl
