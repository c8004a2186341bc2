// From a scene to the parameters of one step of smoke.
#pragma once

#include "scene/config.h"
#include "solvers/smoke.h"

namespace whorl {

// What holds at the time t. Sources and solids, which depend on the step's length, are left to add_actors;
// so is the part of the step during which forces are on.
template <int D>
Result<SmokeParams<D>> smoke_params(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout, double t);

template <int D>
Result<void> add_actors(SmokeParams<D>& params, const Scene<D>& scene, const GridLayout<D>& layout, double t,
                        double dt);

// The cells that a source touches from t to t + dt, within the domain.
template <int D>
Box<D> source_cells(const Scene<D>& scene, const SourceConfig<D>& source, const GridLayout<D>& layout,
                    double t = 0, double dt = 0);

}  // namespace whorl
