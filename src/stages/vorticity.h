// Vorticity, ω = curl u: at cell centres, and on edges, where a staggered velocity has it.
//
// It has three parts in 3D; in 2D one, about z. In a MacField they are the first components.
#pragma once

#include "grid/field.h"

#include <vector>

namespace whorl {

template <int D>
inline constexpr int curl_parts = D == 3 ? 3 : 1;

// Part k is about this axis, and turns the first of the next two into the second.
template <int D>
WHORL_INLINE constexpr int curl_axis(int k) {
  return D == 3 ? k : 2;
}
template <int D>
WHORL_INLINE constexpr int curl_from(int k) {
  return D == 3 ? (k + 1) % 3 : 0;
}
template <int D>
WHORL_INLINE constexpr int curl_to(int k) {
  return D == 3 ? (k + 2) % 3 : 1;
}

// The velocity at cell centres, component by component.
template <int D>
MacField<float, D> centred_velocity(Exec& ex, const MacField<float, D>& velocity);

// Its curl by central differences; zero where a neighbour is missing: a difference with nothing is no swirl.
template <int D>
MacField<float, D> centred_vorticity(Exec& ex, const MacField<float, D>& centred, double h);

// Part k on the edges along curl_axis(k), a field for each part: exact differences of the faces round an
// edge.
template <int D>
std::vector<Field<float, D>> edge_vorticity(Exec& ex, const MacField<float, D>& velocity, double h);

// u += curl ψ on live faces, for a potential on edges.
template <int D>
void add_curl(Exec& ex, MacField<float, D>& velocity, const std::vector<Field<double, D>>& potential,
              double h);

}  // namespace whorl
