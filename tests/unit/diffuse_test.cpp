// Diffusion: its range, its amount, and its part in a step. tests/verify/diffusion_test.cpp has the answers.
#include "stages/diffuse.h"
#include "solvers/smoke.h"
#include "stages/conserve.h"
#include "stages/sides.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace whorl {
namespace {

template <class T>
class Diffuse : public Stages<T> {};
TYPED_TEST_SUITE(Diffuse, Dimensions);

template <int D>
CutFaces<D> faces_round_ball(Exec& ex, const TopologyPtr<D>& topology) {
  Solid<D> ball;
  ball.shape = SphereShape<D>{Vec<double, D>::filled(11.3), 5.2};
  return cut_faces<D>(ex, topology, {&ball, 1}, &Solid<D>::shape, 1., WallMode::cut);
}

template <int D>
TopologyPtr<D> box_of(Exec& ex, Side sides) {
  return Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(24)}, sides));
}

// Positive, rough, and nowhere near the background.
template <int D>
Field<float, D> noise(Exec& ex, const TopologyPtr<D>& topology) {
  Field<float, D> q(ex, topology);
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) { q.set(c, Rng(7, id++).uniform(1, 3)); });
  return q;
}

// However long the step: nothing leaves the range of what was there, and all of it is still there.
TYPED_TEST(Diffuse, KeepsTheRangeAndTheAmount) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box_of<D>(this->ex, Side::wall);
  const CutFaces<D> faces = faces_round_ball<D>(this->ex, topology);
  for (const double strength : {0.1, 1., 10., 100., 1e4, 1e7}) {
    Field<float, D> q = noise<D>(this->ex, topology);
    const double before = amount(this->ex, q);
    const DiffusionReport report = diffuse(this->ex, q, faces.open, strength, 1., 1.);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, std::min(20 + 20 * std::sqrt(strength), 400.)) << strength;
    EXPECT_NEAR(amount(this->ex, q), before, 1e-6 * before) << strength;
    for_active_cells(*topology, [&](const Coord<D>& c) {
      ASSERT_GE(q.get(c), 1 - 1e-4) << c << " strength " << strength;
      ASSERT_LE(q.get(c), 3 + 1e-4) << c << " strength " << strength;
    });
  }
}

TYPED_TEST(Diffuse, KeepsTheRangeOfTheVelocity) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  const CutFaces<D> faces = faces_round_ball<D>(this->ex, topology);
  Inflow<D> inflow;
  inflow.velocity[1][0] = Vec<float, D>::filled(0.5f);
  for (const double strength : {1., 1e4}) {
    MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(0.25f));
    randomise(u, 3);
    EXPECT_TRUE(diffuse(this->ex, u, faces, inflow, strength, 1., 1.).converged);
    for (int a = 0; a < D; ++a)
      for (std::size_t k = 0; k < u[a].size(); ++k) ASSERT_LE(std::abs(u[a].data()[k]), 1 + 1e-4);
  }
}

// In parts that are stable: one where κ dt/h² is at most 1/(2·D).
TYPED_TEST(Diffuse, ExplicitlyTakesStableParts) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box_of<D>(this->ex, Side::wall);
  const MacField<float, D> open = open_fraction(this->ex, topology);
  const DiffusionParams params{.scheme = DiffusionScheme::explicit_euler};
  for (const auto& [strength, parts] :
       {std::pair{0.5 / D, 1}, std::pair{0.51 / D, 2}, std::pair{8., 16 * D}}) {
    Field<float, D> q = noise<D>(this->ex, topology);
    const DiffusionReport report = diffuse(this->ex, q, open, strength, 1., 1., params);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, parts);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      ASSERT_GE(q.get(c), 1.f);
      ASSERT_LE(q.get(c), 3.f);
    });
  }
  Field<float, D> q = noise<D>(this->ex, topology);
  EXPECT_FALSE(diffuse(this->ex, q, open, 1e9, 1., 1., params).converged);
}

TYPED_TEST(Diffuse, SaysWhereItDidNotConverge) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box_of<D>(this->ex, Side::wall);
  Field<float, D> q = noise<D>(this->ex, topology);
  EXPECT_FALSE(
      diffuse(this->ex, q, open_fraction(this->ex, topology), 10., 1., 1., {.tolerance = 1e-30}).converged);
}

