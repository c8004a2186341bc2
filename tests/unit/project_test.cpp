// Sides, divergence and projection on small grids, and plain CG.
#include "stages/project.h"
#include "linear/laplacian.h"
#include "stages/measure.h"
#include "stages/sides.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

TYPED_TEST(Stages, SidesSetWallsAndInflows) {
  constexpr int D = TestFixture::dimension;
  const auto domain = mixed_domain<D>();
  const auto topology = Topology<D>::of_box(this->ex, domain);
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(0.5f));
  Inflow<D> inflow;
  inflow.velocity[1][0][1] = 2;
  enforce_sides(this->ex, u, inflow);
  const MacField<float, D> open = open_fraction(this->ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      for (const int high : {0, 1}) {
        const Coord<D> face = c + Coord<D>::unit(a, high);
        const bool at_side = face[a] == (high ? domain.cells.hi[a] : domain.cells.lo[a]);
        const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
        const bool closed = at_side && (side == Side::wall || side == Side::inflow);
        if (!u[a].stores(face)) {  // only a closed wall may lack its face
          ASSERT_TRUE(closed && side == Side::wall && high) << face << " axis " << a;
          continue;
        }
        const float normal = !closed ? 0.5f : side == Side::wall ? 0.f : 2.f;
        ASSERT_EQ(u[a].get(face), normal) << face << " axis " << a;
        ASSERT_EQ(open[a].get(face), closed ? 0.f : 1.f) << face << " axis " << a;
      }
  });
}

TYPED_TEST(Stages, DivergenceIsTheFluxOutOfEachCell) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  MacField<float, D> u(this->ex, topology);
  randomise(u, 1);
  Field<double, D> div(this->ex, topology, 7.);
  const double h = 0.5;
  divergence(this->ex, div, u, h);
  double worst = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    double expected = 0;
    for (int a = 0; a < D; ++a) expected += (double(u[a].get(c + Coord<D>::unit(a))) - u[a].get(c)) / h;
    ASSERT_NEAR(div.get(c), expected, 1e-12);
    worst = std::max(worst, std::abs(expected));
  });
  EXPECT_NEAR(max_divergence(this->ex, u, h), worst, 1e-12);
}

TYPED_TEST(Stages, LaplacianIsDivergenceOfGradient) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.25;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  const MacField<float, D> open = open_fraction(this->ex, topology);
  Field<double, D> p(this->ex, topology), a_p(this->ex, topology), div(this->ex, topology);
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) { p.set(c, Rng(3, id++).uniform(-1, 1)); });
  const WeightedLaplacianKernel<double, D> kernel{{std::as_const(p).view(), open.view(), 1 / (h * h)},
                                                  a_p.view()};
  for_rows(this->ex, topology->active_tile_set(), kernel);
  MacField<float, D> u(this->ex, topology);  // u = -grad p
  subtract_gradient(this->ex, u, p, pressure_system(this->ex, open.clone(this->ex)), h, 1.);
  divergence(this->ex, div, u, h);
  for_active_cells(*topology, [&](const Coord<D>& c) { ASSERT_NEAR(div.get(c), a_p.get(c), 1e-4) << c; });
}

