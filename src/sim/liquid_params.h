// From a scene to the parameters of one step of liquid.
#pragma once

#include "scene/config.h"
#include "solvers/liquid.h"

namespace whorl {

// What holds at the time t. Solids, spouts and drains, which depend on the step's length, are left to
// add_actors; so is the part of the step during which forces are on.
template <int D>
Result<LiquidParams<D>> liquid_params(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout, double t);

// In m/s: how fast solids move between t and t + dt, and sources throw liquid.
template <int D>
Result<double> fastest_actor(const Scene<D>& scene, double t, double dt);

template <int D>
Result<void> add_actors(LiquidParams<D>& params, const Scene<D>& scene, const GridLayout<D>& layout, double t,
                        double dt);

}  // namespace whorl
