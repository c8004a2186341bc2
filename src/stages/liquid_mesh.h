// The mesh of a liquid, from its particles to what a renderer takes.
#pragma once

#include "geometry/surface_mesh.h"
#include "grid/boundary.h"
#include "stages/render_surface.h"

#include <string>
#include <vector>

namespace whorl {

struct LiquidMeshParams {
  RenderSurfaceParams surface;
  MeshSides sides = MeshSides::capped;
  std::vector<std::string> columns =
      {};  // names for the particles' `others`, of which as many are carried over
};

// The surface, and a small ball for every drop. A vertex has the mean velocity and the mean of whatever else
// is carried of the particles within two cells, near ones weighing more; those of a ball have its particle's
// own.
SurfaceMesh liquid_mesh(Exec& ex, const ParticleSet<3>& particles, const LiquidMeshParams& params);

// The velocity of a grid with cells of h at the vertices instead.
void set_velocity(Exec& ex, SurfaceMesh& surface, const MacField<float, 3>& velocity, double h,
                  const Inflow<3>& inflow = {});

}  // namespace whorl
