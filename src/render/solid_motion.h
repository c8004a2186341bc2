// Where a solid is while the shutter is open.
#pragma once

#include "geometry/rotation.h"
#include "render/camera.h"

#include <functional>

namespace whorl {

// Turned about the origin, then moved.
struct SolidPlace {
  Point translate{};
  Rotation<3> turn = rotation<3>(Quaternion{});

  // As seen from the solid itself.
  Point inside(const Point& x) const { return turn.apply_inverse(x - translate); }
  Ray inside(const Ray& ray) const { return {inside(ray.origin), turn.apply_inverse(ray.direction)}; }
};

// Its place at a time in seconds after the frame's.
using SolidMotion = std::function<SolidPlace(double after)>;

}  // namespace whorl
