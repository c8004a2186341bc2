// Where a liquid takes air in (Ihmsen, Akinci, Akinci & Teschner 2012, §3.1): the sums from which the
// chance of spray, foam and bubbles follows.
//
//   trapped air   Σ_j |v_ij| (1 - v̂_ij · x̂_ij) W(x_ij)   large where particles fly at each other
//   wave crest    Σ_j (1 - n̂_i · n̂_j) W(x_ij)            over those behind the tangent plane, where the
//                                                          particle moves along its normal
//
// with x_ij = x_i - x_j, v_ij = v_i - v_j and W = 1 - |x_ij| / R. R is one cell, twice the distance between
// particles, so that a particle deep inside has some 33 others round it, as many as the paper's have.
#pragma once

#include "exec/exec.h"
#include "particles/particle_set.h"

namespace whorl {

struct AirPotentials {
  Buffer<float> trapped_air;  // m/s
  Buffer<float> wave_crest;
};

// One entry a particle. Those slower than `least_speed`, in m/s, have none.
//
// Departs from the paper in that only particles at the surface have a normal, and so a part in the sum for
// crests: inside, the direction in which others are missing is chance. Liquid goes on beyond the domain's
// sides as its mirror image.
AirPotentials air_potentials(Exec& ex, const ParticleSet<3>& liquid, double least_speed);

}  // namespace whorl
