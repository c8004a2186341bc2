// Each pressure solver, and other people's (peers.h), on V-P1's problem to a true residual of 1e-6: the unit
// cube with walls, an open top, a solid sphere inside and a right side that is smooth with some noise.
#include "bandwidth.h"
#include "base/plot.h"
#include "harness.h"
#include "linear/solve.h"
#include "peers.h"
#include "sphere_problem.h"
#include "stages/sides.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

namespace whorl::bench {

namespace {

constexpr int D = 3;
constexpr double tolerance = 1e-6;
constexpr int small_size = 64;  // at which any solver is quick; larger ones are predicted from it

struct Solver {
  const char* name;
  PressureSolver solver;
  int solve_growth;  // as a peer's
};
constexpr Solver solvers[] = {
    {"multigrid_pcg", PressureSolver::multigrid_pcg, 3},
    {"multigrid", PressureSolver::multigrid, 3},
    {"mic_pcg", PressureSolver::mic_pcg, 4},
    {"ic_pcg", PressureSolver::ic_pcg, 4},
    {"cg", PressureSolver::cg, 4},
    {"gauss_seidel", PressureSolver::gauss_seidel, 5},
    {"jacobi", PressureSolver::jacobi, 5},
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The file's problem on tiles.
struct TileProblem {
  TopologyPtr<D> topology;
  MacField<float, D> open;
  Field<double, D> right_side;
  double h;

  TileProblem(Exec& ex, const PoissonFile& file) : h(1. / file.n()) {
    const int n = file.n();
    Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall);
    domain.sides[1][1] = Side::open;
    topology = Topology<D>::of_box(ex, domain);
    open = open_fraction(ex, topology);
    right_side = Field<double, D>(ex, topology);
    std::size_t i = 0;
    for_each_coord(domain.cells, [&](const Coord<D>& c) {
      if (file.diagonal()[i] > 0)
        right_side.set(c, file.b()[i] / (h * h));
      else
        for (int a = 0; a < D; ++a)
          for (const Coord<D>& face : {c, c + Coord<D>::unit(a)})
            if (open[a].stores(face)) open[a].set(face, 0);
      ++i;
    });
  }
};

struct WhorlResult {
  SolverFigures figures;
  double true_residual = 0;
  double extra_bytes_per_cell = 0;  // beyond pressure, right side and face weights
};

WhorlResult run_whorl(int threads, const PoissonFile& file, const Solver& solver, int rounds) {
  const double cells = double(file.cells());
  WhorlResult best;
  best.figures.solve_s = best.figures.setup_s = 1e9;
  Exec ex({.threads = threads});
  const TileProblem problem(ex, file);
  Field<double, D> p(ex, problem.topology);
  for (int round = 0; round < rounds; ++round) {
    MacField<float, D> open = problem.open.clone(ex);
    p.fill(ex, 0);
    const std::size_t given = ex.memory().bytes_in_use();
    ex.memory().reset_peak();
    const double start = now();
    const PressureSystem<D> system = pressure_system(ex, std::move(open));
    const Regions<D> regions = find_regions(ex, system);
    const SolveReport report =
        solve(ex, p, problem.right_side, system, regions, solver.solver, problem.h,
              {.relative = tolerance, .absolute = 0, .max_iterations = 1000000, .norm = ResidualNorm::two});
    const double total = now() - start;
    if (total >= best.figures.setup_s + best.figures.solve_s) continue;
    best.figures.setup_s = total - report.seconds;
    best.figures.solve_s = report.seconds;
    best.figures.iterations = report.iterations;
    best.figures.peak_memory_bytes = std::int64_t(ex.memory().peak_in_use());
    best.extra_bytes_per_cell = double(ex.memory().peak_in_use() - given) / cells;
  }
  std::vector<double> x;
  x.reserve(file.cells());
  for_each_coord(problem.topology->domain().cells, [&](const Coord<D>& c) { x.push_back(p.get(c)); });
  best.true_residual = true_residual(file, x);
  return best;
}

class Bench {
 public:
  Bench(int threads, double bandwidth, std::string only)
      : threads_(threads),
        bandwidth_(bandwidth),
        only_(std::move(only)),
        table_("V-P1's problem to a true residual of 1e-6, " + std::to_string(threads) +
                   (threads == 1 ? " thread" : " threads"),
               "solver") {}

