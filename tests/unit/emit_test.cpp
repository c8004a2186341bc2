// Sources: how much they give off, and where.
#include "stages/emit.h"
#include "stages/box_cells.h"
#include "stages/measure.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace whorl {
namespace {

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

// A box from the middle of cell 4 to the low face of cell 8: that cell centre and that face are half covered,
// and take on half of what the source blows and holds.
template <int D>
SmokeSource<D> half_covering_source() {
  Vec<double, D> min = Vec<double, D>::filled(-100), max = Vec<double, D>::filled(100);
  min[0] = 4.5, max[0] = 8;
  SmokeSource<D> source;
  source.shape = BoxShape<D>{min, max};
  source.cells = {{}, Coord<D>::filled(16)};
  return source;
}

TYPED_TEST(Stages, SourcesBlowAsFarAsTheyCover) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  SmokeSource<D> source = half_covering_source<D>();
  source.velocity.emplace();
  source.velocity->fill(3);
  EXPECT_EQ(emit<D>(this->ex, density, temperature, u, topology->view(), {&source, 1}, 1, 0.5), 0.);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const int half = a == 0 ? 8 : 4;
      const float expected = c[0] == half ? 2.f : c[0] >= 5 && c[0] < 8 ? 3.f : 1.f;
      ASSERT_FLOAT_EQ(u[a].get(c), expected) << c << " axis " << a;
    }
  });
}

TYPED_TEST(Stages, WhatAHeldDensityAddsIsCounted) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  MacField<float, D> u(this->ex, topology);
  density.fill(this->ex, 0.25f);
  SmokeSource<D> source = half_covering_source<D>();
  source.density = 1;
  const auto held = [&] {
    return emit<D>(this->ex, density, temperature, u, topology->view(), {&source, 1}, 1, 0.5);
  };
  const double layer = std::pow(16., D - 1);
  EXPECT_NEAR(held(), 3.5 * 0.75 * layer, 1e-6);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    const float expected = c[0] == 4 ? 0.625f : c[0] >= 5 && c[0] < 8 ? 1.f : 0.25f;
    ASSERT_FLOAT_EQ(density.get(c), expected) << c;
  });
  EXPECT_NEAR(held(), 0.5 * 0.375 * layer, 1e-6);  // the others hold it already
  density.fill(this->ex, 3.f);
  EXPECT_NEAR(held(), -3.5 * 2 * layer, 1e-6);  // held also where there was more
}

}  // namespace
}  // namespace whorl
