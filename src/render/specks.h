// Small white things in a picture: spray, foam and bubbles.
#pragma once

#include "render/camera.h"
#include "render/pixels.h"
#include "render/surfaces.h"

#include <vector>

namespace whorl {

struct Speck {
  Point place;        // m
  float radius = 0;   // m
  float opacity = 1;  // of its middle
};

inline constexpr Rgb speck_colour{0.80f, 0.84f, 0.88f};

// The part of each pixel that specks leave clear. Behind a surface they fade over `depth` metres: water lets
// them shine through.
Pixels<float> clear_of_specks(const std::vector<Speck>& specks, const Camera& camera,
                              const Pixels<Surface>& behind, double depth);

}  // namespace whorl
