// The light of the sky and the ground where smoke stands in its way.
#pragma once

#include "exec/exec.h"
#include "render/colour.h"
#include "render/dense_grid.h"
#include "render/lights.h"

namespace whorl {

// Averaged over a dozen directions.
DenseGrid<Rgb> sky_light(Exec& ex, const DenseGrid<float>& extinction, const Lights& lights);

// The same without any smoke.
Rgb open_sky(const Lights& lights);

}  // namespace whorl
