// Other people's solvers on the same system, each a program beside this one (bench/peers).
#pragma once

#include "poisson_file.h"

namespace whorl::bench {

struct Peer {
  const char* name;   // of the program, after whorl-peer-
  const char* title;  // what it is
  int solve_growth;   // a solve's time grows as this power of n: 3, and 1 more where the iterations grow as n
  bool two_norm;      // stops by ‖r‖₂, as we ask; if not, the tolerance has to be found
  bool mpi;           // run by mpirun
};
inline constexpr Peer peers[] = {
    {"hypre", "hypre, PFMG-PCG", 3, true, true},
    {"eigen", "Eigen, IC-PCG", 4, true, false},
    {"openvdb", "OpenVDB, IC-PCG", 4, false, false},
};

struct PeerLimits {
  double tolerance = 1e-6;  // of the true residual
  double timeout_s = 300;
  int threads = 0;  // or ranks; 0: one a core
};

struct PeerResult {
  SolverFigures figures;
  double true_residual = 0;
  double asked_tolerance = 0;  // what it was told, so that its own stop rule comes to the same
};

// Solves the problem with a peer and works its residual out afresh. Where that misses the tolerance the peer
// runs again with a smaller one; where it is far below, because the peer stops by another norm, once with a
// larger one: no peer is billed for more than it was asked. The message of an error says in a few words why
// there is no result: that the peer is not built, that it refused, or that it ran out of time.
Result<PeerResult> run_peer(const Peer& peer, const PoissonFile& problem, const PeerLimits& limits);

// How long set-up and solve take on n³ cells, from a run on fewer.
double predicted_seconds(const Peer& peer, const SolverFigures& smaller, int smaller_n, int n);

// Above this a peer is not worth waiting for.
inline constexpr double patience_s = 120;

}  // namespace whorl::bench
