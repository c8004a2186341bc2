// Emission: what sources add to, hold of and take from all that the air carries, and the velocity they hold.
//
// What a source gives off at a moment of the step is carried by the air for the rest of it. The air that is
// at x at the end was at x - u (t + dt - t') at the time t', and has got what the source, where it was then,
// gave off there:
//
//   q(x) += ∫ rate · coverage(x - u (t + dt - t'), t') dt'
//
// So neither a fast source nor a fast wind leaves beads on a string.
#pragma once

#include "stages/source.h"

#include <span>

namespace whorl {

// The integrals of the density that sources added and that their sinks took away.
struct Emitted {
  double added = 0, drained = 0;
};

// Of each source the sink comes first, then what is added, then what is held: a held value is taken on in the
// proportion of the largest coverage. Only cells of `fluid` take part: solids hold nothing. `carried` begins
// with the density. The velocity is held where the shape is, and is not carried on.
template <int D>
Emitted emit(Exec& ex, std::span<Field<float, D>* const> carried, MacField<float, D>& velocity,
             const TopologyView<D>& fluid, std::span<const SmokeSource<D>> sources, double h, double dt);

}  // namespace whorl
