// The light of a fire on what stands round it.
#pragma once

#include "render/dense_grid.h"
#include "render/fire.h"
#include "render/solids.h"

namespace whorl {

// Where gas burns, a few soft lamps stand for it: each has the power, the middle and the spread of the flames
// in one block of space. Blocks are fixed in space, so the lamps move as the fire does.
class FireLight {
 public:
  // A picture shows fire less bright than it is, or it would show nothing else. What it lights has no such
  // need.
  static constexpr float gain = 2;

  struct Lamp {
    Point at;
    Rgb intensity;   // radiant, the same to all sides: light a m² at distance r gets times r²
    double spread2;  // m²: mean square of the distances from the middle
  };

  FireLight(Exec& ex, const Snapshot<3>& snapshot, const Fire<3>& fire, double unit_extinction);

  const std::vector<Lamp>& lamps() const { return lamps_; }

  // What a white surface sends back, π times less than what reaches it. The solids throw shadows.
  Rgb on_surface(const Point& x, const Point& normal, const Solids& solids) const;
  // What smoke scatters to any side, on a grid with the cubes of `like`, where the smoke stands in the way.
  DenseGrid<Rgb> on_smoke(Exec& ex, const DenseGrid<float>& extinction, const DenseGrid<Rgb>& like) const;

 private:
  std::vector<Lamp> lamps_;
};

}  // namespace whorl
