// What sparsity costs a pressure solve: two balls of fluid far apart, a twentieth of the box round them,
// beside a dense cube of as many cells. Seconds are per active cell and iteration.
#include "base/rng.h"
#include "harness.h"
#include "linear/solve.h"
#include "stages/sides.h"

#include <cmath>
#include <cstdio>

namespace whorl::bench {

namespace {

constexpr int D = 3;

struct Problem {
  TopologyPtr<D> topology;
  PressureSystem<D> system;
  Field<double, D> right_side;

  Problem(Exec& ex, TopologyPtr<D> t)
      : topology(t), system(pressure_system(ex, open_fraction(ex, t))), right_side(ex, t) {
    const TileSet<D> tiles = t->active_tile_set();
    ex.parallel_for(tiles.count, 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        for (int c = 0; c < tile_cells<D>; ++c) {
          const std::size_t place = std::size_t(tiles.tile(k)) * tile_cells<D> + std::size_t(c);
          right_side.data()[place] = double(Rng(3, place).uniform(-1, 1));
        }
    });
  }

  // Seconds per active cell and iteration, and all of them per cell.
  struct Cost {
    double iteration, total;
    int iterations;
  };
  Cost solve(Exec& ex) const {
    Field<double, D> p(ex, topology);
    const auto seconds =
        best_seconds(1, {[&] {
                       p.fill(ex, 0);
                       (void)whorl::solve(ex, p, right_side, system, find_regions(ex, system),
                                          PressureSolver::multigrid_pcg, 1., {.relative = 1e-6});
                     }});
    p.fill(ex, 0);
    const SolveReport report = whorl::solve(ex, p, right_side, system, find_regions(ex, system),
                                            PressureSolver::multigrid_pcg, 1., {.relative = 1e-6});
    const double cells = double(topology->active_cells());
    return {report.seconds / report.iterations / cells, seconds[0] / cells, report.iterations};
  }
};

// Two balls whose cells make up a twentieth of the box round them.
TopologyPtr<D> two_balls(Exec& ex, int n) {
  const double radius = std::cbrt(double(n) * n * n / 2 / (4 * M_PI / 3)) / tile_side;  // in tiles
  const double volume = 2 * 4 * M_PI / 3 * std::pow(radius, 3), side = 2 * radius;
  const double distance = volume / 0.05 / (side * side) - side;  // of their centres, along the first axis
  std::vector<Coord<D>> tiles;
  const int reach = int(radius) + 1;
  for (const int from : {0, int(std::ceil(distance))})
    for_each_coord(Box<D>{Coord<D>::filled(-reach), Coord<D>::filled(reach + 1)}, [&](const Coord<D>& t) {
      double r2 = 0;
      for (int a = 0; a < D; ++a) r2 += double(t[a]) * t[a];
      if (r2 <= radius * radius) tiles.push_back(t + Coord<D>::unit(0, from));
    });
  return Topology<D>::of_tiles(ex, {}, std::move(tiles));
}

}  // namespace

int sparse(const Options& options) {
  const int n = options.size ? options.size : 128;
  Table table("multigrid_pcg, dense and sparse, " + std::to_string(n) + "^3 cells");
  for (const int threads : thread_counts(options)) {
    Exec ex({.threads = threads});
    Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::open);
    const Problem dense(ex, Topology<D>::of_box(ex, domain)), blobs(ex, two_balls(ex, n));
    Problem::Cost best[2] = {{1, 1, 0}, {1, 1, 0}};
    for (int round = 0; round < 6; ++round)
      for (int k = 0; k < 2; ++k) {
        const Problem::Cost cost = (k ? blobs : dense).solve(ex);
        best[k] = {std::min(best[k].iteration, cost.iteration), std::min(best[k].total, cost.total),
                   cost.iterations};
      }
    for (int k = 0; k < 2; ++k)
      table.add((k ? "two balls, " : "dense cube, ") + std::to_string(threads) +
                    (threads == 1 ? " thread" : " threads"),
                {{"cells", double((k ? blobs : dense).topology->active_cells())},
                 {"iterations", double(best[k].iterations)},
                 {"ns/cell/iteration", 1e9 * best[k].iteration},
                 {"ns/cell", 1e9 * best[k].total},
                 {"x dense", best[k].iteration / best[0].iteration}});
  }
  return table.write_json(options.json);
}

}  // namespace whorl::bench
