// V-P2: potential flow past a cylinder, a uniform flow projected in a box whose sides carry the exact one.
#pragma once

#include "cases/findings.h"

namespace whorl {

// Faces cut by the cylinder converge.
void flow_past_cut_cylinder(Findings& found);

// Whole cells do not: the worst error stays as large as the flow itself, however fine the grid.
void flow_past_voxel_cylinder(Findings& found);

}  // namespace whorl
