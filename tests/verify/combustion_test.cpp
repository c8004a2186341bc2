// V-H3, combustion: fuel, heat and soot over time against the solution of their equations, the gas that is
// released against what flows out of the box, and cooling against its equation.
#include "smoke_case.h"
#include "stages/conserve.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace whorl {
namespace {

template <class T>
class Combustion : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using BothDimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Combustion, BothDimensions);

constexpr double h = 0.05;

template <int D>
SmokeParams<D> fire_params(const CombustionParams& fire) {
  SmokeParams<D> p;
  p.h = h;
  p.sparse = false;
  p.buoyancy.gravity = {};
  p.quantities = {{.name = "fuel"}, {.name = "flame", .dissipation = 5, .thins = false}};
  p.fire = fire;
  p.projection.solve = {.relative = 0, .absolute = 1e-4};
  return p;
}

template <int D, class Fuel, class Temperature>
SmokeState<D> gas_in_box(Exec& ex, int side, Side sides, const Fuel& fuel, const Temperature& temperature) {
  SmokeState<D> s = make_smoke<D>(
      ex, Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(side)}, sides)), {}, 300, 2);
  for_each_coord(Box<D>{{}, Coord<D>::filled(side)}, [&](const Coord<D>& c) {
    double r2 = 0;
    for (int a = 0; a < D; ++a) r2 += std::pow(h * (c[a] + 0.5 - side / 2.), 2);
    s.others[fuel_place].set(c, float(fuel(std::sqrt(r2))));
    s.temperature.set(c, float(temperature(std::sqrt(r2))));
  });
  return s;
}

// ∮ u · n over the sides of a box of `side` cells, m^D/s.
template <int D>
double flow_out(const SmokeState<D>& s, int side) {
  double sum = 0;
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1}) {
      Box<D> faces{{}, Coord<D>::filled(side)};
      faces.lo[a] = high ? side : 0;
      faces.hi[a] = faces.lo[a] + 1;
      for_each_coord(faces, [&](const Coord<D>& f) { sum += (high ? 1 : -1) * s.velocity[a].get(f); });
    }
  return sum * std::pow(h, D - 1);
}

template <int D>
double total(Exec& ex, const Field<float, D>& q) {
  return amount(ex, q) * std::pow(h, D);
}

// df/dt = -r f in every cell, in steps that differ.
TYPED_TEST(Combustion, FuelHeatAndSootFollowTheirEquations) {
  constexpr int D = TestFixture::dimension;
  const CombustionParams fire{.burn_rate = 3,
                              .heat_release = 900,
                              .soot = 0.4f,
                              .gas_release = 0,
                              .max_temperature = 3000,
                              .cooling = 0};
  const SmokeParams<D> p = fire_params<D>(fire);
  const int side = 16;
  const auto uniform = [](double value) { return [=](double) { return value; }; };
  SmokeState<D> s = gas_in_box<D>(this->ex, side, Side::wall, uniform(0.7), uniform(600));
  const double volume = std::pow(side * h, D);
  double worst = 0, t = 0;
  for (const double dt : {0.001, 0.02, 0.1, 0.04, 0.3, 0.05, 0.2}) {
    ASSERT_TRUE(step(this->ex, s, p, dt).pressure.converged);
    t += dt;
    const double fuel = 0.7 * std::exp(-3 * t), burnt = 0.7 - fuel;
    worst = std::max({worst, std::abs(total(this->ex, s.others[fuel_place]) / (volume * fuel) - 1),
                      std::abs(total(this->ex, s.temperature) / (volume * (300 + 900 * burnt)) - 1),
                      std::abs(total(this->ex, s.density) / (volume * 0.4 * burnt) - 1),
                      std::abs(s.injected / (volume * 0.4 * burnt) - 1)});
  }
  std::printf("D = %d: fuel, heat and soot off by %.1e\n", D, worst);
  EXPECT_LE(worst, 1e-3);  // asked for: 1 %
}

// Below its ignition temperature fuel keeps; a spark sets off what it touches.
TYPED_TEST(Combustion, NothingBurnsUnlit) {
  constexpr int D = TestFixture::dimension;
  const SmokeParams<D> p = fire_params<D>({.ignition_temperature = 500});
  const auto one = [](double) { return 1.; };
  SmokeState<D> cold = gas_in_box<D>(this->ex, 16, Side::open, one, [](double) { return 499.; });
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(this->ex, cold, p, 0.02).pressure.converged);
  EXPECT_NEAR(total(this->ex, cold.others[fuel_place]), std::pow(16 * h, D), 1e-5);
  EXPECT_EQ(total(this->ex, cold.density), 0.);
  EXPECT_EQ(max_component(this->ex, cold.velocity), 0.);
  SmokeState<D> lit =
      gas_in_box<D>(this->ex, 16, Side::open, one, [](double r) { return r < 0.15 ? 900. : 300.; });
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(this->ex, lit, p, 0.02).pressure.converged);
  EXPECT_GT(total(this->ex, lit.density), 0.);
}

