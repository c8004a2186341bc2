// How the pictures of a run look, as numbers for another program: camera, light, smoke and water.
#pragma once

#include "geometry/shape.h"
#include "io/up_axis.h"
#include "scene/config.h"

#include <optional>
#include <string>

namespace whorl {

// Members of a JSON object, in metres and linear light. `seen` is what there is to see of a scene without a
// domain, in Whorl's own axes.
template <int D>
std::string look_json(const Scene<D>& scene, UpAxis up, const std::optional<Bounds<3>>& seen);

}  // namespace whorl
