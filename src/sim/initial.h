// The state that a scene begins with.
#pragma once

#include "scene/config.h"
#include "solvers/smoke.h"

namespace whorl {

// Tiles where the scene's initial fields hold smoke, and round its sources; the whole domain where the grid
// is not sparse. Where there is no domain, smoke is looked for from the sources and from the origin outwards.
template <int D>
Result<SmokeState<D>> initial_smoke(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout);

}  // namespace whorl
