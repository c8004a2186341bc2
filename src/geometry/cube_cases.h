// The 256 cases of marching cubes (Lorensen & Cline 1987), worked out instead of typed in.
//
// Corner c of a cube lies at (c & 1, c >> 1 & 1, c >> 2 & 1). The surface crosses the edges whose ends
// differ; on each face of the cube the crossings are joined in pairs, and the pairs of all faces make closed
// loops, which are cut into triangles. Two things make the whole surface closed and every edge of it shared
// by exactly two triangles: on a face with four crossings the inner corners are joined, whichever cube looks
// at it; and no cut lies in a face, where the next cube could have the same one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace whorl {

// Edge 4 a + n runs along axis a; bit 0 of n is its place along the next axis, bit 1 along the one after
// that.
inline int cube_edge(int axis, int low_corner) {
  return 4 * axis + (low_corner >> (axis + 1) % 3 & 1) + 2 * (low_corner >> (axis + 2) % 3 & 1);
}
inline int low_corner(int edge) {
  const int axis = edge / 4;
  return (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
}

using CubeTriangle = std::array<std::uint8_t, 3>;  // edges; anticlockwise seen from outside

// [case] where bit c of the case says that corner c is inside.
const std::array<std::vector<CubeTriangle>, 256>& cube_cases();

}  // namespace whorl
