// Meshes from files: OBJ, PLY, STL, glTF and GLB.
#pragma once

#include "geometry/triangle_mesh.h"
#include "whorl/error.h"

#include <string>

namespace whorl {

// Every triangle of the file, placed as its scene graph says; faces with more corners are cut into triangles,
// lines and points left out. Broken meshes are read as they are. The error's message,
// ErrorCode::invalid_scene, begins with what was found: "missing.obj: there is no such file".
Result<TriangleMesh> read_mesh(const std::string& path);

}  // namespace whorl
