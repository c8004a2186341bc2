// Advection, sides, projection and plain CG on small grids, each against something written out plainly.
#include "base/rng.h"
#include "grid/field_sampler.h"
#include "linear/laplacian.h"
#include "linear/pcg.h"
#include "stages/advect.h"
#include "stages/box_cells.h"
#include "stages/buoyancy.h"
#include "stages/confine.h"
#include "stages/conserve.h"
#include "stages/dissipate.h"
#include "stages/emit.h"
#include "stages/measure.h"
#include "stages/project.h"
#include "stages/sides.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

template <class T>
class Stages : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Stages, Dimensions);

template <int D>
void randomise(MacField<float, D>& u, std::uint64_t seed) {
  for (int a = 0; a < D; ++a)
    for (std::size_t k = 0; k < u[a].size(); ++k)
      u[a].data()[k] = Rng(seed + std::uint64_t(a), k).uniform(-1, 1);
}

template <int D>
Domain<D> mixed_domain() {  // walls below and above the first axis, open and inflow along the others
  Domain<D> domain = box_domain<D>({Coord<D>::filled(-4), Coord<D>::filled(16)}, Side::open);
  domain.sides[0] = {Side::wall, Side::wall};
  domain.sides[1] = {Side::inflow, Side::open};
  return domain;
}

template <int D, class F>
void for_active_cells(const Topology<D>& topology, const F& f) {
  for (int tile = 0; tile < topology.tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const CellIndex<D> i{tile, topology.tile_set().neighbours + tile * neighbourhood<D>, at};
      if (topology.view().active_bits(i)) f(topology.tiles()[std::size_t(tile)] * tile_side + at);
    });
}

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
  subtract_gradient(this->ex, u, p, open, h, 1.);
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
    const SolveReport report = project(this->ex, u, p, system, params, h, dt);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(report.initial, before, 1e-6 * before);
    // What float velocities can hold: an ulp of the largest over the cell size.
    EXPECT_LE(report.residual, 2 * D * 6e-8 * 2 / h);
    EXPECT_EQ(report.residual, max_divergence(this->ex, u, h));
    EXPECT_LT(report.iterations, 200);
    // Projecting again changes nothing.
    MacField<float, D> again = u.clone(this->ex);
    Field<double, D> zero(this->ex, topology);
    (void)project(this->ex, again, zero, system, params, h, dt);
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
  const SolveReport report = solve_pcg(this->ex, p, b, system, 1., {.relative = 1e-10});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 3);  // an eigenvector: one step, but for rounding
  for_active_cells(*topology, [&](const Coord<D>& c) { ASSERT_NEAR(p.get(c), exact(c), 1e-9); });

  // Any other right side takes more, and a cap on iterations is reported, not hidden.
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) { b.set(c, Rng(4, id++).uniform(-1, 1)); });
  p.fill(this->ex, 0);
  const SolveReport capped = solve_pcg(this->ex, p, b, system, 1., {.max_iterations = 5});
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
            project(this->ex, u, p, system, {.solver = solver, .solve = {}}, 0.1, 0.01);
        EXPECT_TRUE(report.converged) << int(side) << ' ' << int(solver);
        EXPECT_LE(report.residual, 1e-10);
        EXPECT_LE(max_component(this->ex, u), 2 * double(noise));
      }
}

TYPED_TEST(Stages, NotANumberIsNotHidden) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  EXPECT_EQ(max_component(this->ex, u), 1.);
  u[D - 1].set(Coord<D>::filled(7), NAN);
  EXPECT_TRUE(std::isnan(max_component(this->ex, u)));
  EXPECT_TRUE(std::isnan(max_divergence(this->ex, u, 1.)));
}

TYPED_TEST(Stages, AdvectionRefusesStepsBeyondItsReach) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::periodic));
  const MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  const Field<float, D> q(this->ex, topology);
  Field<float, D> moved;
  const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
  const Crossing<D> stay(this->ex, topology, topology);
  advect<D>(this->ex, stay, {&u, {}}, {&carried, 1}, max_displacement(Interpolation::linear), {});
  EXPECT_DEATH(advect<D>(this->ex, stay, {&u, {}}, {&carried, 1}, 7.6f, {}), "7.6 cells");
}