TYPED_TEST(Stages, ProjectionLeavesNoDivergence) {
  constexpr int D = TestFixture::dimension;
  for (const Side side : {Side::open, Side::wall, Side::periodic, Side::inflow}) {
    auto domain = box_domain<D>({{}, Coord<D>::filled(24)}, side);
    if (side == Side::inflow) domain.sides[0][1] = Side::open;  // what comes in must go somewhere
    const auto topology = Topology<D>::of_box(this->ex, domain);
    MacField<float, D> u(this->ex, topology);
    randomise(u, 5);
    Inflow<D> inflow;
    for (int a = 0; a < D; ++a) inflow.velocity[a][0][a] = 1;
    enforce_sides(this->ex, u, inflow);
    Field<double, D> p(this->ex, topology);
    const double h = 0.1, dt = 0.02, before = max_divergence(this->ex, u, h);
    const PressureSystem<D> system = pressure_system(this->ex, open_fraction(this->ex, topology));
    ProjectionParams params;
    params.solve.relative = 1e-9;
    const SolveReport report = project(this->ex, u, p, system, {}, params, h, dt);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(report.initial, before, 1e-6 * before);
    // What float velocities can hold: an ulp of the largest over the cell size.
    EXPECT_LE(report.residual, 2 * D * 6e-8 * 2 / h);
    EXPECT_EQ(report.residual, max_divergence(this->ex, u, h));
    EXPECT_LT(report.iterations, 200);
    // Projecting again changes nothing.
    MacField<float, D> again = u.clone(this->ex);
    Field<double, D> zero(this->ex, topology);
    (void)project(this->ex, again, zero, system, {}, params, h, dt);
    for (int a = 0; a < D; ++a)
      for (std::size_t k = 0; k < u[a].size(); ++k) ASSERT_NEAR(again[a].data()[k], u[a].data()[k], 2e-6f);
  }
}

// Poisson's equation with a known answer: p = Π sin, zero at the ghost cells of an open box.
TYPED_TEST(Stages, CgSolvesPoissonToTheToleranceAsked) {
  constexpr int D = TestFixture::dimension;
  const int n = 24;
  const double k = M_PI / (n + 1);
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::open));
  const auto exact = [&](const Coord<D>& c) {
    double v = 1;
    for (int a = 0; a < D; ++a) v *= std::sin(k * (c[a] + 1));
    return v;
  };
  Field<double, D> p(this->ex, topology), b(this->ex, topology);
  const double eigenvalue = 2 * D * (1 - std::cos(k));  // of the discrete operator, h = 1
  for_active_cells(*topology, [&](const Coord<D>& c) { b.set(c, eigenvalue * exact(c)); });
  const PressureSystem<D> system = pressure_system(this->ex, open_fraction(this->ex, topology));
  const SolveReport report = solve(this->ex, p, b, system, find_regions(this->ex, system), PressureSolver::cg,
                                   1., {.relative = 1e-10});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 3);  // an eigenvector: one step, but for rounding
  for_active_cells(*topology, [&](const Coord<D>& c) { ASSERT_NEAR(p.get(c), exact(c), 1e-9); });

  // Any other right side takes more, and a cap on iterations is reported, not hidden.
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) { b.set(c, Rng(4, id++).uniform(-1, 1)); });
  p.fill(this->ex, 0);
  const SolveReport capped = solve(this->ex, p, b, system, find_regions(this->ex, system), PressureSolver::cg,
                                   1., {.max_iterations = 5});
  EXPECT_FALSE(capped.converged);
  EXPECT_EQ(capped.iterations, 5);
  EXPECT_GT(capped.residual, 0.);
}

// A zero right side with a guess left over from before, and one too small for the guess: the answer is small,
// the report honest, and the velocity stays what it was.
TYPED_TEST(Stages, ProjectionOfNothingIsNothing) {
  constexpr int D = TestFixture::dimension;
  for (const Side side : {Side::open, Side::wall, Side::periodic})
    for (const auto solver : {PressureSolver::cg, PressureSolver::mic_pcg, PressureSolver::multigrid_pcg})
      for (const float noise : {0.f, 1e-12f}) {
        const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, side));
        MacField<float, D> u(this->ex, topology);
        u[0].set(Coord<D>::filled(5), noise);
        Field<double, D> p(this->ex, topology);
        std::uint64_t id = 0;
        for_active_cells(*topology, [&](const Coord<D>& c) { p.set(c, Rng(2, id++).uniform(-1, 1)); });
        const PressureSystem<D> system = pressure_system(this->ex, open_fraction(this->ex, topology));
        const SolveReport report =
            project(this->ex, u, p, system, {}, {.solver = solver, .solve = {}}, 0.1, 0.01);
        EXPECT_TRUE(report.converged) << int(side) << ' ' << int(solver);
        EXPECT_LE(report.residual, 1e-10);
        EXPECT_LE(max_component(this->ex, u), 2 * double(noise));
      }
}

