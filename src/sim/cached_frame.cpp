#include "sim/cached_frame.h"

#include "sim/motion.h"
#include "stages/liquid_mesh.h"
#include "stages/particle_surface.h"

#include <utility>

namespace whorl {

namespace {

// The particles' tiles and all next to them: a surface may end in a tile that has no particle.
TopologyPtr<3> tiles_round(Exec& ex, const Topology<3>& topology) {
  const Domain<3>& domain = topology.domain();
  std::vector<Coord<3>> tiles;
  for (const Coord<3>& tile : topology.tiles())
    for_each_coord(Box<3>{tile - Coord<3>::filled(1), tile + Coord<3>::filled(2)}, [&](const Coord<3>& near) {
      bool inside = true;
      for (int a = 0; a < 3; ++a)
        inside = inside && (domain.periodic(a) || (near[a] * tile_side < domain.cells.hi[a] &&
                                                   (near[a] + 1) * tile_side > domain.cells.lo[a]));
      if (inside) tiles.push_back(domain.wrap_tile(near));
    });
  return Topology<3>::of_tiles(ex, domain, std::move(tiles));
}

}  // namespace

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

CachedFrame::CachedFrame(Exec& ex, const Scene<3>& scene, int frame, ParticleTable table)
    : scene_(scene), frame_(frame) {
  const GridLayout<3> layout = grid_layout(scene);
  ParticleSet<3> particles = particles_on_grid(ex, layout, std::move(table));
  put_on(ex, particles, tiles_round(ex, *particles.topology));
  surface_ = surface_from_particles(ex, particles, layout.cell_size);
}

Snapshot<3> CachedFrame::snapshot() const {
  const GridLayout<3> layout = grid_layout(scene_);
  Snapshot<3> s;
  s.frame = frame_;
  s.time = frame_ / scene_.time.fps;
  s.fps = scene_.time.fps;
  s.origin = layout.origin;
  s.h = layout.cell_size;
  s.scalars = {{"surface", &surface_}};
  return s;
}

std::vector<Shape<3>> CachedFrame::solids() const {
  std::vector<Shape<3>> shapes;
  for (const SolidConfig<3>& solid : scene_.solid)
    shapes.push_back(shape_at(solid, frame_ / scene_.time.fps));
  return shapes;
}

}  // namespace whorl