// Reading one topology and writing another gives, where both have cells, what one topology gives.
TYPED_TEST(Stages, AdvectionAcrossTopologiesIsAdvection) {
  constexpr int D = TestFixture::dimension;
  const Box<D> small{Coord<D>::filled(-16), Coord<D>::filled(16)},
      large{Coord<D>::filled(-24), Coord<D>::filled(32)};
  const auto from = Topology<D>::of_box(this->ex, {}, small), to = Topology<D>::of_box(this->ex, {}, large);
  MacField<float, D> u(this->ex, from);
  randomise(u, 11);
  Field<float, D> q(this->ex, from, 0.5f), here, there;
  for (std::size_t k = 0; k < q.size(); ++k) q.data()[k] = Rng(12, k).uniform(-1, 1);
  const Crossing<D> stay(this->ex, from, from), cross(this->ex, from, to);
  const auto boundary = scalar_boundary<D>({}, 0.5f, 0.f);
  const Carried<D> one{&q, &here, at_centres, boundary}, two{&q, &there, at_centres, boundary};
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
    advect<D>(this->ex, stay, {&u, {}}, {&one, 1}, 3.f, {.scheme = scheme});
    advect<D>(this->ex, cross, {&u, {}}, {&two, 1}, 3.f, {.scheme = scheme});
    EXPECT_EQ(there.topology(), to);
    // MacCormack looks three cells further, to where only the larger one has values of its own.
    const int edge = scheme == AdvectionScheme::semi_lagrangian ? 16 : 12;
    for_each_coord(Box<D>{Coord<D>::filled(-edge), Coord<D>::filled(edge)},
                   [&](const Coord<D>& c) { ASSERT_EQ(there.get(c), here.get(c)) << c; });
    EXPECT_EQ(there.get(Coord<D>::filled(28)), 0.5f);
  }
}

// A shift by whole cells is exact for every scheme, whichever side it comes from.
TYPED_TEST(Stages, AdvectionByWholeCellsIsAShift) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::periodic));
  Field<float, D> q(this->ex, topology), moved;
  for (std::size_t k = 0; k < q.size(); ++k) q.data()[k] = Rng(6, k).uniform(-1, 1);
  Coord<D> shift;
  MacField<float, D> u(this->ex, topology);
  for (int a = 0; a < D; ++a) {
    shift[a] = a == 0 ? 6 : a == 1 ? -5 : 3;
    u[a].fill(this->ex, float(shift[a]));
  }
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack})
    for (const auto method :
         {Interpolation::linear, Interpolation::catmull_rom, Interpolation::monotone_cubic})
      for (const int order : {1, 2, 3}) {
        const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
        advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, {}}, {&carried, 1}, 1.f,
                  {.scheme = scheme, .interpolation = method, .trace_order = order});
        for_active_cells(*topology,
                         [&](const Coord<D>& c) { ASSERT_EQ(moved.get(c), q.get(c - shift)) << c; });
      }
}

// Face components, against the same arithmetic by the hash sampler, one face at a time.
TYPED_TEST(Stages, SemiLagrangianFacesAgreeWithPointByPoint) {
  constexpr int D = TestFixture::dimension;
  const auto domain = mixed_domain<D>();
  const auto topology = Topology<D>::of_box(this->ex, domain);
  MacField<float, D> u(this->ex, topology), moved;
  randomise(u, 8);
  Inflow<D> inflow;
  inflow.velocity[1][0] = Vec<float, D>::filled(0.75f);
  enforce_sides(this->ex, u, inflow);
  const float step = 2.5f;
  std::vector<Carried<D>> carried;
  for (int a = 0; a < D; ++a)
    carried.push_back({&u[a], &moved[a], a, velocity_boundary(domain, a, u[a].background(), inflow)});
  advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, inflow}, carried, step,
            {.scheme = AdvectionScheme::semi_lagrangian, .trace_order = 3});

  for_active_cells(*topology, [&](const Coord<D>& c) {
    HashSampler<D> samplers[D];
    for (int a = 0; a < D; ++a)
      samplers[a] = hash_sampler(u[a], velocity_boundary(domain, a, u[a].background(), inflow), c);
    for (int a = 0; a < D; ++a) {
      const auto velocity = [&](const Vec<float, D>& d) {
        return sample_velocity<D>(samplers, Coord<D>{}, a, d);
      };
      const Vec<float, D> d = trace<D>(velocity, velocity(Vec<float, D>{}), -step, 3);
      ASSERT_NEAR(moved[a].get(c), (sample<Linear, D>(samplers[a], Coord<D>{}, d)), 2e-5f)
          << c << " axis " << a;
    }
  });
}

