// Sources: how much they give off, and where.
#include "stages/emit.h"
#include "stages/box_cells.h"
#include "stages/expand.h"
#include "stages/measure.h"
#include "stages/sides.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace whorl {
namespace {

// A box of air with open sides, cells of 1 m unless said.
template <int D>
struct Air {
  Exec& ex;
  TopologyPtr<D> topology;
  double h;
  Field<float, D> density, temperature, dye;
  MacField<float, D> velocity;

  Air(Exec& exec, int side, double cell = 1, const Vec<float, D>& wind = {})
      : ex(exec),
        topology(Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(side)}, Side::open))),
        h(cell),
        density(ex, topology),
        temperature(ex, topology, 300.f),
        dye(ex, topology),
        velocity(ex, topology, wind) {}

  Emitted emit(const SmokeSource<D>& source, double dt) {
    const std::vector<Field<float, D>*> carried{&density, &temperature, &dye};
    return whorl::emit<D>(ex, carried, velocity, topology->view(), {&source, 1}, h, dt);
  }
};

// A sphere of three cells' radius gives off its own volume of smoke, whichever way the grid cuts it.
TYPED_TEST(Stages, SourcesEmitTheirVolume) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.1, radius = 0.43;
  Air<D> air(this->ex, 24, h);
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(1.234), radius};
  source.cells = cells_round(source.shape.bounds(), h);
  source.emissions = {{0, 5.f}, {1, 0.f, 500.f}};
  source.velocity.emplace();
  (*source.velocity)[1] = 2;
  const double added = air.emit(source, 0.02).added;
  EXPECT_NEAR(added, integral(this->ex, air.density, h), 1e-9);
  const double volume = D == 2 ? M_PI * radius * radius : 4 * M_PI / 3 * std::pow(radius, 3);
  EXPECT_NEAR(added, 5 * 0.02 * volume, 0.02 * 5 * 0.02 * volume);
  const Coord<D> centre = Coord<D>::filled(12), far = Coord<D>::filled(2);
  EXPECT_FLOAT_EQ(air.density.get(centre), 0.1f);
  EXPECT_EQ(air.temperature.get(centre), 500.f);
  EXPECT_EQ(air.velocity[1].get(centre), 2.f);
  EXPECT_EQ(air.velocity[0].get(centre), 0.f);
  EXPECT_EQ(air.density.get(far), 0.f);
  EXPECT_EQ(air.temperature.get(far), 300.f);
  EXPECT_EQ(air.velocity[1].get(far), 0.f);
}

// Rates may differ from cell to cell, and add to what a held value leaves.
TYPED_TEST(Stages, SourcesMayVaryInSpace) {
  constexpr int D = TestFixture::dimension;
  Air<D> air(this->ex, 16);
  SmokeSource<D> source;
  source.shape = BoxShape<D>{Vec<double, D>::filled(3), Vec<double, D>::filled(9)};
  source.cells = {Coord<D>::filled(2), Coord<D>::filled(10)};
  std::vector<float> ramp;
  for_each_coord(source.cells, [&](const Coord<D>& c) { ramp.push_back(float(10 * c[0] + c[D - 1])); });
  source.emissions = {{0, {source.cells, ramp}}, {1, 40.f}};
  air.emit(source, 0.5);
  for_active_cells(*air.topology, [&](const Coord<D>& c) {
    const bool inside = Box<D>{Coord<D>::filled(3), Coord<D>::filled(9)}.contains(c);
    ASSERT_FLOAT_EQ(air.density.get(c), inside ? 0.5f * float(10 * c[0] + c[D - 1]) : 0.f) << c;
    ASSERT_FLOAT_EQ(air.temperature.get(c), inside ? 320.f : 300.f) << c;
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
  Air<D> air(this->ex, 16, 1, Vec<float, D>::filled(1.f));
  SmokeSource<D> source = half_covering_source<D>();
  source.velocity.emplace();
  source.velocity->fill(3);
  EXPECT_EQ(air.emit(source, 0.5).added, 0.);
  for_active_cells(*air.topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const int half = a == 0 ? 8 : 4;
      const float expected = c[0] == half ? 2.f : c[0] >= 5 && c[0] < 8 ? 3.f : 1.f;
      ASSERT_FLOAT_EQ(air.velocity[a].get(c), expected) << c << " axis " << a;
    }
  });
}

