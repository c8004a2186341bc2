// Every pressure solver gives the same bits on 1, 2 and 7 threads and on every backend: round solids that
// move and cut faces, with a pocket inside each of them and a liquid's surface.
#include "base/rng.h"
#include "stages/project.h"
#include "stages/sides.h"
#include "stages/solids.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace whorl {
namespace {

template <int D>
struct Tank {
  static constexpr int side = D == 2 ? 160 : 40;
  static constexpr double h = 0.05;
  TopologyPtr<D> topology;
  PressureSystem<D> system;
  MacField<float, D> walls, u;
  Field<double, D> right_side;

  explicit Tank(Exec& ex) {
    Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(side)}, Side::wall);
    domain.sides[1][1] = Side::open;
    topology = Topology<D>::of_box(ex, domain);
    const double size = side * h;
    const auto filled = [](double x) { return Vec<double, D>::filled(x); };
    Solid<D> solids[2];
    const auto hollow = [&](double centre, double outer, double inner) -> Shape<D> {
      return DifferenceShape<D>{{SphereShape<D>{filled(centre * size), outer * size},
                                 SphereShape<D>{filled(centre * size), inner * size}}};
    };
    solids[0].shape = hollow(0.3, 0.171, 0.1);
    solids[0].velocity.gradient[0] = Vec<double, D>::unit(1, 2.);
    solids[0].velocity.gradient[1] = Vec<double, D>::unit(0, -2.);
    solids[1].shape = hollow(0.65, 0.16, 0.09);
    solids[1].velocity.at_origin = filled(0.3);
    CutFaces<D> faces = cut_faces<D>(ex, topology, solids, &Solid<D>::shape, h, WallMode::cut);
    walls = std::move(faces.walls);
    u = MacField<float, D>(ex, topology);
    for (int a = 0; a < D; ++a)
      for (std::size_t k = 0; k < u[a].size(); ++k)
        u[a].data()[k] = Rng(5 + std::uint64_t(a), k).uniform(-1, 1);
    enforce_solids(ex, u, {faces.open.clone(ex), walls.clone(ex)});
    enforce_sides(ex, u, {});
    Field<float, D> surface(ex, topology);
    right_side = Field<double, D>(ex, topology);
    std::uint64_t id = 0;
    for_each_coord(domain.cells, [&](const Coord<D>& c) {
      surface.set(c, float(h * (c[1] - 0.9 * side + 2 * std::sin(0.3 * c[0]))));
      right_side.set(c, double(Rng(9, id++).uniform(-1, 1)));
    });
    system = pressure_system(ex, std::move(faces.open), std::move(surface));
  }
};

// What one set-up gives: the pressures of all solvers, and the velocities after a projection.
struct Outcome {
  std::vector<std::vector<double>> pressures;
  std::vector<float> velocities;
};

template <int D>
Outcome run(Exec& ex) {
  Tank<D> tank(ex);
  const Regions<D> regions = find_regions(ex, tank.system);
  EXPECT_GE(regions.floating.size(), 2u);
  EXPECT_GT(regions.count, int(regions.floating.size()));
  Outcome outcome;
  for (const PressureSolver solver :
       {PressureSolver::multigrid_pcg, PressureSolver::multigrid, PressureSolver::mic_pcg,
        PressureSolver::ic_pcg, PressureSolver::cg, PressureSolver::gauss_seidel, PressureSolver::jacobi}) {
    Field<double, D> p(ex, tank.topology);
    const SolveReport report = solve(ex, p, tank.right_side, tank.system, regions, solver, tank.h,
                                     {.relative = 1e-8, .max_iterations = 40});
    EXPECT_GT(report.iterations, 5) << int(solver);
    outcome.pressures.emplace_back(p.data(), p.data() + p.size());
  }
  Field<double, D> p(ex, tank.topology);
  EXPECT_TRUE(project(ex, tank.u, p, tank.system, tank.walls, {}, tank.h, 0.01).converged);
  for (int a = 0; a < D; ++a)
    outcome.velocities.insert(outcome.velocities.end(), tank.u[a].data(),
                              tank.u[a].data() + tank.u[a].size());
  return outcome;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <int D>
void expect_same_bits() {
  Outcome first;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const Outcome outcome = run<D>(ex);
      if (first.pressures.empty()) first = outcome;
      for (std::size_t k = 0; k < first.pressures.size(); ++k)
        EXPECT_TRUE(same_bits(outcome.pressures[k], first.pressures[k]))
            << "solver " << k << ", " << to_string(backend) << " with " << threads << " threads";
      EXPECT_TRUE(same_bits(outcome.velocities, first.velocities))
          << "projection, " << to_string(backend) << " with " << threads << " threads";
    }
}

TEST(Determinism, SolversGiveTheSameBitsOnAnyThreads2D) { expect_same_bits<2>(); }
TEST(Determinism, SolversGiveTheSameBitsOnAnyThreads3D) { expect_same_bits<3>(); }

}  // namespace
}  // namespace whorl