TYPED_TEST(Stages, LimitersKeepToTheExtremesOfTheField) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::periodic));
  Field<float, D> q(this->ex, topology), moved;
  for_active_cells(*topology,
                   [&](const Coord<D>& c) { q.set(c, c[0] / 4 % 2 == 0 ? 1.f : 0.f); });  // stripes
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(0.3f));
  const auto range_after = [&](Limiter limiter) {
    const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
    advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, {}}, {&carried, 1}, 1.f,
              {.limiter = limiter});
    const auto [lo, hi] = std::minmax_element(moved.data(), moved.data() + moved.size());
    return std::pair(*lo, *hi);
  };
  EXPECT_LT(range_after(Limiter::none).first, -0.05f);
  EXPECT_GT(range_after(Limiter::none).second, 1.05f);
  for (const Limiter limiter : {Limiter::clamp, Limiter::revert}) {
    EXPECT_GE(range_after(limiter).first, 0.f);
    EXPECT_LE(range_after(limiter).second, 1.f);
  }
}

// Every face takes the mean of its two cells; in open air, that of one cell and nothing.
TYPED_TEST(Stages, BuoyancyLiftsHotAirAndWeighsSmoke) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    density.set(c, Rng(13, id).uniform());
    temperature.set(c, 300 + 100 * Rng(14, id++).uniform());
  });
  BuoyancyParams<D> params;
  params.gravity = Vec<float, D>::filled(-2.f);
  params.smoke_weight = 0.5f;
  params.expansion = 0.01f;
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  add_buoyancy(this->ex, u, density, temperature, params, 0.25);
  const auto force = [&](const Coord<D>& c) {
    if (!topology->domain().cells.contains(c)) return 0.;
    return -2 * (0.5 * density.get(c) - 0.01 * (temperature.get(c) - 300.));
  };
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      for (const Coord<D>& face : {c, c + Coord<D>::unit(a)}) {
        const double expected = 1 + 0.25 * 0.5 * (force(face) + force(face - Coord<D>::unit(a)));
        ASSERT_NEAR(u[a].get(face), expected, 1e-5) << face << " axis " << a;
      }
  });
}

// A sphere of three cells' radius gives off its own volume of smoke, whichever way the grid cuts it.
TYPED_TEST(Stages, SourcesEmitTheirVolume) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.1, radius = 0.43;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  MacField<float, D> u(this->ex, topology);
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(1.234), radius};
  source.cells = cells_round(source.shape.bounds(), h);
  source.density_rate = 5;
  source.temperature = 500;
  source.velocity.emplace();
  (*source.velocity)[1] = 2;
  const double added = emit<D>(this->ex, density, temperature, u, topology->view(), {&source, 1}, h, 0.02);
  EXPECT_NEAR(added, integral(this->ex, density, h), 1e-9);
  const double volume = D == 2 ? M_PI * radius * radius : 4 * M_PI / 3 * std::pow(radius, 3);
  EXPECT_NEAR(integral(this->ex, density, h), 5 * 0.02 * volume, 0.02 * 5 * 0.02 * volume);
  const Coord<D> centre = Coord<D>::filled(12), far = Coord<D>::filled(2);
  EXPECT_FLOAT_EQ(density.get(centre), 0.1f);
  EXPECT_EQ(temperature.get(centre), 500.f);
  EXPECT_EQ(u[1].get(centre), 2.f);
  EXPECT_EQ(u[0].get(centre), 0.f);
  EXPECT_EQ(density.get(far), 0.f);
  EXPECT_EQ(temperature.get(far), 300.f);
  EXPECT_EQ(u[1].get(far), 0.f);
}

