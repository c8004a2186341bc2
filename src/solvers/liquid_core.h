// The core of a liquid that has particles near its surface alone (stages/narrow_band.h), from step to step.
#pragma once

#include "solvers/liquid.h"

namespace whorl {

// The tiles of all cells that have particles, or are of the core, and of air for as far as a step may go. The
// core may have none.
template <int D>
TopologyPtr<D> tiles_round(Exec& ex, const ParticleSet<D>& particles, const CellMask<D>& core = {});

// Particles and core on the tiles round both.
template <int D>
void put_on_tiles_round(Exec& ex, LiquidState<D>& s);

// Before particles move: gives those cells of the core some that the flow may empty.
template <int D>
void seed_core_edge(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, const MacField<float, D>& velocity,
                    double dt);

// After particles have moved, by a step in which `flow` was the velocity.
template <int D>
void move_core(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, const MacField<float, D>& flow,
               double dt);

}  // namespace whorl
