// Expansion: the divergence that sources ask of the air, for the projection to give it.
#pragma once

#include "stages/source.h"

#include <span>

namespace whorl {

// In 1/s on the cells of `fluid`, as the mean over the step: a source's `expansion`, and what its `vent`
// blows through the walls that it covers. Of a vent's velocity v each face lets pass, of its closed part,
// what is along the normal into the cell: a cut cell gets v times the area of the wall in it. Sides that blow
// of themselves count as no wall. An empty field where no source asks for anything.
template <int D>
Field<float, D> expansion_of(Exec& ex, const MacField<float, D>& open, const TopologyView<D>& fluid,
                             std::span<const SmokeSource<D>> sources, double h, double dt);

// growth -= expansion, where there is any: what is left is not the sources'.
template <int D>
void leave_out(Exec& ex, Field<double, D>& growth, const Field<float, D>& expansion);

}  // namespace whorl