// Rates may differ from cell to cell, and add to what a held value leaves.
TYPED_TEST(Stages, SourcesMayVaryInSpace) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  MacField<float, D> u(this->ex, topology);
  SmokeSource<D> source;
  source.shape = BoxShape<D>{Vec<double, D>::filled(-100), Vec<double, D>::filled(100)};
  source.cells = {Coord<D>::filled(3), Coord<D>::filled(9)};
  std::vector<float> ramp;
  for_each_coord(source.cells, [&](const Coord<D>& c) { ramp.push_back(float(10 * c[0] + c[D - 1])); });
  source.density_rate = {source.cells, ramp};
  source.temperature_rate = 40;
  emit<D>(this->ex, density, temperature, u, topology->view(), {&source, 1}, 1, 0.5);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    const bool inside = source.cells.contains(c);
    ASSERT_FLOAT_EQ(density.get(c), inside ? 0.5f * float(10 * c[0] + c[D - 1]) : 0.f) << c;
    ASSERT_FLOAT_EQ(temperature.get(c), inside ? 320.f : 300.f) << c;
  });
}

// A cell that has lo and hi a unit away gives or takes in proportion to that, and never leaves the two.
TYPED_TEST(Stages, AmountsAreRestoredWithinTheExtremes) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  const auto random = [&](std::uint64_t seed, float low, float high) {
    Field<float, D> f(this->ex, topology, 3.f);
    std::uint64_t id = 0;
    for_active_cells(*topology, [&](const Coord<D>& c) { f.set(c, Rng(seed, id++).uniform(low, high)); });
    return f;
  };
  const Extremes<D> extremes{random(1, 0, 1), random(2, 2, 4)};
  const Coord<D> empty = Coord<D>::filled(5);
  for (const double change : {-1e5, -1e-3, 0., 0.5, 25., 1e6}) {
    Field<float, D> q = random(3, 1, 2);
    q.set(empty, 3.f);
    const double before = amount(this->ex, q);
    const double added = restore_amount(this->ex, q, extremes, before + change * (D - 1));
    const double after = amount(this->ex, q);
    EXPECT_NEAR(after - before, added, 2e-4 + 1e-6 * std::abs(before));
    if (std::abs(change) < 1000) {
      EXPECT_NEAR(added, change * (D - 1), 1e-9);
    } else {
      EXPECT_LT(std::abs(added), std::abs(change * (D - 1)));  // there was no more room
    }
    EXPECT_EQ(q.get(empty), 3.f);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      if (c == empty) return;
      ASSERT_GE(q.get(c), extremes.lo.get(c) - 1e-6f) << c;
      ASSERT_LE(q.get(c), extremes.hi.get(c) + 1e-6f) << c;
    });
  }
}

// What a wind takes over a side in a step is what lay within its reach; walls let nothing out, and an inflow
// side does if it sucks.
TYPED_TEST(Stages, AmountsLeaveByOpenSides) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  Field<float, D> q(this->ex, topology, 1.f);
  for_active_cells(*topology, [&](const Coord<D>& c) { q.set(c, 1.f + float(c[1])); });
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(2.f));
  const double across = D == 2 ? 20 : 400;
  // Cells 15 and 14 along y, and half of 13; along z, which is open, every layer holds the same.
  double expected = across * (15 + 14 + 0.5 * 13);
  if (D == 3) expected += 2.5 * 20 * (15 * 16 / 2 - 10);
  EXPECT_NEAR(amount_leaving(this->ex, q, u, 1.25), expected, 1e-6 * expected);
  MacField<float, D> back(this->ex, topology, Vec<float, D>::unit(1, -2.f));
  EXPECT_NEAR(amount_leaving(this->ex, q, back, 1.25), across * (-4 - 3 - 0.5 * 2), 1e-6 * across);
  MacField<float, D> into_wall(this->ex, topology, Vec<float, D>::unit(0, 2.f));
  EXPECT_EQ(amount_leaving(this->ex, q, into_wall, 1.25), 0.);
}

TYPED_TEST(Stages, DissipationIsExact) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(8)}, Side::open));
  Field<float, D> q(this->ex, topology, 300.f);
  q.set(Coord<D>::filled(3), 400.f);
  dissipate(this->ex, q, 2., 0.25);
  EXPECT_NEAR(q.get(Coord<D>::filled(3)), 300 + 100 * std::exp(-0.5), 1e-4);
  EXPECT_EQ(q.get(Coord<D>::filled(4)), 300.f);
}

