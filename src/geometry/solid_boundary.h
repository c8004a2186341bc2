// The surface of the solid that a mesh bounds, holes closed and what lies inside taken out.
#pragma once

#include "exec/exec.h"
#include "geometry/winding_number.h"

namespace whorl {

// The solid is where the winding number is at least a half. Its surface is made of the mesh's triangles, less
// those that have the solid on both sides or on neither, and where the mesh is open of the surface on which
// the winding number is a half, found on a grid of cells of side h. Only the set of points counts: what faces
// out is not kept. `mesh` is oriented, and `winding` its own, over `tree`.
TriangleMesh solid_boundary(Exec& ex, const TriangleMesh& mesh, const TriangleTree& tree,
                            const WindingNumber& winding, double h);

}  // namespace whorl
