// Force fields against their formulas, face by face.
#include "stages/force_fields.h"
#include "stages/box_cells.h"
#include "stages/measure.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace whorl {
namespace {

constexpr double h = 0.1;

// Two tiles and a half a side, off the origin.
template <int D>
TopologyPtr<D> some_air(Exec& ex) {
  return Topology<D>::of_box(ex, box_domain<D>({Coord<D>::filled(-4), Coord<D>::filled(16)}, Side::open));
}

// f(velocity, face, axis, place) for every live face.
template <int D, class F>
void for_live_faces(const MacField<float, D>& u, const F& f) {
  for_active_cells(*u.topology(), [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      for (const Coord<D>& face : {c, c + Coord<D>::unit(a)})
        f(double(u[a].get(face)), face, a, sample_place(face, a, h));
  });
}

// The velocity that a force gives air at rest, with a step of 0.5 s.
template <int D>
MacField<float, D> pushed(Exec& ex, const ForceField<D>& force, const Vec<float, D>& before = {}) {
  MacField<float, D> u(ex, some_air<D>(ex), before);
  add_forces<D>(ex, u, {&force, 1}, h, 0, 0.5);
  return u;
}

TYPED_TEST(Stages, UniformForceIsTheSameEverywhere) {
  constexpr int D = TestFixture::dimension;
  UniformForce<D> uniform;
  for (int a = 0; a < D; ++a) uniform.acceleration[a] = a + 1;
  const auto u =
      pushed<D>(this->ex, {.parts = {uniform}, .shape = {}, .strength = 3}, Vec<float, D>::filled(0.25f));
  for_live_faces(u, [&](double found, const Coord<D>& face, int a, const auto&) {
    ASSERT_FLOAT_EQ(float(found), 0.25f + 0.5f * 3 * float(a + 1)) << face;
  });
  EXPECT_EQ(u[0].get(Coord<D>::filled(20)), 0.25f);  // stored, but beyond the last face
}

TYPED_TEST(Stages, RadialForceHasItsProfile) {
  constexpr int D = TestFixture::dimension;
  Vec<double, D> center = Vec<double, D>::filled(0.43);
  center[0] = 0.61;
  for (const double power : {0., 1.5, 2.}) {
    const RadialForce<D> radial{center, -2, 0.35, power};
    const auto u = pushed<D>(this->ex, {.parts = {radial}, .shape = {}});
    for_live_faces(u, [&](double found, const Coord<D>& face, int a, const Vec<double, D>& x) {
      const double r = length(x - center);
      const double size = r < 0.35 ? r / 0.35 : std::pow(0.35 / r, power);
      ASSERT_NEAR(found, 0.5 * -2 * size * (x[a] - center[a]) / r, 1e-5) << face << " power " << power;
    });
  }
}

TYPED_TEST(Stages, VortexTurnsAboutItsAxis) {
  constexpr int D = TestFixture::dimension;
  const Vec<double, D> center = Vec<double, D>::filled(0.43);
  VortexForce<D> vortex{center, {}, 2, 0.35, 1};
  Vec<double, 3> axis{0, 0, 1};
  if constexpr (D == 3) axis = {2, -1, 2}, vortex.axis = axis;
  if constexpr (D == 2) vortex.axis = {7};
  const auto u = pushed<D>(this->ex, {.parts = {vortex}, .shape = {}});
  const Vec<double, 3> n = normalised(axis);
  for_live_faces(u, [&](double found, const Coord<D>& face, int a, const Vec<double, D>& x) {
    Vec<double, 3> d{};
    for (int b = 0; b < D; ++b) d[b] = x[b] - center[b];
    const Vec<double, 3> round = cross(n, d);
    const double r = length(round);
    ASSERT_NEAR(found, 0.5 * 2 * (r < 0.35 ? 1 / 0.35 : 0.35 / (r * r)) * round[a], 1e-5) << face;
  });
}

TYPED_TEST(Stages, CustomForceIsItsFunction) {
  constexpr int D = TestFixture::dimension;
  const CustomForce<D> custom{[](MacField<float, D>& field) { randomise(field, 5); }};
  const auto u = pushed<D>(this->ex, {.parts = {custom}, .shape = {}, .strength = 2});
  MacField<float, D> expected(this->ex, u.topology());
  randomise(expected, 5);
  for_live_faces(u, [&](double found, const Coord<D>& face, int a, const auto&) {
    ASSERT_FLOAT_EQ(float(found), expected[a].get(face)) << face;
  });
}

// Backward Euler: stable, without overshoot, however large rate · dt.
TYPED_TEST(Stages, DragRelaxesTowardsAWindAtAnyRate) {
  constexpr int D = TestFixture::dimension;
  Vec<double, D> wind{};
  wind[0] = 2, wind[1] = -1;
  for (const double rate : {0.1, 2., 2000.}) {  // half a second: rate · dt up to 10^3
    const DragForce<D> drag{wind, rate, 0};
    MacField<float, D> u(this->ex, some_air<D>(this->ex));
    randomise(u, 3);
    const MacField<float, D> before = u.clone(this->ex);
    const ForceField<D> force{{drag}, {}, 0, 1};
    add_forces<D>(this->ex, u, {&force, 1}, h, 0, 0.5);
    for_live_faces(u, [&](double found, const Coord<D>& face, int a, const auto&) {
      const double was = before[a].get(face);
      ASSERT_NEAR(found, wind[a] + (was - wind[a]) / (1 + 0.5 * rate), 2e-6) << face << " rate " << rate;
    });
  }
}

// In a uniform stream the speed of cells is that of faces, and d|w|/dt = -q |w|² has a solution.
TYPED_TEST(Stages, QuadraticDragSlowsAStreamAsItsSolutionSays) {
  constexpr int D = TestFixture::dimension;
  Vec<float, D> stream{};
  stream[0] = 3, stream[1] = -4;
  MacField<float, D> u(this->ex, some_air<D>(this->ex), stream);
  const ForceField<D> force{{DragForce<D>{{}, 0, 0.4}}, {}, 0, 1};
  add_forces<D>(this->ex, u, {&force, 1}, h, 0, 0.5);
  // 1 / |w| = 1 / 5 + q dt: for this speed the implicit step is exact.
  for_live_faces(u, [&](double found, const Coord<D>& face, int a, const auto&) {
    ASSERT_NEAR(found, double(stream[a]) / (1 + 0.4 * 5 * 0.5), 1e-6) << face << " axis " << a;
  });
}

// Inside all of the force, outside nothing, and between them a ramp as wide as the softness.
TYPED_TEST(Stages, ForcesActWithinTheirShape) {
  constexpr int D = TestFixture::dimension;
  const Shape<D> ball = SphereShape<D>{Vec<double, D>::filled(0.6), 0.5};
  for (const double softness : {0., 0.4}) {
    ForceField<D> force{{UniformForce<D>{Vec<double, D>::filled(1)}}, ball, softness, 1};
    const auto u = pushed<D>(this->ex, force);
    force.parts = {DragForce<D>{Vec<double, D>::filled(1), 4, 0}};
    const auto dragged = pushed<D>(this->ex, force);
    const double width = std::max(softness, h);
    bool all = false, none = false;
    for_live_faces(u, [&](double found, const Coord<D>& face, int a, const Vec<double, D>& x) {
      const double share = std::clamp(0.5 - ball.distance(x) / width, 0., 1.);
      all = all || share == 1, none = none || share == 0;
      ASSERT_NEAR(found, 0.5 * share, 1e-6) << face;
      ASSERT_NEAR(dragged[a].get(face), 2 * share / (1 + 2 * share), 1e-6) << face;
    });
    EXPECT_TRUE(all && none);
  }
}

TYPED_TEST(Stages, NoForceIsBeyondItsLimit) {
  constexpr int D = TestFixture::dimension;
  const Vec<double, D> center = Vec<double, D>::filled(0.5);
  VortexForce<D> vortex;
  vortex.center = center, vortex.acceleration = -4, vortex.radius = 0.3;
  const std::vector<ForceField<D>> forces{
      {{UniformForce<D>{Vec<double, D>::filled(-3)}, RadialForce<D>{center, 2, 0.3, 2}}, {}, 0, 2},
      {{vortex, Turbulence{.acceleration = 1.5, .size = 0.5}}, {}, 0, 1},
      {{CustomForce<D>{[](MacField<float, D>& f) { randomise(f, 9); }}}, {}, 0, 1},
      {{UniformForce<D>{Vec<double, D>::filled(100)}}, {}, 0, 0}};  // off
  const auto topology = some_air<D>(this->ex);
  const ForceLimit limit = force_limit<D>(this->ex, topology, forces);
  MacField<float, D> u(this->ex, topology);
  add_forces<D>(this->ex, u, forces, h, 0, 1);
  EXPECT_LE(max_component(this->ex, u), limit.acceleration);
  EXPECT_NEAR(limit.acceleration, 2 * (3 + 2) + 4 + 5 * 1.5 + 1, 0.01);
  EXPECT_EQ(limit.speed, 0);
  const ForceField<D> wind{{DragForce<D>{Vec<double, D>::unit(1, -7), 1, 0}}, {}, 0, 1};
  EXPECT_EQ(force_limit<D>(this->ex, topology, {&wind, 1}).speed, 7);
  EXPECT_EQ(force_limit<D>(this->ex, topology, {&wind, 1}).acceleration, 0);
}

TYPED_TEST(Stages, ForcesHaveTheSameBitsOnAnyThreads) {
  constexpr int D = TestFixture::dimension;
  const Vec<double, D> center = Vec<double, D>::filled(0.5);
  VortexForce<D> vortex;
  vortex.center = center, vortex.acceleration = 3, vortex.radius = 0.3;
  const ForceField<D> force{{vortex, RadialForce<D>{center, 2, 0.3, 2}, DragForce<D>{center, 1, 2},
                             Turbulence{.acceleration = 2, .size = 0.7}},
                            Shape<D>(SphereShape<D>{center, 0.7}),
                            0.3,
                            1};
  std::vector<float> expected;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec own({.threads = threads, .backend = backend});
      MacField<float, D> u(own, Topology<D>::of_box(own, {}, {Coord<D>::filled(-24), Coord<D>::filled(24)}));
      randomise(u, 3);
      add_forces<D>(own, u, {&force, 1}, h, 0.3, 0.5);
      std::vector<float> found;
      for (int a = 0; a < D; ++a) found.insert(found.end(), u[a].data(), u[a].data() + u[a].size());
      if (expected.empty()) expected = found;
      EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
    }
}

}  // namespace
}  // namespace whorl
