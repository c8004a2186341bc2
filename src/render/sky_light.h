// The light of the sky and the ground where smoke stands in its way.
#pragma once

#include "exec/exec.h"
#include "render/colour.h"
#include "render/dense_grid.h"

namespace whorl {

// Averaged over a dozen directions.
DenseGrid<Rgb> sky_light(Exec& ex, const DenseGrid<float>& extinction);

// The same without any smoke.
Rgb open_sky();

}  // namespace whorl
