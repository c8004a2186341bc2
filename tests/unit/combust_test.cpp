// Burning, a cell at a time: what burns where, and what becomes of it. The laws over time are in
// verify/combustion_test.cpp.
#include "stages/combust.h"
#include "solvers/smoke.h"
#include "stages/conserve.h"
#include "stages/measure.h"
#include "stages/thin.h"
#include "unit/stages_case.h"
#include "verify/smoke_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

constexpr double h = 0.1;

template <int D>
struct Gas {
  Exec& ex;
  TopologyPtr<D> topology;
  Field<float, D> fuel, temperature, density, flame, expansion;

  explicit Gas(Exec& exec, Side sides = Side::open)
      : ex(exec),
        topology(Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(20)}, sides))),
        fuel(ex, topology),
        temperature(ex, topology, 300.f),
        density(ex, topology),
        flame(ex, topology),
        expansion(ex, topology) {}

  double burn(const CombustionParams& params, double dt) {
    return combust<D>(ex, {fuel, temperature, density, flame, expansion}, params, h, dt);
  }
  // The same everywhere.
  void fill(float f, float t) {
    for_active_cells(*topology, [&](const Coord<D>& c) {
      fuel.set(c, f);
      temperature.set(c, t);
    });
  }
};

// Fuel of one and the same strength, hotter along the first axis by 5 K a cell.
TYPED_TEST(Stages, FuelBurnsWhereItIsHotEnough) {
  constexpr int D = TestFixture::dimension;
  Gas<D> gas(this->ex);
  const CombustionParams params{.ignition_temperature = 500,
                                .burn_rate = 2,
                                .heat_release = 100,
                                .soot = 0.25f,
                                .gas_release = 3,
                                .max_temperature = 5000,
                                .flame_fuel = 1.6f};
  for_active_cells(*gas.topology, [&](const Coord<D>& c) {
    gas.fuel.set(c, 0.8f);
    gas.temperature.set(c, 450 + 5 * float(c[0]));
    gas.flame.set(c, 0.1f);
  });
  const double dt = 0.3, burnt = gas.burn(params, dt);
  double sum = 0;
  for_active_cells(*gas.topology, [&](const Coord<D>& c) {
    const double part = c[0] <= 10 ? 0 : c[0] == 11 ? 0.5 : 1;
    const double b = 0.8 * (1 - std::exp(-2 * dt * part));
    sum += b * std::pow(h, D);
    ASSERT_NEAR(gas.fuel.get(c), 0.8 - b, 1e-6) << c;
    ASSERT_NEAR(gas.temperature.get(c), 450 + 5 * c[0] + 100 * b, 1e-3) << c;
    ASSERT_NEAR(gas.density.get(c), 0.25 * b, 1e-6) << c;
    ASSERT_NEAR(gas.flame.get(c), std::max(0.1, 0.5 * part), 1e-6) << c;
    ASSERT_NEAR(gas.expansion.get(c), 3 * b / dt, 1e-5) << c;
  });
  EXPECT_NEAR(burnt, sum, 1e-6 * sum);
}

TYPED_TEST(Stages, GasIsReleasedNoFasterThanAllowed) {
  constexpr int D = TestFixture::dimension;
  Gas<D> gas(this->ex);
  gas.fill(3, 900);
  const CombustionParams params{.burn_rate = 5, .gas_release = 10, .max_expansion = 40};
  gas.burn(params, 0.01);
  EXPECT_EQ(gas.expansion.get(Coord<D>::filled(7)), 40.f);
  EXPECT_EQ(gas.flame.get(Coord<D>::filled(7)), 1.f);
}

// Near the largest temperature heat is taken less and less, by a law that does not know how many portions it
// comes in.
TYPED_TEST(Stages, NothingGetsHotterThanAllowed) {
  constexpr int D = TestFixture::dimension;
  const CombustionParams params{.burn_rate = 1, .heat_release = 3000, .max_temperature = 1300};
  const Coord<D> place = Coord<D>::filled(9);
  float last = 0;
  for (const float fuel : {0.2f, 0.3f, 0.4f, 100.f}) {
    float after[2];
    for (const int portions : {1, 7}) {
      Gas<D> gas(this->ex);
      gas.fill(fuel, 600);
      for (int k = 0; k < portions; ++k) gas.burn(params, 1.4 / portions);
      after[portions > 1] = gas.temperature.get(place);
    }
    EXPECT_NEAR(after[0], after[1], 0.02f) << fuel;
    EXPECT_GT(after[0], last);
    EXPECT_LE(after[0], 1300.f);
    const float in_full = 600 + 3000 * fuel * (1 - std::exp(-1.4f));
    if (in_full < 1200)
      EXPECT_NEAR(after[0], in_full, 0.02f);
    else
      EXPECT_LT(after[0], in_full);
    last = after[0];
  }
  EXPECT_GT(last, 1299.f);
  // What a source holds hotter stays so.
  Gas<D> gas(this->ex);
  gas.fill(1, 1500);
  gas.burn(params, 0.1);
  EXPECT_EQ(gas.temperature.get(place), 1500.f);
}

