// OpenVDB's Poisson solver: conjugate gradients on its sparse tree, preconditioned by incomplete Cholesky.
// Its matrix has a weight of 1 between any two neighbouring cells, so a problem with cut faces is refused.
#include "peer.h"

#include <optional>

#include <openvdb/openvdb.h>
#include <openvdb/tools/PoissonSolver.h>
#include <tbb/global_control.h>

namespace whorl::bench {
namespace {

using openvdb::Coord;
using openvdb::DoubleTree;
using openvdb::tools::poisson::LaplacianMatrix;
namespace pcg = openvdb::math::pcg;
using Factor = pcg::IncompleteCholeskyPreconditioner<LaplacianMatrix>;

constexpr int D = 3;
constexpr int max_iterations = 20000;

std::size_t cell_at(const PoissonFile& problem, const Coord& c) {
  return std::size_t(c[0]) * problem.stride(0) + std::size_t(c[1]) * problem.stride(1) + std::size_t(c[2]);
}

struct Neighbours {
  int unknowns = 0, others = 0;
  bool whole = true;  // every unknown among them has a weight of 1
};

Neighbours neighbours(const PoissonFile& problem, const Coord& c) {
  Neighbours found;
  for (int a = 0; a < D; ++a)
    for (const int side : {-1, +1}) {
      Coord to = c;
      to[a] += side;
      const bool inside = to[a] >= 0 && to[a] < problem.n();
      if (!inside || !(problem.diagonal()[cell_at(problem, to)] > 0)) {
        ++found.others;
        continue;
      }
      ++found.unknowns;
      found.whole = found.whole && problem.low_weight(a)[cell_at(problem, side < 0 ? c : to)] == 1;
    }
  return found;
}

// What the file's diagonal has besides the weights of unknowns: that of faces to air.
double to_air(const PoissonFile& problem, const Coord& c, const Neighbours& around) {
  return double(problem.diagonal()[cell_at(problem, c)]) - around.unknowns;
}

template <class F>
void for_unknowns(const PoissonFile& problem, const F& f) {
  const int n = problem.n();
  std::size_t i = 0;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z, ++i)
        if (problem.diagonal()[i] > 0) f(Coord(x, y, z), i);
}

bool suits_openvdb(const PoissonFile& problem) {
  bool suits = true;
  for_unknowns(problem, [&](const Coord& c, std::size_t) {
    const Neighbours around = neighbours(problem, c);
    suits = suits && around.whole && (around.others > 0 || to_air(problem, c, around) == 0);
  });
  return suits;
}

// Called once for each neighbour that is no unknown: shares what air puts on the diagonal out among them.
// OpenVDB's matrix is the Laplacian, so its diagonal is negative.
struct AirAndWalls {
  const PoissonFile* problem;

  void operator()(const Coord& c, const Coord&, double&, double& diagonal) const {
    const Neighbours around = neighbours(*problem, c);
    diagonal -= to_air(*problem, c, around) / around.others;
  }
};

// Asked at the start of every iteration; the first time tells where the set-up ended.
struct FirstIteration {
  Stopwatch& watch;
  std::optional<double> setup_s;

  bool wasInterrupted(int = -1) {
    if (!setup_s) setup_s = watch.lap();
    return false;
  }
  void start(const char* = nullptr) {}
  void end() {}
};

int run(PeerJob& job) {
  if (!suits_openvdb(job.problem))
    return give_up("openvdb",
                   "refused: the weight of some face is neither 0 nor 1, or is 0 between unknowns");
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::size_t(job.threads));
  DoubleTree right_side(0.);
  {
    openvdb::tree::ValueAccessor<DoubleTree> to(right_side);
    for_unknowns(job.problem, [&](const Coord& c, std::size_t i) { to.setValue(c, -job.problem.b()[i]); });
  }

  Stopwatch watch;
  FirstIteration first{watch, {}};
  pcg::State state = pcg::terminationDefaults<double>();
  state.iterations = max_iterations;
  state.relativeError = job.tolerance;  // of the largest residual, not of the 2-norm
  state.absoluteError = 0;
  const DoubleTree::Ptr x = openvdb::tools::poisson::solveWithBoundaryConditionsAndPreconditioner<Factor>(
      right_side, AirAndWalls{&job.problem}, state, first, /*staggered=*/true);
  const double solve_s = watch.lap();
  if (!state.success)
    return give_up("openvdb", "gave up after " + std::to_string(state.iterations) + " iterations");

  openvdb::tree::ValueAccessor<const DoubleTree> from(*x);
  for_unknowns(job.problem, [&](const Coord& c, std::size_t i) { job.answer.x()[i] = from.getValue(c); });
  job.answer.figures() = {first.setup_s.value_or(0), solve_s, state.iterations, peak_memory_bytes()};
  return 0;
}

}  // namespace
}  // namespace whorl::bench

int main(int argc, char** argv) {
  using namespace whorl::bench;
  whorl::Result<PeerJob> job = peer_job(argc, argv);
  if (!job) return give_up("openvdb", job.error().message);
  openvdb::initialize();
  return run(job.value());
}
