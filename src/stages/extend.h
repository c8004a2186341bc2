// What advection finds behind walls. Sampling next to a solid reads cells and faces inside it: these get what
// the fluid before the wall has, so that air slips along it and no smoke is lost to it.
#pragma once

#include "stages/solids.h"

namespace whorl {

// Layer by layer, each cell the mean of its neighbours of the layer before.
template <int D>
void extend_into_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid);

enum class VelocityExtension {
  layers,         // layer by layer from open faces, and no more
  closest_point,  // then each face what the fluid has at the nearest point of the solid's surface, with the
                  // solid's own speed across it (Houston, Bond & Wiebe 2003)
};

// Faces less open than this have their centre in a solid, mostly: what the projection leaves there is a flux
// through a sliver, and no velocity to carry anything with.
inline constexpr float least_part_with_velocity = 0.5f;

// From faces that are open enough into the solids, `place` being where these are.
template <int D>
void extend_into_solids(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& open,
                        std::span<const Solid<D>> solids, Shape<D> Solid<D>::*place, double h,
                        VelocityExtension how);

}  // namespace whorl
