// The surface of a liquid from the means of its particles, on finer cells than theirs, a tile at a time.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"
#include "stages/surface_height.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace whorl {

inline constexpr int render_reach = 2;      // cells: a particle does not matter further away
inline constexpr float render_band = 0.7f;  // cells: how far from the surface phi goes

struct NearPoints;

class RenderPhi {
 public:
  // `thick` is that of liquid_thickness.h; particles that `left_out` has a one for are not there.
  RenderPhi(const ParticleSet<3>& particles, int refinement, double per_cell, const Field<float, 3>& thick,
            const std::vector<std::uint8_t>& left_out)
      : p_(particles), r_(refinement), per_cell_(per_cell), thick_(thick), left_out_(left_out) {}

  // Phi over h, less the band, at the cells of a tile, so that it is 0 far outside; and how thick the liquid
  // is.
  void tile(const Coord<3>& tile, float* phi, float* thick) const;

 private:
  void gather(const Coord<3>& tile, NearPoints& points) const;
  std::pair<float, float> thickness_of(const Coord<3>& tile, float* out) const;
  float rounder(float weight) const;

  const ParticleSet<3>& p_;
  int r_;
  double per_cell_;
  const Field<float, 3>& thick_;
  const std::vector<std::uint8_t>& left_out_;
  const SurfaceHeight<3>& height_ = surface_height<3>();
};

}  // namespace whorl
