// The zero level of a field as triangles, by marching cubes between the centres of cells.
//
// Values across a side of the domain are those of the cells before it, mirrored (along periodic axes, those a
// period away), so that the surface meets sides at right angles and ends exactly at them. Every edge is
// shared by two triangles that run along it in opposite directions, whatever the field; edges on the sides of
// a clipped mesh have one triangle.
#pragma once

#include "base/named_column.h"
#include "geometry/triangle_mesh.h"
#include "grid/field.h"

#include <vector>

namespace whorl {

enum class MeshSides {
  capped,   // triangles on the sides of the domain close the mesh
  clipped,  // it is open there
};

// `phi` is negative inside; its background is not: where no tile is, is outside. h: the side of a cell, m.
// The same bits on any number of threads.
TriangleMesh surface_mesh(Exec& ex, const Field<float, 3>& phi, double h,
                          MeshSides sides = MeshSides::capped);

// A mesh for rendering, with what its vertices carry.
struct SurfaceMesh {
  TriangleMesh mesh;
  std::vector<Vec<float, 3>> velocity;  // m/s, one a vertex; or none at all
  std::vector<NamedColumn> columns;     // one value a vertex
};

}  // namespace whorl
