// What single keys cannot say: conditions between the keys of a scene.
#pragma once

#include "scene/config.h"
#include "scene/problem.h"

#include <optional>

namespace whorl {

template <int D>
void validate(const Scene<D>& scene, const Locations& locations, Problems& problems);

// Of a shape that does not reach into the scene's domain; for a scene whose domain has an inside.
template <int D>
std::optional<Problem> lies_outside(const Shape<D>& shape, const DomainConfig<D>& domain);

}  // namespace whorl