TYPED_TEST(Diffuse, NothingIsLeftAlone) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box_of<D>(this->ex, Side::open);
  Field<float, D> q = noise<D>(this->ex, topology);
  const Field<float, D> before = q.clone(this->ex);
  EXPECT_EQ(diffuse(this->ex, q, open_fraction(this->ex, topology), 0., 1., 1.).iterations, 0);
  EXPECT_EQ(std::memcmp(q.data(), before.data(), q.size() * sizeof(float)), 0);
}

TYPED_TEST(Diffuse, HasTheSameBitsOnAnyThreads) {
  constexpr int D = TestFixture::dimension;
  std::vector<float> found[2];
  for (const int k : {0, 1}) {
    Exec own({.threads = k ? 7 : 1});
    const auto topology = Topology<D>::of_box(own, mixed_domain<D>());
    const CutFaces<D> faces = faces_round_ball<D>(own, topology);
    MacField<float, D> u(own, topology);
    randomise(u, 3);
    EXPECT_TRUE(diffuse(own, u, faces, {}, 5., 1., 1.).converged);
    for (int a = 0; a < D; ++a) found[k].insert(found[k].end(), u[a].data(), u[a].data() + u[a].size());
  }
  EXPECT_EQ(std::memcmp(found[0].data(), found[1].data(), found[0].size() * sizeof(float)), 0);
}

// Each quantity of a step spreads by its own coefficient, and what density gives to open air has left.
TYPED_TEST(Diffuse, IsPartOfAStep) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5, dt = 0.1, kappa = 4;
  const auto topology = box_of<D>(this->ex, Side::open);
  const CutFaces<D> faces{open_fraction(this->ex, topology), {}};
  const auto after = [&](double density, double heat, double viscosity) {
    SmokeParams<D> p;
    p.h = h;
    p.sparse = false;
    p.buoyancy.gravity = {};
    p.density_diffusion = density, p.heat_diffusion = heat, p.viscosity = viscosity;
    p.quantities = {{.name = "dye", .diffusion = density}};
    SmokeState<D> s = make_smoke<D>(this->ex, topology, {}, 300, 1);
    s.density = noise<D>(this->ex, topology);
    s.others[0] = noise<D>(this->ex, topology);
    s.temperature = noise<D>(this->ex, topology);
    for (int a = 0; a < D; ++a)  // a shear without divergence, that carries nothing far
      for_active_cells(*topology, [&](const Coord<D>& c) {
        s.velocity[a].set(c, a == 0 ? 1e-4f * float(std::sin(0.4 * c[1])) : 0.f);
      });
    const StepReport report = step(this->ex, s, p, dt);
    EXPECT_TRUE(report.pressure.converged && report.diffusion.converged);
    EXPECT_EQ(report.diffusion.iterations > 0, density + heat + viscosity > 0);
    return s;
  };
  const SmokeState<D> without = after(0, 0, 0);
  const SmokeState<D> spread[] = {after(kappa, 0, 0), after(0, kappa, 0), after(0, 0, kappa)};
  for (const int k : {0, 1}) {
    Field<float, D> expected = (k ? without.temperature : without.density).clone(this->ex);
    EXPECT_TRUE(diffuse(this->ex, expected, faces.open, kappa, h, dt).converged);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      ASSERT_NEAR((k ? spread[k].temperature : spread[k].density).get(c), expected.get(c), 1e-5) << c;
      ASSERT_EQ((k ? spread[k].density : spread[k].temperature).get(c),
                (k ? without.density : without.temperature).get(c));
    });
  }
  for_active_cells(*topology, [&](const Coord<D>& c) {
    ASSERT_EQ(spread[0].others[0].get(c), spread[0].density.get(c)) << c;
    ASSERT_EQ(spread[1].others[0].get(c), without.others[0].get(c)) << c;
  });
  EXPECT_NEAR(spread[0].left - without.left,
              (amount(this->ex, without.density) - amount(this->ex, spread[0].density)) * std::pow(h, D),
              1e-6 * spread[0].left);
  EXPECT_GT(spread[0].left, 0.05 * amount(this->ex, without.density) * std::pow(h, D));
  const Coord<D> middle = Coord<D>::filled(12);
  const double slope = spread[2].velocity[0].get(middle) / without.velocity[0].get(middle);
  EXPECT_NEAR(slope, 1 / (1 + kappa * dt / (h * h) * (2 - 2 * std::cos(0.4))), 0.03);
}

}  // namespace
}  // namespace whorl
