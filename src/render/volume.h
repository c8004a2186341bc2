// The 3D half of the preview.
#pragma once

#include "render/preview.h"

namespace whorl {

Picture render_volume(Exec& ex, const PreviewScene<3>& scene, const PreviewParams& params);

}  // namespace whorl
