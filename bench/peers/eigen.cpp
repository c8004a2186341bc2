// Eigen's conjugate gradients with its incomplete Cholesky factor (Lin & Moré 1999). The product with the
// matrix runs on every thread; the two triangular solves cannot.
#include "peer.h"

#include <vector>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

namespace whorl::bench {
namespace {

constexpr int D = 3;
// Rows rather than columns, and both halves: only so is the product parallel.
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Factor = Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>;
using Solver = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Factor>;

// The row of every cell, or -1.
struct Rows {
  std::vector<int> of_cell;
  int count = 0;

  explicit Rows(const PoissonFile& problem) : of_cell(problem.cells(), -1) {
    for (std::size_t i = 0; i < of_cell.size(); ++i)
      if (problem.diagonal()[i] > 0) of_cell[i] = count++;
  }
};

Matrix assemble(const PoissonFile& problem, const Rows& rows) {
  Matrix matrix(rows.count, rows.count);
  matrix.reserve(Eigen::Index(rows.count) * (1 + 2 * D));
  for (std::size_t i = 0; i < problem.cells(); ++i) {
    const int row = rows.of_cell[i];
    if (row < 0) continue;
    matrix.startVec(row);
    const auto append = [&](std::size_t cell, float value) {
      if (value != 0) matrix.insertBack(row, rows.of_cell[cell]) = double(value);
    };
    // In the order of columns: lower neighbours from the farthest, then upper ones from the nearest.
    for (int a = 0; a < D; ++a)
      if (const std::size_t step = problem.stride(a); i >= step) append(i - step, -problem.low_weight(a)[i]);
    append(i, problem.diagonal()[i]);
    for (int a = D - 1; a >= 0; --a)
      if (const std::size_t upper = i + problem.stride(a); upper < problem.cells())
        append(upper, -problem.low_weight(a)[upper]);
  }
  matrix.finalize();
  return matrix;
}

int run(PeerJob& job) {
  Eigen::setNbThreads(job.threads);
  SolverFigures figures;
  Stopwatch watch;
  const Rows rows(job.problem);
  const Matrix matrix = assemble(job.problem, rows);
  Solver solver;
  solver.setTolerance(job.tolerance);  // of ‖r‖₂ / ‖b‖₂
  solver.compute(matrix);
  if (solver.preconditioner().info() != Eigen::Success)
    return give_up("eigen", "no incomplete Cholesky factor");
  Eigen::VectorXd b(rows.count);
  for (std::size_t i = 0; i < rows.of_cell.size(); ++i)
    if (rows.of_cell[i] >= 0) b[rows.of_cell[i]] = job.problem.b()[i];
  figures.setup_s = watch.lap();

  const Eigen::VectorXd x = solver.solve(b);
  figures.solve_s = watch.lap();
  figures.iterations = solver.iterations();
  if (solver.info() != Eigen::Success) return give_up("eigen", "no convergence");

  for (std::size_t i = 0; i < rows.of_cell.size(); ++i)
    if (rows.of_cell[i] >= 0) job.answer.x()[i] = x[rows.of_cell[i]];
  figures.peak_memory_bytes = peak_memory_bytes();
  job.answer.figures() = figures;
  return 0;
}

}  // namespace
}  // namespace whorl::bench

int main(int argc, char** argv) {
  using namespace whorl::bench;
  whorl::Result<PeerJob> job = peer_job(argc, argv);
  return job ? run(job.value()) : give_up("eigen", job.error().message);
}