TYPED_TEST(Stages, MeasuresAddUp) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  const Field<float, D> q(this->ex, topology, 2.f);
  const MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(3.f));
  const double volume = std::pow(12 * h, D);
  EXPECT_NEAR(integral(this->ex, q, h), 2 * volume, 1e-9 * volume);
  EXPECT_NEAR(kinetic_energy(this->ex, u, h), 0.5 * 9 * D * volume, 1e-9 * volume);
  EXPECT_NEAR(kinetic_energy(this->ex, u, h, Vec<float, D>::filled(2.f)), 0.5 * D * volume, 1e-9 * volume);
  EXPECT_NEAR(kinetic_energy(this->ex, u, h, {}, &q), 9 * D * volume, 1e-9 * volume);
  EXPECT_EQ(max_component(this->ex, u), 3.);
  EXPECT_NEAR(max_speed(this->ex, u), 3 * std::sqrt(double(D)), 1e-12);
  const Vec<double, D> p = momentum(this->ex, u, h), origin = Vec<double, D>::filled(-1);
  const Vec<double, D> centre = center_of_mass(this->ex, q, origin, h);
  for (int a = 0; a < D; ++a) {
    EXPECT_NEAR(p[a], 3 * volume, 1e-9 * volume);
    EXPECT_NEAR(centre[a], -1 + 6 * h, 1e-12);
  }
}

// A body that turns about z with ω has the angular momentum ω ∫ (x² + y²) dx, wherever its grid begins.
TYPED_TEST(Stages, AngularMomentumOfARotation) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5, omega = 1.5, side = 12 * h;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  MacField<float, D> u(this->ex, topology);
  const Vec<double, D> origin = Vec<double, D>::unit(0, 2.);
  for (const int a : {0, 1})
    for_each_coord(Box<D>{{}, Coord<D>::filled(13)}, [&](const Coord<D>& c) {
      const int other = 1 - a;
      const double x = origin[other] + h * (c[other] + 0.5);
      if (u[a].stores(c)) u[a].set(c, float((a ? omega : -omega) * x));
    });
  const auto turn = angular_momentum<D>(this->ex, u, origin, h);
  // ∫ x² over a side from o to o + L, by cells' middles: L (mean² + (L² - h²) / 12).
  const double spread = (side * side - h * h) / 12, mx = 2 + side / 2, my = side / 2;
  const double expected = omega * std::pow(side, D) * (mx * mx + my * my + 2 * spread);
  EXPECT_NEAR(turn[D == 3 ? 2 : 0], expected, 1e-6 * expected);
}

// The force turns the air the way it turns already, fades with h, and leaves a uniform wind alone.
TYPED_TEST(Stages, ConfinementFeedsSwirls) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  MacField<float, D> wind(this->ex, topology, Vec<float, D>::filled(2.f));
  confine_vorticity(this->ex, wind, 1., 0.1, 0.1);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) ASSERT_EQ(wind[a].get(c), 2.f) << c;
  });

  const auto swirl = [&] {
    MacField<float, D> u(this->ex, topology);
    for (const int a : {0, 1})
      for_active_cells(*topology, [&](const Coord<D>& c) {
        double r2 = 0, lever = 0;
        for (const int b : {0, 1}) {
          const double x = c[b] + (a == b ? 0. : 0.5) - 16;
          r2 += x * x;
          if (b != a) lever = a ? x : -x;
        }
        u[a].set(c, float(lever * std::exp(-r2 / 50)));
      });
    return u;
  };
  const double before = kinetic_energy(this->ex, swirl(), 1.);
  const auto gained = [&](double strength, double h) {
    MacField<float, D> u = swirl();
    confine_vorticity(this->ex, u, strength, h, 0.1);
    return kinetic_energy(this->ex, u, 1.) - before;
  };
  EXPECT_GT(gained(0.1, 1.), 1e-3 * before);
  EXPECT_EQ(gained(0, 1.), 0.);
  // ω ~ 1/h at given velocities, so that ε h ω does not depend on h, and ε alone sets the strength.
  EXPECT_NEAR(gained(0.1, 1.), gained(0.1, 0.5), 1e-3 * gained(0.1, 1.));
  EXPECT_NEAR(gained(0.02, 1.) / gained(0.01, 1.), 2, 0.05);
}

}  // namespace
}  // namespace whorl
