// Vortices against what is known of them.
#pragma once

#include "cases/findings.h"

namespace whorl {

// V-B5. Taylor's vortices, .81 apart: nearer ones merge, these part. Between .8 and .81 lies the turning
// point, so a scheme that damps gets it wrong (McKenzie 2007; Zehnder, Narain & Thomaszewski 2018).
void two_vortices(Findings& found);

// V-B7. A thin-cored ring of circulation Γ and radius R with a Gaussian core a travels at
// Γ/(4πR) (ln(8R/a) - .558) (Saffman 1970): .2491 here.
void vortex_ring(Findings& found);

}  // namespace whorl
