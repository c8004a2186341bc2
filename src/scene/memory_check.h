// Whether a scene fits into memory, as far as that can be told before it is run.
#pragma once

#include "scene/config.h"
#include "scene/problem.h"

#include <cstdint>

namespace whorl {

// Whether the whole domain fits; for scenes that are otherwise right.
template <int D>
Result<void> check_memory(const Scene<D>& scene, const Locations& locations, std::uint64_t available);

}  // namespace whorl
