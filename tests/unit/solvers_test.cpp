// The pressure solvers where it is easy to go wrong: closed boxes, pockets, periods, guesses left over from
// another geometry. Each with its budget of iterations.
#include "linear/pcg.h"
#include "linear/solve.h"
#include "unit/system_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace whorl {
namespace {

template <class T>
class Solvers : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Solvers, Dimensions);

constexpr PressureSolver all_solvers[] = {
    PressureSolver::multigrid_pcg, PressureSolver::multigrid, PressureSolver::mic_pcg,
    PressureSolver::ic_pcg,        PressureSolver::cg,        PressureSolver::gauss_seidel,
    PressureSolver::jacobi,
};

// A box with walls square to the first axis, so that parts of it are by themselves.
template <int D>
PressureSystem<D> box_system(Exec& ex, int n, Side side, std::vector<int> walls = {}) {
  const auto topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, side));
  MacField<float, D> open = open_fraction(ex, topology);
  for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
    for (const int wall : walls)
      if (c[0] == wall) open[0].set(c, 0);
  });
  return pressure_system(ex, std::move(open));
}

template <int D>
SolveReport solve_random(Exec& ex, Field<double, D>& p, const PressureSystem<D>& system,
                         PressureSolver solver, const SolveTarget& target) {
  p = Field<double, D>(ex, system.topology);
  const Field<double, D> b = random_unknowns<double>(ex, system, 51);
  const SolveReport report = solve(ex, p, b, system, find_regions(ex, system), solver, 0.1, target);
  std::printf("D = %d, solver %d: %d iterations, %d of %d regions floating\n", D, int(solver),
              report.iterations, report.floating_regions, report.regions);
  return report;
}

// Each pocket has a constant of its own that the coarsest grid must not let go wild.
TYPED_TEST(Solvers, PocketsOfAClosedBoxCostNoIterations) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, 48, Side::wall, {8, 16, 32});
  Field<double, D> p;
  const SolveReport report =
      solve_random(this->ex, p, system, PressureSolver::multigrid_pcg, {.relative = 1e-8});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.floating_regions, 4);
  EXPECT_LE(report.iterations, 14);
}

// Coarse grids do not see that the box's ends are one pocket, for a period of 40 cells cannot be halved:
// there the ends are two, and neither of their right sides adds up to zero.
TYPED_TEST(Solvers, APocketAcrossAPeriodCostsFewIterations) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, 40, Side::periodic, {8, 32});
  Field<double, D> p;
  const SolveReport report =
      solve_random(this->ex, p, system, PressureSolver::multigrid_pcg, {.relative = 1e-6});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.floating_regions, 2);
  EXPECT_LE(report.iterations, 40);
}

TYPED_TEST(Solvers, PeriodicBoxesTakeFewIterations) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, D == 2 ? 40 : 24, Side::periodic);
  Field<double, D> p;
  const SolveReport report =
      solve_random(this->ex, p, system, PressureSolver::multigrid_pcg, {.relative = 1e-6});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 25);
}

// A cannot see a constant, so rounding would feed it for ever.
TYPED_TEST(Solvers, AClosedBoxIsSolvedToTheLastDigits) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, D == 2 ? 128 : 48, Side::wall);
  Field<double, D> p;
  const SolveReport fast =
      solve_random(this->ex, p, system, PressureSolver::multigrid_pcg, {.relative = 1e-10});
  EXPECT_TRUE(fast.converged);
  EXPECT_LE(fast.iterations, 15);
  const SolveReport mic = solve_random(this->ex, p, system, PressureSolver::mic_pcg, {.relative = 1e-10});
  EXPECT_TRUE(mic.converged);
  EXPECT_LE(mic.iterations, 120);
}

// A right side far out of balance, over many pockets: the means are told, and the rest is solved.
TYPED_TEST(Solvers, AnImbalanceFarLargerThanTheRestIsTakenOff) {
  constexpr int D = TestFixture::dimension;
  const SystemCase<D> c(this->ex, SystemKind::floating);
  const Regions<D> regions = find_regions(this->ex, c.system);
  Field<double, D> b = random_unknowns<double>(this->ex, c.system, 51);
  for_system_cells(*c.topology, [&](const CellIndex<D>& i, const Coord<D>& cell) {
    if (c.system.view().diagonal(i) > 0) b.set(cell, 1e3 + b.get(cell));
  });
  for (const auto& [solver, budget] :
       {std::pair{PressureSolver::multigrid_pcg, 20}, std::pair{PressureSolver::mic_pcg, 140},
        std::pair{PressureSolver::cg, 540}}) {
    Field<double, D> p(this->ex, c.topology);
    const SolveReport report =
        solve(this->ex, p, b, c.system, regions, solver, 0.1, {.relative = 1e-9, .max_iterations = 1000});
    std::printf("D = %d, solver %d: %d iterations, imbalance %g\n", D, int(solver), report.iterations,
                report.imbalance);
    EXPECT_TRUE(report.converged) << int(solver);
    EXPECT_NEAR(report.imbalance, 1e3, 1.);
    EXPECT_LE(report.iterations, budget) << int(solver);
  }
}

