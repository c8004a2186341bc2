// The pixels of a picture by the paths of light that each of them is made of.
#pragma once

#include "render/denoise.h"
#include "render/light_path.h"

namespace whorl {

// As many paths as a pixel needs, up to the samples asked for; fewer where the time is limited.
Pixels<NoisyPixel> noisy_pixels(Exec& ex, const LightPaths& paths, const Camera& camera,
                                const LiquidPictureParams& params);

}  // namespace whorl
