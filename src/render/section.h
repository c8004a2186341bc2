// The 2D half of the preview.
#pragma once

#include "render/preview.h"

namespace whorl {

Picture render_section(Exec& ex, const PreviewScene<2>& scene, const PreviewParams& params);

}  // namespace whorl