// A ball of fuel in hot air. What flows out through the sides is what the fuel releases, step by step; and
// though the gas carries fuel and smoke apart, fuel burns away as it would at rest, and all soot is there.
TYPED_TEST(Combustion, GasThatIsReleasedFlowsOut) {
  constexpr int D = TestFixture::dimension;
  const CombustionParams fire{
      .burn_rate = 4, .heat_release = 0, .soot = 0.5f, .gas_release = 2, .cooling = 0};
  const SmokeParams<D> p = fire_params<D>(fire);
  const int side = 40;
  SmokeState<D> s = gas_in_box<D>(
      this->ex, side, Side::open, [](double r) { return std::exp(-r * r / 0.045); },
      [](double) { return 800.; });
  const double start = total(this->ex, s.others[fuel_place]);
  double fuel = start, worst_flow = 0, worst_fuel = 0, worst_soot = 0, t = 0;
  while (t < 0.5) {
    const double dt = std::min(0.02, step_length(this->ex, s, p, {.cfl = 2, .longest = 0.02}));
    ASSERT_TRUE(step(this->ex, s, p, dt).pressure.converged);
    t += dt;
    const double left = total(this->ex, s.others[fuel_place]);
    worst_flow = std::max(worst_flow, std::abs(flow_out(s, side) / (2 * (fuel - left) / dt) - 1));
    worst_fuel = std::max(worst_fuel, std::abs(left / (start * std::exp(-4 * t)) - 1));
    worst_soot = std::max(worst_soot, std::abs(total(this->ex, s.density) / (0.5 * (start - left)) - 1));
    fuel = left;
  }
  std::printf("D = %d: flow off by %.1e, fuel by %.1e, soot by %.1e\n", D, worst_flow, worst_fuel,
              worst_soot);
  EXPECT_LE(worst_flow, 0.01);
  EXPECT_LE(worst_fuel, 0.01);
  EXPECT_LE(worst_soot, 0.01);
}

// A ball of burning gas is larger afterwards by the gas that was released, and no colder. In its middle fuel
// burns and thins, df/dt = -r f - f (G r f), so that f = f₀ e / (1 + G f₀ (1 - e)) with e = exp(-r t).
TYPED_TEST(Combustion, AFireballGrowsByItsGas) {
  constexpr int D = TestFixture::dimension;
  const CombustionParams fire{.burn_rate = 6, .heat_release = 0, .gas_release = 3, .cooling = 0};
  SmokeParams<D> p = fire_params<D>(fire);
  p.advection.interpolation = Interpolation::catmull_rom;
  const auto within = [](double radius, double r) {
    return std::clamp(0.5 + (radius - r) / (2 * h), 0., 1.);
  };
  SmokeState<D> s = gas_in_box<D>(
      this->ex, 40, Side::open, [&](double r) { return within(0.3, r); },
      [&](double r) { return 300 + 600 * within(0.45, r); });
  const double volume = total(this->ex, s.temperature) / 600, fuel = total(this->ex, s.others[fuel_place]);
  // The flow that one step's gas makes carries things in the next: of the same length, so that it is as much.
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(step(this->ex, s, p, 0.005).pressure.converged);
  const double released = 3 * (fuel - total(this->ex, s.others[fuel_place]));
  const double grown = total(this->ex, s.temperature) / 600 - volume;
  const double left = std::exp(-6 * 0.3), expected = left / (1 + 3 * (1 - left));
  const double found = s.others[fuel_place].get(Coord<D>::filled(20));
  std::printf("D = %d: released %.4f, grown by %.4f; fuel %.4f, expected %.4f\n", D, released, grown, found,
              expected);
  EXPECT_GT(released, 0.5 * volume);
  EXPECT_NEAR(grown / released, 1, 0.01);
  EXPECT_NEAR(found / expected, 1, 0.03);
  EXPECT_NEAR(s.temperature.get(Coord<D>::filled(20)), 900, 1);
}

// A closed box has no room for gas: it is given up, and told.
TYPED_TEST(Combustion, AClosedBoxGivesGasUp) {
  constexpr int D = TestFixture::dimension;
  const SmokeParams<D> p = fire_params<D>({.burn_rate = 4, .gas_release = 2, .cooling = 0});
  SmokeState<D> s = gas_in_box<D>(
      this->ex, 24, Side::wall, [](double r) { return std::exp(-r * r / 0.03); },
      [](double) { return 800.; });
  for (int k = 0; k < 10; ++k) {
    const double fuel = total(this->ex, s.others[fuel_place]), dt = 0.01;
    const StepReport report = step(this->ex, s, p, dt);
    ASSERT_TRUE(report.pressure.converged);
    const double burnt = fuel - total(this->ex, s.others[fuel_place]);
    EXPECT_NEAR(report.pressure.imbalance_total, 2 * burnt / dt, 0.01 * 2 * burnt / dt);
    EXPECT_LE(report.pressure.residual, 1e-3);
  }
  EXPECT_GT(max_component(this->ex, s.velocity), 0.01);  // the mean is given up, not the motion
}

// dT/dt = -c x⁴, x = (T - 300) / (T_max - 300), against steps so small that their length does not matter.
TYPED_TEST(Combustion, CoolingFollowsItsEquation) {
  constexpr int D = TestFixture::dimension;
  const SmokeParams<D> p = fire_params<D>({.max_temperature = 1800, .cooling = 4000});
  const auto none = [](double) { return 0.; };
  for (const double start : {1800., 1200., 700., 2600.}) {
    SmokeState<D> s = gas_in_box<D>(this->ex, 8, Side::wall, none, [&](double) { return start; });
    double reference = start, worst = 0;
    for (const double dt : {0.01, 0.3, 0.05, 1.}) {
      const int small = 20000;
      for (int k = 0; k < small; ++k) {
        const auto slope = [](double t) { return -4000 * std::pow((t - 300) / 1500, 4); };
        reference += dt / small * slope(reference + 0.5 * dt / small * slope(reference));
      }
      ASSERT_TRUE(step(this->ex, s, p, dt).pressure.converged);
      const double found = s.temperature.get(Coord<D>::filled(4));
      worst = std::max(worst, std::abs((found - 300) / (reference - 300) - 1));
    }
    EXPECT_LE(worst, 1e-4) << start;  // asked for: 1 %
  }
}

}  // namespace
}  // namespace whorl
