// How much liquid a level set holds.
#pragma once

#include "exec/exec.h"
#include "grid/field.h"

namespace whorl {

// The part of each cell, 0 to 1, that is inside the zero level and outside of solids, by the distance to the
// level. `solids` is how far they are, in metres and negative in
// them.
template <int D>
Field<float, D> liquid_part(Exec& ex, const Field<float, D>& phi, const Field<float, D>& solids, double h);

struct LevelSetVolume {
  double volume = 0;  // m^D
  double area = 0;    // m^(D-1) of the surface: what the volume grows by if the level moves out
};

template <int D>
LevelSetVolume level_set_volume(Exec& ex, const Field<float, D>& phi, const Field<float, D>& solids,
                                double h);

// Moves the level out so that it holds so much, but by no more than `most`, in metres.
template <int D>
void set_volume(Exec& ex, Field<float, D>& phi, const Field<float, D>& solids, double h, double volume,
                double most);

}  // namespace whorl
