// The solids of a scene as meshes, for programs that know no signed distances.
#pragma once

#include "exec/exec.h"
#include "geometry/triangle_mesh.h"
#include "scene/config.h"

namespace whorl {

// Where it is when it has not moved yet, as marching cubes find it on cells a 128th of its box, or of the
// part of it that is `within`. Nothing for a solid that has no end.
TriangleMesh solid_mesh(Exec& ex, const Shape<3>& shape, const Bounds<3>& within);

// Moved to where the solid is at a time.
TriangleMesh moved_to(TriangleMesh mesh, const SolidConfig<3>& solid, double t);

}  // namespace whorl
