// A surface of triangles as a file gives it: nothing says that it is closed, or that its faces agree.
#pragma once

#include "base/vec.h"

#include <array>
#include <vector>

namespace whorl {

struct TriangleMesh {
  std::vector<Vec<double, 3>> vertices;
  std::vector<std::array<int, 3>> triangles;  // anticlockwise seen from outside, where the file is right
};

using Triangle = std::array<Vec<double, 3>, 3>;

inline Triangle corners(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& t = mesh.triangles[triangle];
  return {mesh.vertices[std::size_t(t[0])], mesh.vertices[std::size_t(t[1])],
          mesh.vertices[std::size_t(t[2])]};
}
inline Vec<double, 3> centroid(const Triangle& t) { return (t[0] + t[1] + t[2]) * (1. / 3); }
// Square to the triangle, as long as its area.
inline Vec<double, 3> area_vector(const Triangle& t) { return cross(t[1] - t[0], t[2] - t[0]) * 0.5; }

double surface_area(const TriangleMesh& mesh);
// Of a closed mesh: the flux of x/3 through it.
double enclosed_volume(const TriangleMesh& mesh);

// Vertices that coincide become one, those of no triangle go; triangles without area, those with a corner
// that is not a number or not there, and all but the first of those with the same three corners are dropped.
TriangleMesh cleaned(const TriangleMesh& mesh);

// One side of a triangle, from its corner `side` to the next.
struct MeshEdge {
  int lo, hi;  // vertices, lo < hi
  int triangle, side;
  bool forward;  // the triangle goes from lo to hi
};

// Three for each triangle, those between the same two vertices next to each other.
std::vector<MeshEdge> edges_of(const TriangleMesh& mesh);

// Sides that one triangle alone has: none in a closed mesh.
int boundary_edges(const TriangleMesh& mesh);

}  // namespace whorl
