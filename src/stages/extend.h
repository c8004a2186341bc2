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

// From faces with an open part into the solids, `place` being where these are.
template <int D>
void extend_into_solids(Exec& ex, MacField<float, D>& velocity, const CutFaces<D>& faces,
                        std::span<const Solid<D>> solids, Shape<D> Solid<D>::*place, double h,
                        VelocityExtension how);

}  // namespace whorl
