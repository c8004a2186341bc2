// V-D2 and V-D3: waves on liquids against linear theory.
#pragma once

#include "cases/findings.h"

namespace whorl {

// V-D2. The first mode of a tank of unit width, half as deep, 64 cells.
void sloshing(Findings& found);

// V-D3: ω² = g k tanh kd, 16 cells a wave. A wave of an eighth of a cell is no higher than what chance makes
// of the surface, so that waves of both signs on the particles of some seeds are taken together.
void standing_waves(Findings& found);

}  // namespace whorl
