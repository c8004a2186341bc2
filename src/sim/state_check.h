// What checksums cannot tell of a state that was read: whether it is one of this scene, its parts fitting
// each other, so that a step can be taken from it. What is wrong, or nothing.
#pragma once

#include "solvers/level_set_liquid.h"
#include "solvers/liquid.h"
#include "solvers/smoke.h"
#include "stages/whitewater.h"

#include <string>

namespace whorl {

// `others`: as many as the set must carry.
template <int D>
std::string wrong_with(const ParticleSet<D>& particles, const Domain<D>& domain, int modes,
                       std::size_t others);

// `quantities`: besides density and temperature.
template <int D>
std::string wrong_with(const SmokeState<D>& state, const Domain<D>& domain, std::size_t quantities);

template <int D>
std::string wrong_with(const LiquidState<D>& state, const Domain<D>& domain, TransferScheme transfer);

template <int D>
std::string wrong_with(const LevelSetLiquidState<D>& state, const Domain<D>& domain);

// A frame's number, and a time that must be within the next one or at its start.
std::string wrong_with_time(int frame, double time, double fps);

}  // namespace whorl
