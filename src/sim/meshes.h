// The meshes that a scene names: read from their files, and made into the shapes that stages ask.
#pragma once

#include "exec/exec.h"
#include "scene/config.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

// Fills in every MeshShape of the scene's sources and solids, with cells half as large as the grid's. Returns
// what there is to warn of, such as open meshes; an error tells all that is wrong, a line each.
template <int D>
Result<std::vector<std::string>> load_meshes(Exec& ex, Scene<D>& scene);

// "solid.ball.shape.mesh.file="/home/me/ball.obj"" for each mesh: from any folder the same files.
std::vector<std::string> mesh_overrides(const SceneConfig& scene);

}  // namespace whorl
