// V-B9 and V-B10: shapes carried round or torn to threads and back have the area that they started with, by
// the particle level set; without its markers they do not.
#pragma once

#include "cases/findings.h"

namespace whorl {

// V-B9: a slotted disk, one turn, 100² cells.
void zalesak_disk(Findings& found);
void zalesak_disk_plain(Findings& found);
void zalesak_disk_particles(Findings& found);  // that go with the flow, and the surface from them
void zalesak_disk_sampled(Findings& found);    // the field sampled again and again, and nothing else

// V-B10: a disk torn to a thread by a vortex and put together again, T = 8, 128² cells.
void vortex_in_a_box(Findings& found);
void vortex_in_a_box_plain(Findings& found);
void vortex_in_a_box_particles(Findings& found);

}  // namespace whorl
