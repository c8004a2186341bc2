// The velocity of a liquid, continued into the air round it.
#pragma once

#include "linear/pressure_system.h"

namespace whorl {

// Faces next to a cell of the liquid have their velocity from the projection, those next to them from these;
// others that particles reach, drops in flight, from the particles (`weight`); and those further out, up to
// so many layers, from the nearest.
//
// Liquid reaches into cells of air next to it by up to half a cell, and must be no more crowded there than
// elsewhere: what flows into such a cell leaves it through the faces that have no liquid near.
template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const MacField<float, D>& weight, int layers);

}  // namespace whorl
