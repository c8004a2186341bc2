// hypre's conjugate gradients with PFMG, its geometric multigrid with semicoarsening (Ashby & Falgout 1996),
// through its structured-grid interface. Run by mpirun; every rank takes a slab of equal thickness.
#include "peer.h"

#include <array>
#include <vector>

#include <HYPRE_struct_ls.h>
#include <mpi.h>

namespace whorl::bench {
namespace {

constexpr int D = 3;
constexpr int max_iterations = 1000;

// The x range of a rank. hypre's first index is its fastest, so axis a is its dimension D - 1 - a.
struct Slab {
  std::array<HYPRE_Int, D> lo, hi;  // both ends belong to it
  std::size_t begin, cells;         // in the file's arrays

  Slab(const PoissonFile& problem, int rank, int ranks) {
    const int n = problem.n();
    lo = {0, 0, HYPRE_Int(rank * n / ranks)};
    hi = {n - 1, n - 1, HYPRE_Int((rank + 1) * n / ranks - 1)};
    begin = std::size_t(lo[D - 1]) * problem.stride(0);
    cells = std::size_t(hi[D - 1] - lo[D - 1] + 1) * problem.stride(0);
  }
};

class System {
 public:
  System(const PoissonFile& problem, const Slab& slab) : slab_(slab) {
    HYPRE_StructGridCreate(MPI_COMM_WORLD, D, &grid_);
    HYPRE_StructGridSetExtents(grid_, slab_.lo.data(), slab_.hi.data());
    HYPRE_StructGridAssemble(grid_);
    assemble_matrix(problem);
    for (HYPRE_StructVector* v : {&b, &x}) {
      HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid_, v);
      HYPRE_StructVectorInitialize(*v);
    }
    std::vector<double> values(slab_.cells);
    HYPRE_StructVectorSetBoxValues(x, slab_.lo.data(), slab_.hi.data(), values.data());
    for (std::size_t k = 0; k < slab_.cells; ++k)
      values[k] = problem.diagonal()[slab_.begin + k] > 0 ? problem.b()[slab_.begin + k] : 0;
    HYPRE_StructVectorSetBoxValues(b, slab_.lo.data(), slab_.hi.data(), values.data());
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorAssemble(x);
  }
  ~System() {
    HYPRE_StructVectorDestroy(x);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructMatrixDestroy(matrix);
    HYPRE_StructGridDestroy(grid_);
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  void copy_answer(std::span<double> to) {
    HYPRE_StructVectorGetBoxValues(x, slab_.lo.data(), slab_.hi.data(), to.data() + slab_.begin);
  }

  HYPRE_StructMatrix matrix = nullptr;
  HYPRE_StructVector b = nullptr, x = nullptr;

 private:
  // One half of the symmetric matrix; a cell that is no unknown gets the equation x = 0.
  void assemble_matrix(const PoissonFile& problem) {
    HYPRE_StructStencil stencil = nullptr;
    HYPRE_StructStencilCreate(D, 1 + D, &stencil);
    std::array<HYPRE_Int, D> centre{};
    HYPRE_StructStencilSetElement(stencil, 0, centre.data());
    for (int a = 0; a < D; ++a) {
      std::array<HYPRE_Int, D> lower{};
      lower[std::size_t(D - 1 - a)] = -1;
      HYPRE_StructStencilSetElement(stencil, 1 + a, lower.data());
    }
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid_, stencil, &matrix);
    HYPRE_StructMatrixSetSymmetric(matrix, 1);
    HYPRE_StructMatrixInitialize(matrix);
    std::vector<double> values(slab_.cells);
    for (HYPRE_Int entry = 0; entry <= D; ++entry) {
      const auto from = (entry ? problem.low_weight(entry - 1) : problem.diagonal()).subspan(slab_.begin);
      for (std::size_t k = 0; k < slab_.cells; ++k)
        values[k] = entry ? -double(from[k]) : from[k] > 0 ? double(from[k]) : 1;
      HYPRE_StructMatrixSetBoxValues(matrix, slab_.lo.data(), slab_.hi.data(), 1, &entry, values.data());
    }
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructStencilDestroy(stencil);
  }

