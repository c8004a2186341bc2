// The mesh of a liquid whose surface is a level set.
#pragma once

#include "geometry/shape.h"
#include "geometry/surface_mesh.h"
#include "grid/field.h"

#include <span>

namespace whorl {

struct LevelSetMeshParams {
  double h = 1;        // m, the side of a simulation cell
  int refinement = 2;  // cells of the surface along the side of one, 1 to 4
};

// The level by cubics through the cells round each finer one, less what lies in solids (in metres from the
// low corner of cell 0), closed; and the velocity at its vertices.
SurfaceMesh level_set_mesh(Exec& ex, const Field<float, 3>& phi, const MacField<float, 3>& velocity,
                           std::span<const Shape<3>> solids, const LevelSetMeshParams& params);

}  // namespace whorl