TYPED_TEST(Stages, WhatAHeldDensityAddsIsCounted) {
  constexpr int D = TestFixture::dimension;
  Air<D> air(this->ex, 16);
  air.density.fill(this->ex, 0.25f);
  SmokeSource<D> source = half_covering_source<D>();
  source.emissions = {{0, 0.f, 1.f}};
  const auto held = [&] { return air.emit(source, 0.5).added; };
  const double layer = std::pow(16., D - 1);
  EXPECT_NEAR(held(), 3.5 * 0.75 * layer, 1e-6);
  for_active_cells(*air.topology, [&](const Coord<D>& c) {
    const float expected = c[0] == 4 ? 0.625f : c[0] >= 5 && c[0] < 8 ? 1.f : 0.25f;
    ASSERT_FLOAT_EQ(air.density.get(c), expected) << c;
  });
  EXPECT_NEAR(held(), 0.5 * 0.375 * layer, 1e-6);  // the others hold it already
  air.density.fill(this->ex, 3.f);
  EXPECT_NEAR(held(), -3.5 * 2 * layer, 1e-6);  // held also where there was more
}

// Everything fades towards what clear air has of it, by exp(-rate dt) where the shape covers all, before the
// source gives off its own; the books have the density that went and the one that came.
TYPED_TEST(Stages, SinksTakeEverythingAway) {
  constexpr int D = TestFixture::dimension;
  Air<D> air(this->ex, 16);
  air.density.fill(this->ex, 2.f);
  air.temperature.fill(this->ex, 400.f);
  air.dye.fill(this->ex, 3.f);
  SmokeSource<D> source = half_covering_source<D>();
  source.sink = 4;
  source.emissions = {{2, 10.f}};
  const Emitted emitted = air.emit(source, 0.25);
  const double kept = std::exp(-1.), kept_by_half = std::exp(-0.5);
  for_active_cells(*air.topology, [&](const Coord<D>& c) {
    const double part = c[0] == 4 ? kept_by_half : c[0] >= 5 && c[0] < 8 ? kept : 1;
    const double cover = c[0] == 4 ? 0.5 : c[0] >= 5 && c[0] < 8 ? 1 : 0;
    ASSERT_NEAR(air.density.get(c), 2 * part, 1e-6) << c;
    ASSERT_NEAR(air.temperature.get(c), 300 + 100 * part, 1e-4) << c;
    ASSERT_NEAR(air.dye.get(c), 3 * part + 2.5 * cover, 1e-6) << c;
  });
  EXPECT_NEAR(emitted.drained, 2 * (3 * (1 - kept) + 1 - kept_by_half) * std::pow(16., D - 1), 1e-4);
  EXPECT_EQ(emitted.added, 0.);
}

// A ball of one and a half cells' radius that crosses six cells a step.
template <int D>
SmokeSource<D> flying_ball(double from, double cells_per_second) {
  SmokeSource<D> source;
  source.shape_at = [=](double s) {
    Vec<double, D> centre = Vec<double, D>::filled(16.2);
    centre[0] = from + cells_per_second * s;
    return Shape<D>(SphereShape<D>{centre, 1.5});
  };
  source.speed = cells_per_second;
  const Bounds<D> start = source.shape_at(0).bounds(), end = source.shape_at(6 / cells_per_second).bounds();
  source.cells = cells_round(Bounds<D>{start.lo, end.hi}, 1);
  source.emissions = {{0, 5.f}};
  return source;
}

TYPED_TEST(Stages, MovingSourcesLeaveAnEvenStreak) {
  constexpr int D = TestFixture::dimension;
  const double dt = 0.3, speed = 6 / dt;
  Air<D> air(this->ex, 40), still(this->ex, 40);
  double added = 0, added_at_rest = 0;
  for (int k = 0; k < 5; ++k) added += air.emit(flying_ball<D>(5 + k * 6., speed), dt).added;
  SmokeSource<D> rest = flying_ball<D>(20, 0);
  rest.cells = {{}, Coord<D>::filled(40)};
  for (int k = 0; k < 5; ++k) added_at_rest += still.emit(rest, dt).added;
  EXPECT_NEAR(added, added_at_rest, 0.01 * added_at_rest);
  // Half a step after the other is the same as both at once.
  Air<D> halves(this->ex, 40);
  for (int k = 0; k < 5; ++k) {
    const SmokeSource<D> ball = flying_ball<D>(5 + k * 6., speed);
    halves.emit(ball, dt / 2);
    halves.emit(seen_later(ball, dt / 2), dt / 2);
  }
  const auto along = [&](int x) {
    Coord<D> c = Coord<D>::filled(16);
    c[0] = x;
    return double(air.density.get(c));
  };
  const double middle = along(20);
  EXPECT_NEAR(middle, 5 * 3 / speed, 0.2 * 5 * 3 / speed);  // three cells of ball pass by
  for (int x = 8; x <= 32; ++x) EXPECT_NEAR(along(x), middle, 0.05 * middle) << x;
  for_active_cells(*air.topology, [&](const Coord<D>& c) {
    ASSERT_NEAR(halves.density.get(c), air.density.get(c), 0.02 * middle) << c;
  });
}

