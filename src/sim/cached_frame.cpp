#include "sim/cached_frame.h"

#include "geometry/clip_mesh.h"
#include "io/surface_file.h"
#include "sim/motion.h"
#include "stages/liquid_mesh.h"

#include <utility>

namespace whorl {

ParticleSet<3> particles_on_grid(Exec& ex, const GridLayout<3>& layout, ParticleTable table) {
  for (Vec<double, 3>& x : table.position) x = x - layout.origin;
  ParticleSet<3> particles = particle_set(ex, std::move(table), layout.domain, layout.cell_size);
  if (!particles.topology) put_on(ex, particles, Topology<3>::of_tiles(ex, layout.domain, {}));
  return particles;
}

SurfaceMesh mesh_of(Exec& ex, const Scene<3>& scene, ParticleTable table) {
  const GridLayout<3> layout = grid_layout(scene);
  LiquidMeshParams params;
  params.surface.h = layout.cell_size;
  params.surface.refinement = scene.output.mesh_refinement;
  SurfaceMesh surface = liquid_mesh(ex, particles_on_grid(ex, layout, std::move(table)), params);
  for (Vec<double, 3>& x : surface.mesh.vertices) x = x + layout.origin;
  return surface;
}

namespace {

SurfaceMesh free_part(Exec& ex, const Scene<3>& scene, const SurfaceMesh& surface, double time) {
  const GridLayout<3> layout = grid_layout(scene);
  const Box<3>& cells = layout.domain.cells;
  Bounds<3> sides;
  for (int a = 0; a < 3; ++a) {
    sides.lo[a] = layout.origin[a] + layout.cell_size * cells.lo[a];
    sides.hi[a] = layout.origin[a] + layout.cell_size * cells.hi[a];
  }
  std::vector<Shape<3>> solids;
  for (const SolidConfig<3>& solid : scene.solid) solids.push_back(shape_at(solid, time));
  return free_surface(ex, surface, sides, solids, layout.cell_size);
}

}  // namespace

Result<double> write_surface(Exec& ex, const Scene<3>& scene, const std::string& path,
                             const SurfaceMesh& surface, double time) {
  const bool clipped = scene.output.mesh_walls == MeshSides::clipped;
  const Result<void> written =
      clipped ? write_ply(path, free_part(ex, scene, surface, time)) : write_ply(path, surface);
  if (!written) return written.error();
  return enclosed_volume(surface.mesh);
}

}  // namespace whorl
