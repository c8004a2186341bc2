// V-D7: what transfers between particles and the grid keep.
#pragma once

#include "cases/findings.h"

namespace whorl {

// A disc that turns, to the grid and back without a step of time, a hundred times.
void transfers(Findings& found);

}  // namespace whorl