  Slab slab_;
  HYPRE_StructGrid grid_ = nullptr;
};

class Solver {
 public:
  Solver(System& system, double tolerance) : system_(system) {
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &multigrid_);
    HYPRE_StructPFMGSetMaxIter(multigrid_, 1);  // one cycle an iteration, from zero
    HYPRE_StructPFMGSetTol(multigrid_, 0);
    HYPRE_StructPFMGSetZeroGuess(multigrid_);
    // The fastest of those tried at 128³: Jacobi or Gauss-Seidel, Galerkin or not, 1 to 3 sweeps.
    HYPRE_StructPFMGSetRelaxType(multigrid_, 2);  // red-black Gauss-Seidel, symmetric
    HYPRE_StructPFMGSetRAPType(multigrid_, 1);    // coarse stencils of seven points
    HYPRE_StructPFMGSetSkipRelax(multigrid_, 1);  // the cells are cubes
    HYPRE_StructPFMGSetNumPreRelax(multigrid_, 2);
    HYPRE_StructPFMGSetNumPostRelax(multigrid_, 2);

    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg_);
    HYPRE_StructPCGSetMaxIter(pcg_, max_iterations);
    HYPRE_StructPCGSetTol(pcg_, tolerance);
    HYPRE_StructPCGSetTwoNorm(pcg_, 1);  // stop by ‖r‖₂ rather than by the preconditioner's norm
    HYPRE_StructPCGSetPrecond(pcg_, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, multigrid_);
    HYPRE_StructPCGSetup(pcg_, system_.matrix, system_.b, system_.x);
  }
  ~Solver() {
    HYPRE_StructPCGDestroy(pcg_);
    HYPRE_StructPFMGDestroy(multigrid_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // The iterations; as many as max_iterations where it did not converge.
  int solve() {
    HYPRE_StructPCGSolve(pcg_, system_.matrix, system_.b, system_.x);
    HYPRE_Int iterations = 0;
    HYPRE_StructPCGGetNumIterations(pcg_, &iterations);
    return int(iterations);
  }

 private:
  System& system_;
  HYPRE_StructSolver multigrid_ = nullptr, pcg_ = nullptr;
};

double lap_together(Stopwatch& watch) {
  MPI_Barrier(MPI_COMM_WORLD);
  return watch.lap();
}

int run(PeerJob& job, int rank, int ranks) {
  if (ranks > job.problem.n()) return give_up("hypre", "more ranks than cells along a side");
  Stopwatch watch;
  SolverFigures figures;
  lap_together(watch);
  System system(job.problem, Slab(job.problem, rank, ranks));
  Solver solver(system, job.tolerance);
  figures.setup_s = lap_together(watch);
  figures.iterations = solver.solve();
  figures.solve_s = lap_together(watch);

  system.copy_answer(job.answer.x());
  const std::int64_t own_peak = peak_memory_bytes();
  MPI_Reduce(&own_peak, &figures.peak_memory_bytes, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) job.answer.figures() = figures;
  if (figures.iterations < max_iterations) return 0;
  return rank == 0 ? give_up("hypre", "no convergence in " + std::to_string(max_iterations) + " iterations")
                   : 1;
}

}  // namespace
}  // namespace whorl::bench

int main(int argc, char** argv) {
  using namespace whorl::bench;
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  whorl::Result<PeerJob> job = peer_job(argc, argv);
  if (!job) {
    give_up("hypre", job.error().message);
    MPI_Abort(MPI_COMM_WORLD, 1);  // the other ranks may have fared better, and would wait for this one
  }
  const int status = run(job.value(), rank, ranks);
  MPI_Finalize();
  return status;
}
