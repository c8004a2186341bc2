// How far a place is from solids, and whether particles may be there.
#pragma once

#include "stages/move_particles.h"
#include "stages/solids.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace whorl {

// At the end of a step; less than 0 inside one, and infinite where there are none.
template <int D>
double distance_to(std::span<const Solid<D>> solids, const Vec<double, D>& x) {
  double nearest = HUGE_VAL;
  for (const Solid<D>& solid : solids) nearest = std::min(nearest, solid.shape.distance(x));
  return nearest;
}

// Particles keep out of solids and of a skin round them. Both places in metres, as is h.
template <int D>
bool is_free(std::span<const Solid<D>> solids, const Vec<double, D>& x, double h) {
  return distance_to(solids, x) >= double(MoveParams{}.skin) * h;
}

}  // namespace whorl
