// Faces that agree which side is out, for meshes whose files do not.
#pragma once

#include "exec/exec.h"
#include "geometry/triangle_mesh.h"

namespace whorl {

// The mesh cleaned, and its triangles turned: within a patch, the triangles that hang together by sides of
// two triangles, the way that most of its area had; then each patch so that its front is the side that sees
// the open (after Takayama, Jacobson, Kavan & Sorkine-Hornung 2014). A patch that sees the open from neither
// side, such as the wall of a cavity, stays as it was, or turns with the rest where most of the rest does.
TriangleMesh oriented(Exec& ex, const TriangleMesh& mesh);

}  // namespace whorl