TYPED_TEST(Stages, OnlyWhatIsHotRadiates) {
  constexpr int D = TestFixture::dimension;
  Gas<D> gas(this->ex);
  const CombustionParams params{.max_temperature = 1300, .cooling = 700};
  const Coord<D> cold = Coord<D>::filled(3), warm = Coord<D>::filled(5), hot = Coord<D>::filled(7);
  gas.temperature.set(cold, 250);
  gas.temperature.set(warm, 400);
  gas.temperature.set(hot, 1300);
  radiate(this->ex, gas.temperature, params, 0.01);
  EXPECT_EQ(gas.temperature.get(cold), 250.f);
  EXPECT_NEAR(gas.temperature.get(warm), 400 - 700 * 0.01 * 1e-4, 1e-4);
  EXPECT_NEAR(gas.temperature.get(hot), 1300 - 7, 0.1);
  radiate(this->ex, gas.temperature, params, 1e9);
  EXPECT_GT(gas.temperature.get(hot), 300.f);
  EXPECT_LT(gas.temperature.get(hot), 301.f);
}

// A ball that burns as fast everywhere blows as fast as the bound says.
TYPED_TEST(Stages, SpeedOfABurningBallIsForeseen) {
  constexpr int D = TestFixture::dimension;
  Gas<D> gas(this->ex);
  const double radius = 0.62;
  double cells = 0;
  for_active_cells(*gas.topology, [&](const Coord<D>& c) {
    double r2 = 0;
    for (int a = 0; a < D; ++a) r2 += std::pow((c[a] + 0.5) * h - 1, 2);
    if (r2 > radius * radius) return;
    gas.fuel.set(c, 0.5f);
    gas.temperature.set(c, 800);
    ++cells;
  });
  const CombustionParams params{.burn_rate = 6, .gas_release = 4};
  EXPECT_NEAR(expansion_bounds(this->ex, gas.fuel, gas.temperature, params, h).speed, 12 * radius / D, 0.5);
  EXPECT_EQ(expansion_bounds(this->ex, gas.fuel, gas.temperature, params, h).rate, 12.);
  const CombustionParams less{.burn_rate = 6, .gas_release = 4, .max_expansion = 3};
  EXPECT_NEAR(expansion_bounds(this->ex, gas.fuel, gas.temperature, less, h).speed, 3 * radius / D, 0.15);
  gas.temperature.fill(this->ex, 300.f);
  EXPECT_EQ(expansion_bounds(this->ex, gas.fuel, gas.temperature, params, h).speed, 0.);
}

TYPED_TEST(Stages, WhatGrowsThins) {
  constexpr int D = TestFixture::dimension;
  Gas<D> gas(this->ex);
  Field<double, D> growth(this->ex, gas.topology);
  std::uint64_t id = 0;
  for_active_cells(*gas.topology, [&](const Coord<D>& c) {
    growth.set(c, 3 * Rng(5, id).uniform() - 1.);
    gas.temperature.set(c, 300 + 100 * Rng(6, id).uniform());
    gas.density.set(c, Rng(7, id++).uniform());
  });
  const double dt = 0.4;
  double smoke = 0, heat = 0;
  for_active_cells(*gas.topology, [&](const Coord<D>& c) {
    smoke += gas.density.get(c) * std::exp(-dt * growth.get(c));
    heat += (gas.temperature.get(c) - 300.) * std::exp(dt * growth.get(c));
  });
  EXPECT_NEAR(amount(this->ex, gas.temperature) + amount_grown(this->ex, gas.temperature, growth, dt), heat,
              1e-5 * heat);
  const float before = gas.density.get(Coord<D>::filled(4));
  thin(this->ex, gas.density, growth, dt);
  EXPECT_NEAR(amount(this->ex, gas.density), smoke, 1e-5 * smoke);
  EXPECT_NEAR(gas.density.get(Coord<D>::filled(4)), before * std::exp(-dt * growth.get(Coord<D>::filled(4))),
              1e-6);
}

}  // namespace
}  // namespace whorl
