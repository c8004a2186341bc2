// The glow round bright things in a picture, as lenses and eyes have it.
#pragma once

#include "render/pixels.h"

namespace whorl {

inline constexpr float bloom_strength = 0.13f;  // of all the light

// What scatters about of the light in a picture: blurs from narrow to wide, each as strong as the others, so
// that it falls off about as the square of the distance.
Pixels<Rgb> bloom(Exec& ex, const Pixels<Rgb>& light);

}  // namespace whorl
