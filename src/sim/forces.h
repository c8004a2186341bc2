// From the forces of a scene to those of one step, of smoke and liquids alike.
#pragma once

#include "scene/config.h"

#include <vector>

namespace whorl {

// What holds at the time t. Those that are off for all of `longest` seconds have no strength.
template <int D>
Result<std::vector<ForceField<D>>> forces_at(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout,
                                             double t, double longest);

// As much of each as the part of a step from t to t + dt in which it is on.
template <int D>
void limit_to_step(std::vector<ForceField<D>>& forces, const Scene<D>& scene, double t, double dt);

// Whether a gravity and forces that vary in space are numbers everywhere.
template <int D>
Result<void> check_formulas(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout,
                            const TopologyPtr<D>& topology, double t);

}  // namespace whorl
