// What a preview shows of space, and how thick smoke looks there.
#pragma once

#include "render/preview.h"

namespace whorl {

// The domain; without one, a box round smoke and flames that follows them smoothly: from the centre of mass
// it reaches as far to each side as a high moment of the distances says, which does not jump as the true
// bounds do.
template <int D>
Bounds<D> framed_box(Exec& ex, const PreviewScene<D>& scene);

// The extinction of smoke of unit density, 1/m. Smoke looks right at any scale if a scene full of unit
// density is some two dozen mean free paths across: a source a tenth as wide is then just opaque. The size is
// the domain's (the geometric mean of its sides), or 128 cells without one, so it is the same for all frames
// of a run.
template <int D>
double unit_extinction(const PreviewScene<D>& scene);

}  // namespace whorl