  Result<void> run(int n) {
    const Result<PoissonFile> problem = sphere_problem(n);
    if (!problem) return problem.error();
    for (const Solver& solver : solvers) {
      if (skip(solver.name, solver.solve_growth, n)) continue;
      const bool quick = solver.solve_growth == 3;
      const WhorlResult r = run_whorl(threads_, problem.value(), solver, quick ? 5 : 1);
      const bool counted = solver.solver == PressureSolver::multigrid_pcg;
      add(solver.name, n, r.figures, r.true_residual,
          counted ? 1e9 * iteration_bytes * double(r.figures.iterations) / bandwidth_ : 0,
          r.extra_bytes_per_cell);
    }
    for (const Peer& peer : peers) {
      if (skip(peer.name, peer.solve_growth, n)) continue;
      const Result<PeerResult> r =
          run_peer(peer, problem.value(), {.tolerance = tolerance, .threads = threads_});
      if (!r)
        std::printf("%s, %d^3: %s\n", peer.name, n, r.error().message.c_str());
      else
        add(peer.name, n, r.value().figures, r.value().true_residual, 0,
            double(r.value().figures.peak_memory_bytes) / (double(n) * n * n));
    }
    return {};
  }

  int write(const Options& options) const {
    Plot plot{.title = "Pressure to a residual of 1e-6",
              .x_label = "cells along each side",
              .y_label = "ns a cell, set-up and solve",
              .series = {},
              .logarithmic = true,
              .dots = true};
    for (const auto& [name, points] : points_) plot.series.push_back({name, points});
    const int failed = write_file(options.svg, to_svg(plot));
    return failed ? failed : table_.write_json(options.json);
  }

 private:
  // Not asked for; or, and says so, where the solver would take too long, judging by fewer cells.
  bool skip(const std::string& name, int growth, int n) const {
    if (!only_.empty() && name != only_) return true;
    const auto before = times_.find(name);
    if (before == times_.end()) return false;
    const auto& [smaller_n, figures] = before->second;
    const double seconds = predicted_seconds({"", "", growth, true, false}, figures, smaller_n, n);
    if (seconds <= patience_s) return false;
    std::printf("%s, %d^3: skipped, would take about %.0f s, judging by %d^3\n", name.c_str(), n, seconds,
                smaller_n);
    return true;
  }

  void add(const std::string& name, int n, const SolverFigures& f, double residual, double bound,
           double bytes) {
    const double cells = double(n) * n * n, ns = 1e9 * (f.setup_s + f.solve_s) / cells;
    table_.add(name, {{"cells", cells},
                      {"setup_s", f.setup_s},
                      {"solve_s", f.solve_s},
                      {"iterations", double(f.iterations)},
                      {"total_ns_per_cell", ns},
                      {"true_residual", residual},
                      {"bound_ns_per_cell", bound},
                      {"bytes_per_cell", bytes}});
    times_[name] = {n, f};
    points_[name].emplace_back(n, ns);
  }

  int threads_;
  double bandwidth_;
  std::string only_;
  Table table_;
  std::map<std::string, std::pair<int, SolverFigures>> times_;
  std::map<std::string, std::vector<std::pair<double, double>>> points_;
};

}  // namespace

int poisson(const Options& options) {
  std::vector<int> sizes = {64, 128, 256, 384};
  if (options.size)
    sizes = options.size > small_size ? std::vector{small_size, options.size} : std::vector{options.size};
  const int threads = thread_counts(options).back();
  double bandwidth = 0;
  {
    Exec ex({.threads = threads});
    bandwidth = bytes_per_second(ex);
  }
  std::printf("triad %.1f GB/s; a multigrid_pcg iteration moves %.0f bytes a cell\n", 1e-9 * bandwidth,
              iteration_bytes);
  Bench bench(threads, bandwidth, options.only);
  for (const int n : sizes)
    if (const Result<void> done = bench.run(n); !done) {
      std::fprintf(stderr, "whorl-bench: %s\n", done.error().message.c_str());
      return int(done.error().code);
    }
  return bench.write(options);
}

}  // namespace whorl::bench
