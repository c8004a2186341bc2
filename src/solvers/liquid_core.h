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

// After particles have moved, by a step in which `velocity` was that of the flow, and `evened` what carried
// them.
template <int D>
void move_core(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, MacField<float, D> velocity,
               MacField<float, D> evened, double dt);

}  // namespace whorl
