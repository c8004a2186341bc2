// V-H3, combustion: fuel, heat and soot over time against the solution of their equations, the gas that is
// released against what flows out of the box, and cooling against its equation.
#pragma once

#include "cases/findings.h"
#include "solvers/smoke.h"

#include <functional>

namespace whorl {

// All that follows, in 2D and 3D.
void combustion(Findings& found);

// df/dt = -r f in every cell, in steps that differ.
template <int D>
void fuel_heat_and_soot(Findings& found);

// A ball of fuel in hot air. What flows out through the sides is what the fuel releases, step by step; and
// though the gas carries fuel and smoke apart, fuel burns away as it would at rest, and all soot is there.
template <int D>
void gas_flows_out(Findings& found);

// A ball of burning gas is larger afterwards by the gas that was released, and no colder. In its middle fuel
// burns and thins, df/dt = -r f - f (G r f), so that f = f₀ e / (1 + G f₀ (1 - e)) with e = exp(-r t).
template <int D>
void fireball(Findings& found);

// dT/dt = -c x⁴, x = (T - 300) / (T_max - 300), against steps so small that their length does not matter.
template <int D>
void cooling(Findings& found);

constexpr double fire_cell = 0.05;  // m

template <int D>
SmokeParams<D> fire_params(const CombustionParams& fire);

// Fuel and temperature by the distance from the middle of the box.
using OfRadius = std::function<double(double)>;
template <int D>
SmokeState<D> gas_in_box(Exec& ex, int side, Side sides, const OfRadius& fuel, const OfRadius& temperature);

// ∫ q, in units of q · m^D.
template <int D>
double total_of(Exec& ex, const Field<float, D>& q);

}  // namespace whorl
