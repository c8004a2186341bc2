// What a step of liquid does at sides of the domain through which liquid comes and goes.
#pragma once

#include "solvers/liquid.h"
#include "stages/water_level.h"

namespace whorl {

// Walls and inflows.
template <int D>
void enforce_liquid_sides(Exec& ex, MacField<float, D>& velocity, const LiquidParams<D>& p);

// The sides with water beyond. Their mean flow follows the velocity, which no pressure has met yet.
template <int D>
std::vector<WaterSide<D>> water_beyond(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p,
                                       const MacField<float, D>& velocity, const MacField<float, D>& open,
                                       const Field<float, D>& surface, double dt);

// What comes in through inflow sides, and with the `velocity` of the step through those with water beyond.
template <int D>
void let_in_by_sides(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p,
                     std::span<const WaterSide<D>> water, const MacField<float, D>& velocity, double dt);

// More particles, in the ledger as well.
template <int D>
void let_in(Exec& ex, LiquidState<D>& s, const Domain<D>& domain, const NewParticles<D>& more);

}  // namespace whorl
