// What a smooth surface between two clear media does to light: Snell's law and Fresnel's equations.
#pragma once

#include "render/camera.h"

#include <optional>

namespace whorl {

// The direction of a ray bent by a surface; none where all of it is thrown back. `ratio` is of the indices
// before and behind it, the normal points towards where the ray comes from.
inline std::optional<Point> bent(const Point& direction, const Point& normal, double ratio) {
  const double cosine = -dot(direction, normal), rest = 1 - ratio * ratio * (1 - cosine * cosine);
  if (rest < 0) return {};
  return normalised(direction * ratio + normal * (ratio * cosine - std::sqrt(rest)));
}

inline Point mirrored(const Point& direction, const Point& normal) {
  return normalised(direction - normal * (2 * dot(direction, normal)));
}

// The part of unpolarised light that is thrown back: the mean of both polarisations. `cosine` is of the angle
// to the normal on the side that the light comes from, `ratio` as above.
inline float reflectance(double cosine, double ratio) {
  const double before = std::clamp(cosine, 0., 1.);
  const double square = 1 - ratio * ratio * (1 - before * before);
  if (square <= 0) return 1;
  const double behind = std::sqrt(square);
  const double across = (ratio * before - behind) / (ratio * before + behind),
               along = (before - ratio * behind) / (before + ratio * behind);
  return float((across * across + along * along) / 2);
}

}  // namespace whorl
