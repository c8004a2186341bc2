// What of a scene's shapes will not do what it seems meant for, though it can be simulated.
#pragma once

#include "scene/config.h"

#include <string>
#include <vector>

namespace whorl {

// Walls thinner than two cells, which a flow may leak through, and sources and fills inside of solids. A
// sentence each that says what, where and what to do. Meshes are read already.
template <int D>
std::vector<std::string> odd_places(const Scene<D>& scene);

}  // namespace whorl
