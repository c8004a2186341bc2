// V-D4, by Martin & Moyce 1952: a column of water, a wide and 2a high, and how far its front has run.
#pragma once

#include "cases/findings.h"

namespace whorl {

// With 16 and 32 cells across the column.
void dam_break(Findings& found);

}  // namespace whorl
