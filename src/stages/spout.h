// Where liquid comes in and goes away: spouts and drains.
//
// A spout's liquid is a lattice of particles, 2^D a cell, that moves with the spout's velocity: those that
// come into its shape in a step are let out, each where it is then. So the rate is that of the flow through
// the shape's upstream side, and no beads show however long the steps are.
#pragma once

#include "geometry/shape.h"
#include "particles/particle_set.h"
#include "stages/solids.h"

#include <span>

namespace whorl {

// In metres from the low corner of cell 0. On from `start` to `end`, parts of the step.
template <int D>
struct Spout {
  Shape<D> before, shape;     // at the start of the step and at its end
  Vec<double, D> velocity{};  // m/s
  double start = 0, end = 1;
};

template <int D>
struct Drain {
  Shape<D> shape;
  double rate = 0;  // 1/s
};

// The particles that a spout lets out in a step of length dt. `way` is how far its lattice has come, in
// metres: as it was at the start, and moved on. They stop `skin` cells before solids that are in their way.
template <int D>
NewParticles<D> let_out(const Spout<D>& spout, Vec<double, D>& way, const Domain<D>& domain,
                        std::span<const Solid<D>> solids, double h, double skin, double dt,
                        std::uint64_t seed);

// Gives the particles in a spout its velocity.
template <int D>
void push_out(Exec& ex, ParticleSet<D>& particles, const Spout<D>& spout, double h);

// Takes particles out of a drain: each with the chance 1 - exp(-rate dt). Returns how many.
template <int D>
std::int64_t drain(Exec& ex, ParticleSet<D>& particles, const Drain<D>& drain, double h, double dt,
                   std::uint64_t seed);

}  // namespace whorl
