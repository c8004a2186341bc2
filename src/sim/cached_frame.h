// A frame of liquid as its particle file holds it, and what can be made of that without simulating.
//
// Places in metres and doubles do not give back every last bit of where particles are in their cells. So a
// run, too, makes its meshes from the table that it would write: what is made from the files later is the
// same byte for byte.
#pragma once

#include "geometry/surface_mesh.h"
#include "grid/snapshot.h"
#include "io/particle_file.h"
#include "scene/config.h"

#include <vector>

namespace whorl {

// The particles of a table, in the scene's metres, on the scene's grid.
ParticleSet<3> particles_on_grid(Exec& ex, const GridLayout<3>& layout, ParticleTable table);

// The surface as [output] asks for it, in the scene's metres.
SurfaceMesh mesh_of(Exec& ex, const Scene<3>& scene, ParticleTable table);

// What the preview shows of a frame.
class CachedFrame {
 public:
  static constexpr int dimension = 3;
  CachedFrame(Exec& ex, const Scene<3>& scene, int frame, ParticleTable table);

  const Scene<3>& scene() const { return scene_; }
  Snapshot<3> snapshot() const;          // its surface alone
  std::vector<Shape<3>> solids() const;  // in the scene's metres

 private:
  const Scene<3>& scene_;
  int frame_;
  Field<float, 3> surface_;
};

}  // namespace whorl
