// V-B2, V-B3 and V-B4: Taylor–Green vortices lose the energy that viscosity takes, and hardly more.
#pragma once

#include "cases/findings.h"
#include "solvers/smoke.h"

namespace whorl {

// Of the energy at the start: at the end, at its most, and after each step.
struct EnergyKept {
  double last = 1, most = 1;
  std::vector<std::pair<double, double>> over_time = {};
};

// Without viscosity, in a periodic box of side 2π with n cells along it. In 3D the vortex breaks up into
// smaller ones, whose energy is all there until they reach the grid. Reflection keeps it so well there that
// the second-order error of the grid shows: with 32 cells a side 3 % too much.
template <int D>
EnergyKept energy_kept(Findings& found, int n, double cfl, double until, const AdvectionParams& advection,
                       EnergyScheme energy);

// V-B2. What is kept at t = 10, by a table that two independent small programs agree on.
void inviscid_taylor_green(Findings& found);

// Long maps, with the pressure reflected between their ends, keep nearly all of it and add nothing.
void taylor_green_by_maps(Findings& found);

// V-B3: exp(-4 ν t).
void viscous_taylor_green(Findings& found);

// V-B4 at Re = 100.
void viscous_taylor_green_3d(Findings& found);

// A vortex of unit speed in a box of `cells` along each side.
template <int D>
SmokeState<D> taylor_green_vortex(Exec& ex, int cells, Side sides, double h);

template <int D>
SmokeParams<D> taylor_green_params(double h, double viscosity, WallFriction walls);

}  // namespace whorl
