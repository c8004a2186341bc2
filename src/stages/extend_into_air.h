// The velocity of a liquid, continued into the air round it.
#pragma once

#include "linear/pressure_system.h"

#include <array>

namespace whorl {

// Faces next to a cell of the liquid have their velocity from the projection; those of particles in flight,
// in cells that no liquid is next to, from the particles; those next to liquid's from these; others that
// particles reach (`weight`) from the particles; and those further out, up to so many layers, from the
// nearest.
//
// Liquid reaches into cells of air next to it by up to half a cell, and must be no more crowded there than
// elsewhere: what flows into such a cell leaves it through the faces that have no liquid near. A drop that
// hangs over such a face is not held up by it: that would leave all the faces above it to fall for ever.
template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const CellMask<D>& occupied, const MacField<float, D>& weight, int layers);

// What of it is the same for several velocities of one liquid.
template <int D>
struct AirRound {
  CellMask<D> liquid, next;                 // cells of it, and of air next to it
  CellMask<D> flying;                       // others, with particles
  std::array<CellMask<D>, D> by_liquid;     // faces that have a velocity from the projection or of drops …
  std::array<CellMask<D>, D> by_particles;  // … or from particles near the surface …
  std::array<CellMask<D>, D> wanted;        // … and all that there are
};
// `occupied`: the cells that have particles.
template <int D>
AirRound<D> find_air(Exec& ex, const PressureSystem<D>& system, const CellMask<D>& occupied,
                     const MacField<float, D>& weight);
template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const AirRound<D>& air, int layers);

}  // namespace whorl
