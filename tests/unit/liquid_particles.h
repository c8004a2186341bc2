// Particles in shapes, for tests of surfaces.
#pragma once

#include "closed_mesh.h"
#include "stages/liquid_mesh.h"
#include "stages/seed_particles.h"

namespace whorl {

inline constexpr double h = 0.1, particle = h * h * h / 8;

inline ParticleSet<3> particles_in(Exec& ex, const Shape<3>& shape, const Box<3>& cells,
                                   const Domain<3>& domain = {}) {
  ParticleSet<3> p;
  add_particles(ex, p, domain, seed_particles<3>(shape, cells, h));
  return p;
}
inline double volume_ratio(Exec& ex, const ParticleSet<3>& p, int refinement) {
  const SurfaceMesh s = liquid_mesh(ex, p, {.surface = {.h = h, .refinement = refinement}});
  expect_closed(s.mesh);
  return enclosed_volume(s.mesh) / (double(p.size()) * particle);
}

inline const Box<3> cells{Coord<3>::filled(-20), Coord<3>::filled(20)};

}  // namespace whorl
