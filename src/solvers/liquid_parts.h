// Parts of a step that all liquids share, whatever carries their surface.
#pragma once

#include "grid/field.h"
#include "linear/pressure_system.h"
#include "stages/force_fields.h"

#include <span>

namespace whorl {

inline constexpr double most_cells_a_step = 5;  // cells that liquid goes in a step
inline constexpr int layers_of_air =
    2 + int(most_cells_a_step);  // that have a velocity: as far as a trace may look

// The longest step in which liquid of a speed, after gravity has acted, goes `cfl` cells, at most five; and
// in which its surface can follow: the shortest waves that a grid has turn round √(g / h) times a second, or
// so.
double time_for(double cfl, double speed, double gravity, double h);

// On faces that have a weight.
template <int D>
void add_gravity(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& weight,
                 const Vec<double, D>& gravity, double dt);

// Force fields, from t to t + dt, on faces that have a weight; others have no velocity.
template <int D>
void add_liquid_forces(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& weight,
                       std::span<const ForceField<D>> forces, double h, double t, double dt);

// The pressure of the step before where there is liquid, but for cells at its surface: theirs goes with how
// far in they are, and that has changed.
template <int D>
Field<double, D> first_guess(Exec& ex, const Field<double, D>& last, const PressureSystem<D>& system,
                             double h);

}  // namespace whorl
