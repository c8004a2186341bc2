// V-P1: how many iterations each solver takes, by a table that independent small programs agree on.
#pragma once

#include "cases/findings.h"
#include "cases/poisson_case.h"
#include "linear/solve.h"

namespace whorl {

// To this part of the first residual, by their two-norms; it is then worked out afresh.
SolveReport solve_case(Findings& found, Exec& ex, const PoissonCase<3>& problem, PressureSolver solver,
                       double relative);

void cg_iterations(Findings& found);
void ic_iterations(Findings& found);
void mic_iterations(Findings& found);

// The target of V-P1: at most 12 iterations to 1e-8, and hardly more on finer grids.
void multigrid_iterations(Findings& found);

// The rest of the table, and multigrid at 256³: minutes.
void poisson_iterations_fine(Findings& found);

}  // namespace whorl
