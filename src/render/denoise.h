// The noise of few paths taken out of a picture, its edges kept.
#pragma once

#include "render/pixels.h"

namespace whorl {

// A pixel as its paths have seen it: the mean of each.
struct NoisyPixel {
  Rgb light{};
  float variance = 0;  // of the mean's luminance
  Rgb albedo{};
  Vec<float, 3> normal{};
  float nearness = 0;
};

// Edge-avoiding à-trous wavelets (Dammertz et al. 2010), guided by normals, albedos and distances; how much
// light may differ goes by its variance (after Schied et al. 2017).
Pixels<Rgb> denoised(Exec& ex, const Pixels<NoisyPixel>& noisy);

inline float luminance(const Rgb& x) { return 0.2126f * x[0] + 0.7152f * x[1] + 0.0722f * x[2]; }

}  // namespace whorl
