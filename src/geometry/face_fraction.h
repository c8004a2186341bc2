// How much of a cell's face is open, from the signed distances of the solids round it.
#pragma once

#include "geometry/shape.h"

#include <span>

namespace whorl {

inline constexpr int most_solids_a_face = 16;  // more than can matter; the rest are not looked at

// The part of a face (a square of side h, in 2D a segment, across `axis` and about `centre`) that lies
// outside all solids, from 0 to 1. The face is cut into triangles (segments) about its centre; in each, every
// solid's distance is taken as linear, and what is inside it is clipped away. So two solids that leave a gap
// between them, or overlap, within one face are seen as they are.
template <int D>
double open_part_of_face(const Vec<double, D>& centre, int axis, double h,
                         std::span<const Shape<D>* const> solids);

}  // namespace whorl
