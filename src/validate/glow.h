// V-H4: the colours of black bodies.
#pragma once

#include "cases/findings.h"

namespace whorl {

// CIE 1931 x and y at five temperatures.
void glow(Findings& found);

}  // namespace whorl
