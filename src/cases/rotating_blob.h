// V-B1: a Gaussian blob carried once round the centre of the unit square by solid rotation, N = 64, 128 and
// 256. Its relative L2 error, by a table that two independent small programs agree on.
#pragma once

#include "cases/findings.h"

namespace whorl {

void rotating_blob(Findings& found);

// By maps that are restarted after 20 steps: a twentieth of the errors, each as small as BFECC's.
void rotating_blob_by_maps(Findings& found);

}  // namespace whorl