// Neither at the ends of its time, within a step, nor in a wind, nor on its way is anything lost.
TYPED_TEST(Stages, SourcesGiveOffTheirRateTimesVolumeTimesTime) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5, dt = 0.2;
  for (const double wind : {0., 12.5})
    for (const double speed : {0., 14.}) {
      Air<D> air(this->ex, 48, h, Vec<float, D>::unit(0, float(wind)));
      SmokeSource<D> source;
      Vec<double, D> min = Vec<double, D>::filled(8.03), max = Vec<double, D>::filled(13.18);
      source.shape_at = [=](double s) {
        return Shape<D>(
            BoxShape<D>{min + Vec<double, D>::unit(1, speed * s), max + Vec<double, D>::unit(1, speed * s)});
      };
      source.start = 0.05, source.end = 0.17;
      source.speed = speed;
      source.cells = {{}, Coord<D>::filled(48)};
      source.emissions = {{0, 5.f}};
      const double expected = 5 * std::pow(5.15, D) * 0.12;
      EXPECT_NEAR(air.emit(source, dt).added, expected, 0.01 * expected) << wind << ", " << speed;
      EXPECT_NEAR(integral(this->ex, air.density, h), expected, 0.01 * expected) << wind << ", " << speed;
    }
}

// What a small source holds is, at the end of the step, where the wind has carried it, and rates that differ
// from place to place are those of where the air was.
TYPED_TEST(Stages, WindCarriesWhatSourcesHold) {
  constexpr int D = TestFixture::dimension;
  Air<D> air(this->ex, 24, 1, Vec<float, D>::unit(0, 5.f));
  Vec<double, D> centre = Vec<double, D>::filled(12.5);
  centre[0] = 6.5;
  SmokeSource<D> source;
  source.shape = SphereShape<D>{centre, 1.6};
  source.cells = cells_round(source.shape.bounds(), 1);
  std::vector<float> steps;  // by the place along the wind
  for_each_coord(source.cells, [&](const Coord<D>& c) { steps.push_back(c[0] < 6 ? 0.f : 8.f); });
  source.emissions = {{0, 0.f, 1.f}, {2, {source.cells, steps}}};
  source.end = 0.5;
  air.emit(source, 1);
  const auto at = [&](const Field<float, D>& q, int x) {
    Coord<D> c = Coord<D>::filled(12);
    c[0] = x;
    return q.get(c);
  };
  EXPECT_NEAR(at(air.density, 6), 0, 1e-6);  // all of it has gone on for half the step
  for (int x = 8; x <= 11; ++x) EXPECT_FLOAT_EQ(at(air.density, x), 1) << x;
  EXPECT_NEAR(at(air.density, 14), 0, 1e-6);
  EXPECT_GT(at(air.dye, 11), 0.5f);
  EXPECT_NEAR(at(air.dye, 8), 0, 1e-6);  // came by where the source gives nothing off
}

// ---- expansion

TYPED_TEST(Stages, ExpansionIsTheMeanOverTheStep) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  const MacField<float, D> open = open_fraction(this->ex, topology);
  SmokeSource<D> quiet, source;
  quiet.shape = SphereShape<D>{Vec<double, D>::filled(6), 3};
  quiet.cells = {{}, Coord<D>::filled(12)};
  EXPECT_FALSE(expansion_of<D>(this->ex, open, topology->view(), {&quiet, 1}, 0.5, 1).topology());
  source.shape = BoxShape<D>{Vec<double, D>::filled(0.25), Vec<double, D>::filled(2)};
  source.cells = {{}, Coord<D>::filled(8)};
  source.expansion = -3;
  source.start = 0.5, source.end = 0.9;
  const Field<float, D> e = expansion_of<D>(this->ex, open, topology->view(), {&source, 1}, 0.5, 1);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    bool inside = true, at_edge = false;
    for (int a = 0; a < D; ++a) {
      inside = inside && c[a] >= 0 && c[a] < 4;
      at_edge = at_edge || c[a] == 0;
    }
    ASSERT_FLOAT_EQ(e.get(c), inside ? (at_edge ? -0.6f : -1.2f) : 0.f) << c;
  });
}

// Through the walls low and high along x comes what blows inwards; the inflow side along y, and faces between
// cells, let nothing else in.
TYPED_TEST(Stages, VentsBlowThroughWalls) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  const MacField<float, D> open = open_fraction(this->ex, topology);
  SmokeSource<D> source;
  source.shape = BoxShape<D>{Vec<double, D>::filled(-10), Vec<double, D>::filled(20)};
  source.cells = topology->domain().cells;
  source.vent.emplace();
  source.vent->fill(3);
  const Field<float, D> e = expansion_of<D>(this->ex, open, topology->view(), {&source, 1}, 0.5, 1);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    ASSERT_FLOAT_EQ(e.get(c), c[0] == -4 ? 6.f : c[0] == 15 ? -6.f : 0.f) << c;
  });
}

}  // namespace
}  // namespace whorl