// Random air in an open box, and the pressure that a solver starts from.
template <int D>
struct RandomAir {
  MacField<float, D> u;
  Field<double, D> p;
  PressureSystem<D> system;

  explicit RandomAir(Exec& ex, int side = 32, double guess = 0) {
    const auto topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(side)}, Side::open));
    u = MacField<float, D>(ex, topology);
    randomise(u, 15);
    p = Field<double, D>(ex, topology);
    std::uint64_t id = 0;
    for_active_cells(*topology, [&](const Coord<D>& c) { p.set(c, guess * Rng(16, id++).uniform(-1, 1)); });
    system = pressure_system(ex, open_fraction(ex, topology));
  }
  SolveReport project(Exec& ex, PressureSolver solver, int max_iterations) {
    return whorl::project(ex, u, p, system, {}, {solver, {.max_iterations = max_iterations}}, 1., 1.);
  }
};

// With room for what a solve from zero takes and no more, a bad guess costs one vain try, and plain CG, which
// is slower than MIC(0), two.
TYPED_TEST(Stages, ASolveThatFailsIsTriedWithoutTheGuessAndThenWithMic) {
  constexpr int D = TestFixture::dimension;
  for (const PressureSolver solver : {PressureSolver::multigrid_pcg, PressureSolver::mic_pcg}) {
    RandomAir<D> cold(this->ex), warm(this->ex, 32, 1e6);
    const int enough = cold.project(this->ex, solver, 1000).iterations;
    const SolveReport report = warm.project(this->ex, solver, enough);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 2 * enough);
    for (std::size_t k = 0; k < cold.p.size(); ++k) ASSERT_EQ(warm.p.data()[k], cold.p.data()[k]);
    if (solver != PressureSolver::mic_pcg) continue;
    RandomAir<D> slow(this->ex);
    const SolveReport with_mic = slow.project(this->ex, PressureSolver::cg, enough);
    EXPECT_TRUE(with_mic.converged);
    EXPECT_EQ(with_mic.iterations, 3 * enough);
    for (std::size_t k = 0; k < cold.p.size(); ++k) ASSERT_EQ(slow.p.data()[k], cold.p.data()[k]);
  }
  RandomAir<D> hopeless(this->ex);
  const SolveReport report = hopeless.project(this->ex, PressureSolver::multigrid_pcg, 1);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
}

// One iteration with MIC(0) overshoots on a smooth divergence: what that leaves is not taken for an answer.
TYPED_TEST(Stages, APressureThatMakesThingsWorseIsNotApplied) {
  constexpr int D = TestFixture::dimension;
  const int n = 32;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::open));
  MacField<float, D> u(this->ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) {  // in order along the first axis
    double flux = 1;
    for (int a = 0; a < D; ++a) flux *= std::sin(M_PI * (c[a] + 1) / (n + 1));
    u[0].set(c + Coord<D>::unit(0), float(u[0].get(c) + flux));
  });
  const auto worst_divergence = [&] {
    Field<double, D> div(this->ex, topology);
    divergence(this->ex, div, u, 1.);
    double worst = 0;
    for_active_cells(*topology, [&](const Coord<D>& c) { worst = std::max(worst, std::abs(div.get(c))); });
    return worst;
  };
  const double before = worst_divergence();
  Field<double, D> p(this->ex, topology);
  const PressureSystem<D> system = pressure_system(this->ex, open_fraction(this->ex, topology));
  const ProjectionParams params{PressureSolver::mic_pcg, {.max_iterations = 1}};
  const SolveReport report = project(this->ex, u, p, system, {}, params, 1., 1.);
  EXPECT_FALSE(report.converged);
  EXPECT_LE(worst_divergence(), before);
}

}  // namespace
}  // namespace whorl
