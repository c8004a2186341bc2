// The solids of a scene as meshes, for programs that know no signed distances.
#pragma once

#include "exec/exec.h"
#include "geometry/triangle_mesh.h"
#include "scene/config.h"
#include "whorl/error.h"

namespace whorl {

// Where it is when it has not moved yet, as marching cubes find it on cells a 128th of its box, or of the
// part of it that is `within`: an eighth at most along sides that are short, and down to a 512th where walls
// get lost. An error that says why where there is nothing to make: no end, nothing within, or too thin.
Result<TriangleMesh> solid_mesh(Exec& ex, const Shape<3>& shape, const Bounds<3>& within);

// Moved to where the solid is at a time.
TriangleMesh moved_to(TriangleMesh mesh, const SolidConfig<3>& solid, double t);

// What of space comes into a box of the scene's at these times, as seen from the solid before it moves.
Bounds<3> seen_from(const SolidConfig<3>& solid, const Bounds<3>& box, const std::vector<double>& times);

}  // namespace whorl
