// Water beyond sides of the domain (Side::water), that stands up to a level.
//
// The pressure beyond such a side is that of still water, p/ρ = g (level - y), and c (u - U) more (Flather
// 1976): u is the velocity out through the side, U its mean over a time, and c = √(g d) the speed of long
// waves at the depth d. A wave of height η that goes out has u - U = η √(g/d), so it finds beyond the side
// what it would find in more water, and leaves. What changes slowly meets the level alone.
//
// With the pressure at the side's next cell centre and β = c dt / h, a face on it is
//
//   u = (u* + β U - dt/h (p_still - p)) / (1 + β)
//
// that is, what the projection makes of u* + β U with 1 / (1 + β) of the face open, times that part.
#pragma once

#include "grid/field.h"
#include "particles/particle_set.h"
#include "stages/side_inflow.h"

#include <span>

namespace whorl {

template <int D>
struct WaterSide {
  SideName side;
  double level = 0;       // m above the low corner of cell 0
  double gravity = 0;     // m/s², downwards
  double wave_speed = 0;  // c, m/s
  double mean_flow = 0;   // U, m/s along the axis
};

// The mean velocity through the side's faces along its axis, over those that have liquid before them and as
// far as they are open; zero where there is none.
template <int D>
double mean_velocity(Exec& ex, const MacField<float, D>& velocity, const MacField<float, D>& open,
                     const Field<float, D>& surface, const SideName& side);

// Makes the faces on the side that have liquid before them ready for the projection. Returns what
// PressureSystem::at_surface is to be, of all of the sides.
template <int D>
MacField<float, D> meet_water(Exec& ex, MacField<float, D>& velocity, MacField<float, D>& open,
                              Field<float, D>& surface, std::span<const WaterSide<D>> sides, double h,
                              double dt);

// Gives those faces what flows through them, after the projection.
template <int D>
void pass_water(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& surface,
                std::span<const WaterSide<D>> sides, double h, double dt);

// Particles, 2^D a cell, for those next to the side that are under the level and have less than half as
// many: water falls in where there is too little of it for a flow. They have the mean velocity of those that
// are there.
template <int D>
NewParticles<D> fill_to_level(const ParticleSet<D>& particles, const WaterSide<D>& side,
                              std::span<const Solid<D>> solids, double h, std::uint64_t seed);

}  // namespace whorl
