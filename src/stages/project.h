// Projection: makes the velocity divergence-free by the gradient of a pressure (Chorin 1968).
#pragma once

#include "grid/field.h"
#include "linear/pressure_system.h"
#include "linear/solve_report.h"

namespace whorl {

// (div u)_i = 1/h Σ_a (u_a at the high face - u_a at the low face), per second, on active cells; zero
// elsewhere. In double: the differences are far smaller than the velocities.
template <int D>
void divergence(Exec& ex, Field<double, D>& out, const MacField<float, D>& velocity, double h);

// u -= dt · grad p on every face with an open part. The pressure stays in double up to here.
template <int D>
void subtract_gradient(Exec& ex, MacField<float, D>& velocity, const Field<double, D>& pressure,
                       const MacField<float, D>& open, double h, double dt);

// The largest |div u| of the stored velocity over active cells, in 1/s; and over those of them that are not
// closed all round.
template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, double h);
template <int D>
double max_divergence(Exec& ex, const MacField<float, D>& velocity, const PressureSystem<D>& system,
                      double h);

enum class PressureSolver { multigrid_pcg, mic_pcg, cg };

struct ProjectionParams {
  PressureSolver solver = PressureSolver::multigrid_pcg;
  SolveTarget solve;  // in terms of divergence, 1/s
};

// `pressure` is p/ρ in m²/s²: first guess in, answer out. A solve that does not converge is tried again
// without the guess and then with MIC(0); the report says if none did. Its residual is the worst
// divergence of the velocity as it is stored afterwards.
template <int D>
SolveReport project(Exec& ex, MacField<float, D>& velocity, Field<double, D>& pressure,
                    const PressureSystem<D>& system, const ProjectionParams& params, double h, double dt);

}  // namespace whorl
