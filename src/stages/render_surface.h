// The surface of a liquid for rendering, on a grid as fine as one likes.
//
// Where the liquid is thick, it is that of particle_surface.h (reach 2 cells), smoothed by a filter that
// takes out bumps of a cell or two and leaves curved surfaces where they are. Where it is thin, the reach is
// one cell: with that the same map finds both faces of a sheet, and a line or a clump of particles gets about
// the volume that it has.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"

#include <cstdint>
#include <vector>

namespace whorl {

struct RenderSurfaceParams {
  double h = 1;             // m, the side of a simulation cell
  int refinement = 2;       // cells of the surface along the side of one, 1 to 4
  double smoothing = 1.25;  // the filter's width, simulation cells; 0: none
  double per_cell = 8;      // particles in a full cell
};

struct RenderSurface {
  Field<float, 3> phi;  // m, negative inside, within ± 0.7 h; cells of h / refinement
  // Particles that are not in it: each is a drop of its own.
  std::vector<std::uint32_t> drops;
};

// Every particle is inside of the surface, or a drop, or next to the surface where the liquid is thick.
RenderSurface render_surface(Exec& ex, const ParticleSet<3>& particles, const RenderSurfaceParams& params);

// m, of a ball as large as one particle.
double drop_radius(const RenderSurfaceParams& params);

}  // namespace whorl
