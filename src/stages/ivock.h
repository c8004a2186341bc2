// IVOCK (Zhang, Bridson & Greif 2015): vorticity that advection of the velocity loses, put back.
//
// Advecting u damps its curl; advecting the curl itself, with the stretching of vortices, does less. What the
// first lacks of the second becomes a velocity again by a vector potential:
//
//   -Δψ = ω* - curl ũ,   ũ += curl ψ.
#pragma once

#include "grid/field.h"

#include <vector>

namespace whorl {

// What there is to carry: ω + dt (ω · grad) u on edges, as edge_vorticity() has it.
template <int D>
std::vector<Field<float, D>> stretched_vorticity(Exec& ex, const MacField<float, D>& velocity, double h,
                                                 double dt);

// Adds what the velocity's vorticity lacks of `wanted`, two cells and more away from where the active cells
// end: nearer to it the potential is zero.
template <int D>
void restore_vorticity(Exec& ex, MacField<float, D>& velocity, const std::vector<Field<float, D>>& wanted,
                       double h);

}  // namespace whorl
