// Surface tension against theory. Air weighs nothing; σ = ρ = 1.
#pragma once

#include "cases/findings.h"

namespace whorl {

// V-E1: the pressure in a drop at rest is σ/R in 2D and 2σ/R in 3D, and it stays at rest; R/h = 16.
void drop_at_rest_2d(Findings& found);
void drop_at_rest_3d(Findings& found);

// The same of particles, 2D: what they are uneven by keeps the drop in motion.
void drop_of_particles(Findings& found);

// V-E3: capillary waves of length and depth 1 have their frequency.
void capillary_wave(Findings& found);
void capillary_wave_of_particles(Findings& found);

}  // namespace whorl
