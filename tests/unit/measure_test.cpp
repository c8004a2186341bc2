// What a run reports about its fields.
#include "stages/measure.h"
#include "stages/project.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

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

// Advection may sample the wind, though no face of the grid has it.
TYPED_TEST(Stages, TheFastestAirMayBeFarAway) {
  constexpr int D = TestFixture::dimension;
  const auto nothing = Topology<D>::of_tiles(this->ex, {}, {});
  EXPECT_EQ(max_component(this->ex, MacField<float, D>(this->ex, nothing, Vec<float, D>::unit(1, -7.f))), 7.);
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(8)}, Side::wall));
  MacField<float, D> u(this->ex, topology, Vec<float, D>::unit(0, 5.f));
  for_each_coord(Box<D>{{}, Coord<D>::filled(8)}, [&](const Coord<D>& c) { u[0].set(c, 1.f); });
  EXPECT_EQ(max_component(this->ex, u), 5.);
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

}  // namespace
}  // namespace whorl
