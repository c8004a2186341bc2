// Projection: makes the velocity divergence-free by the gradient of a pressure (Chorin 1968).
#pragma once

#include "grid/field.h"
#include "linear/pressure_system.h"
#include "linear/solve.h"

namespace whorl {

// (div u)_i = 1/h Σ_a (u_a at the high face - u_a at the low face), per second, on active cells; zero
// elsewhere. In double: the differences are far smaller than the velocities.
template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity, double h);

// The same of what flows through the open part w of each face, w u + (1 - w) u_wall; `walls` is empty where
// all of them are at rest.
template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity,
                const MacField<float, D>& open, const MacField<float, D>& walls, double h);

// u -= dt · grad p on every face with an open part. The pressure stays in double up to here. Towards air it
// is zero, or what the system says, where its surface is; without one, zero at the next cell's centre.
template <int D>
void subtract_gradient(Exec& ex, MacField<float, D>& velocity, const Field<double, D>& pressure,
                       const PressureSystem<D>& system, double h, double dt);

// The largest |div u| of the stored velocity over active cells, in 1/s.
template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, double h);

// Of what flows through the open part w of each face, w u + (1 - w) u_wall, over the system's unknowns. A
// face without an open part carries its wall's velocity itself; `walls` is empty where all walls are at rest.
// The mean over a region that touches no air does not count: no pressure changes it. `expansion`, where
// there is one, is the divergence that is meant to be, in 1/s.
template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, const PressureSystem<D>& system,
                      const MacField<float, D>& walls, double h, const Regions<D>& regions,
                      const Field<float, D>& expansion = {});

struct ProjectionParams {
  PressureSolver solver = PressureSolver::multigrid_pcg;
  SolveTarget solve;  // in terms of divergence, 1/s
};

// The velocity nearest to the given one, by kinetic energy over the open parts of faces, that has no
// divergence (Batty, Bertails & Bridson 2007, with face areas for their volumes), or that of `expansion`:
// gas that appears or grows hot.
// `pressure` is p/ρ in m²/s²: first guess in, answer out. A solve that does not converge is tried again
// without the guess and then with MIC(0); the report says if none did. Its residual is the worst divergence
// of the velocity as it is stored afterwards, beyond what no pressure can change: its imbalances are in 1/s
// and, in total, in m^D/s that closed regions had to give up. Projections with the same system may share a
// `cache`.
template <int D>
SolveReport project(Exec& ex, MacField<float, D>& velocity, Field<double, D>& pressure,
                    const PressureSystem<D>& system, const MacField<float, D>& walls,
                    const ProjectionParams& params, double h, double dt,
                    const Field<float, D>& expansion = {}, SolverCache<D>* cache = nullptr);

}  // namespace whorl