// z = r and a constant far larger than it: in a closed box as good a correction as r itself.
template <int D>
class Shifted final : public Preconditioner<double, D> {
 public:
  double apply(Exec&, Field<double, D>& z, const Field<double, D>& r) override {
    double most = 0, sum = 0;
    const auto for_cells = [&](const auto& f) {
      for_system_cells(*r.topology(), [&](const CellIndex<D>& i, const Coord<D>&) {
        if (r.topology()->view().active_bits(i)) f(i);
      });
    };
    for_cells([&](const CellIndex<D>& i) { most = std::max(most, std::abs(r.view()(i))); });
    for_cells([&](const CellIndex<D>& i) {
      z.view().store(i, r.view()(i) + 1e8 * most);
      sum += z.view()(i) * r.view()(i);
    });
    return sum;
  }
};

TYPED_TEST(Solvers, DirectionsLoseTheConstantsThatNothingSees) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, 24, Side::wall, {8});
  const Regions<D> regions = find_regions(this->ex, system);
  const Field<double, D> b = random_unknowns<double>(this->ex, system, 51);
  Identity<double, D> identity;
  Shifted<D> shifted;
  int iterations[2];
  Field<double, D> p[2];
  for (const int k : {0, 1}) {
    p[k] = Field<double, D>(this->ex, system.topology);
    Preconditioner<double, D>* const by[] = {&identity, &shifted};
    const SolveReport report = solve_pcg(this->ex, p[k], b, system, regions, 1., {.relative = 1e-10}, *by[k]);
    EXPECT_TRUE(report.converged);
    iterations[k] = report.iterations;
  }
  std::printf("D = %d: %d iterations, shifted %d\n", D, iterations[0], iterations[1]);
  EXPECT_LE(iterations[1], 1.1 * iterations[0]);
  for (std::size_t k = 0; k < p[0].size(); ++k) ASSERT_NEAR(p[0].data()[k], p[1].data()[k], 1e-6);
}

// Incomplete Cholesky leaves out the links across a period: then tiles at both ends may be worked on at once.
TYPED_TEST(Solvers, IncompleteCholeskyTakesPeriodicBoxes) {
  constexpr int D = TestFixture::dimension;
  const PressureSystem<D> system = box_system<D>(this->ex, D == 2 ? 64 : 32, Side::periodic);
  Field<double, D> p, plain, again;
  const SolveReport report = solve_random(this->ex, p, system, PressureSolver::mic_pcg, {.relative = 1e-9});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 90);
  EXPECT_TRUE(solve_random(this->ex, plain, system, PressureSolver::cg, {.relative = 1e-9}).converged);
  double most = 0;
  for (std::size_t k = 0; k < p.size(); ++k) most = std::max(most, std::abs(plain.data()[k]));
  for (std::size_t k = 0; k < p.size(); ++k) ASSERT_NEAR(p.data()[k], plain.data()[k], 1e-6 * most);
  for (const int threads : {1, 7}) {
    Exec other({.threads = threads});
    EXPECT_EQ(solve_random(other, again, system, PressureSolver::mic_pcg, {.relative = 1e-9}).iterations,
              report.iterations);
    EXPECT_EQ(std::memcmp(again.data(), p.data(), p.size() * sizeof(double)), 0) << threads << " threads";
  }
}

// Whatever a guess has on cells that are no unknowns does not matter, and is gone afterwards: closed cells,
// holes, and tiles that are there for their faces alone.
TYPED_TEST(Solvers, TheAnswerIsZeroOnCellsThatAreNoUnknowns) {
  constexpr int D = TestFixture::dimension;
  const int n = 16;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::open);
  const auto topology = Topology<D>::of_box(this->ex, domain);
  MacField<float, D> open = open_fraction(this->ex, topology);
  const Coord<D> closed = Coord<D>::filled(5);
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1}) open[a].set(closed + Coord<D>::unit(a, high), 0);
  const PressureSystem<D> system = pressure_system(this->ex, std::move(open));
  const Regions<D> regions = find_regions(this->ex, system);
  const Field<double, D> b = random_unknowns<double>(this->ex, system, 61);
  int idle_tiles = 0;
  for (int tile = 0; tile < topology->tile_count(); ++tile) idle_tiles += !topology->has_active(tile);
  ASSERT_GT(idle_tiles, 0);

  for (const PressureSolver solver : all_solvers) {
    SCOPED_TRACE(int(solver));
    Field<double, D> clean(this->ex, topology), p(this->ex, topology);
    const SolveTarget target{.relative = 1e-6};
    EXPECT_TRUE(solve(this->ex, clean, b, system, regions, solver, 1., target).converged);
    for (std::size_t k = 0; k < p.size(); ++k) p.data()[k] = 1e3;
    for_each_coord(domain.cells, [&](const Coord<D>& c) { p.set(c, c == closed ? 1e3 : 0.); });
    EXPECT_TRUE(solve(this->ex, p, b, system, regions, solver, 1., target).converged);
    EXPECT_EQ(p.get(closed), 0);
    ASSERT_EQ(std::memcmp(clean.data(), p.data(), p.size() * sizeof(double)), 0);
    for (int tile = 0; tile < topology->tile_count(); ++tile)
      for (int k = 0; k < tile_cells<D>; ++k) {
        if (!topology->has_active(tile)) {
          ASSERT_EQ(p.data()[std::size_t(tile) * tile_cells<D> + std::size_t(k)], 0.);
        }
      }
  }
}

}  // namespace
}  // namespace whorl
