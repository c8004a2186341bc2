// The velocity of a liquid, continued into the air round it.
#pragma once

#include "grid/retile.h"
#include "linear/pressure_system.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace whorl {

// Where the liquid and its air are: the same for several velocities.
template <int D>
struct AirRound {
  CellMask<D> liquid, next;                 // cells of it, and of air next to it
  CellMask<D> drops;                        // others, with particles
  std::array<CellMask<D>, D> by_liquid;     // faces that have a velocity from the projection …
  std::array<CellMask<D>, D> by_drops;      // … or of drops …
  std::array<CellMask<D>, D> by_particles;  // … or of any particles, drops included …
  std::array<CellMask<D>, D> wanted;        // … and all that there are

  // For a velocity that particles have not brought: it is all the liquid's.
  void forget_drops() {
    std::fill(drops.rows.begin(), drops.rows.end(), std::uint8_t(0));
    for (CellMask<D>& faces : by_drops) std::fill(faces.rows.begin(), faces.rows.end(), std::uint8_t(0));
  }
};
// `occupied`: the cells that have particles. `weight`: positive at faces that they reach.
template <int D>
AirRound<D> find_air(Exec& ex, const PressureSystem<D>& system, const CellMask<D>& occupied,
                     const MacField<float, D>& weight);

// Faces next to a cell of the liquid have their velocity from the projection, those next to them from these;
// others, where particles reach, have it from the particles; and those further out, up to so many layers,
// from the nearest.
//
// Liquid reaches into cells of air next to it by up to half a cell, and must be no more crowded there than
// elsewhere: what flows into such a cell leaves it through the faces that have no liquid near. Faces of
// drops, of particles in cells that no liquid is next to, are the particles' however near they are: a drop
// over the surface that was held up by the face below it would leave those above it to fall for ever.
template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const AirRound<D>& air, int layers);

}  // namespace whorl
