// The part that flow maps (stages/flow_map.h) take in a step of smoke.
#pragma once

#include "solvers/smoke.h"

namespace whorl {

// Carries the components of the velocity (all or none) and some of SmokeState::carried() by the maps of the
// state. Before that, what has changed since they were carried last goes back to where the maps start, or the
// maps start anew. Maps that carry nothing are dropped. `smoky` are the cells whose contents a map must not
// tear.
template <int D>
void advect_by_maps(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing,
                    std::vector<Carried<D>> faces, std::vector<Carried<D>> centres, const CellMask<D>& smoky,
                    double dt);

// Counts what the projection has changed of the velocity twice, where faces are open. What the map carries on
// is then the velocity reflected at the fields without divergence, which loses no energy, and every other
// step brings it back to them (as Zehnder, Narain & Thomaszewski 2018 do within a step).
template <int D>
void reflect_in_map(Exec& ex, FlowMap<D>& velocity_map, const MacField<float, D>& velocity,
                    const MacField<float, D>& unprojected, const MacField<float, D>& open);

}  // namespace whorl
