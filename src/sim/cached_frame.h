// A frame of liquid as its particle file holds it, and what can be made of that without simulating.
//
// Places in metres and doubles do not give back every last bit of where particles are in their cells. So a
// run, too, makes its meshes from the table that it would write: what is made from the files later is the
// same byte for byte.
#pragma once

#include "geometry/surface_mesh.h"
#include "io/particle_file.h"
#include "scene/config.h"

namespace whorl {

// The particles of a table, in the scene's metres, on the scene's grid.
ParticleSet<3> particles_on_grid(Exec& ex, const GridLayout<3>& layout, ParticleTable table);

// The surface as fine as [output] asks for it, closed, in the scene's metres.
SurfaceMesh mesh_of(Exec& ex, const Scene<3>& scene, ParticleTable table);

// Writes it: all, or the free surface alone, as [output] says. `time` is that of the solids. Returns the
// volume that it encloses, in m³.
Result<double> write_surface(Exec& ex, const Scene<3>& scene, const std::string& path,
                             const SurfaceMesh& surface, double time);

}  // namespace whorl
