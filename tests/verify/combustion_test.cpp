// V-H3, combustion: fuel, heat and soot over time against the solution of their equations, the gas that is
// released against what flows out of the box, and cooling against its equation.
#include "cases/combustion.h"
#include "expect_rows.h"
#include "stages/measure.h"

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

constexpr double h = fire_cell;

TYPED_TEST(Combustion, FuelHeatAndSootFollowTheirEquations) {
  expect_rows(fuel_heat_and_soot<TestFixture::dimension>);
}
TYPED_TEST(Combustion, GasThatIsReleasedFlowsOut) { expect_rows(gas_flows_out<TestFixture::dimension>); }
TYPED_TEST(Combustion, AFireballGrowsByItsGas) { expect_rows(fireball<TestFixture::dimension>); }
TYPED_TEST(Combustion, CoolingFollowsItsEquation) { expect_rows(cooling<TestFixture::dimension>); }

// Below its ignition temperature fuel keeps; a spark sets off what it touches.
TYPED_TEST(Combustion, NothingBurnsUnlit) {
  constexpr int D = TestFixture::dimension;
  const SmokeParams<D> p = fire_params<D>({.ignition_temperature = 500});
  const auto one = [](double) { return 1.; };
  SmokeState<D> cold = gas_in_box<D>(this->ex, 16, Side::open, one, [](double) { return 499.; });
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(this->ex, cold, p, 0.02).pressure.converged);
  EXPECT_NEAR(total_of(this->ex, cold.others[fuel_place]), std::pow(16 * h, D), 1e-5);
  EXPECT_EQ(total_of(this->ex, cold.density), 0.);
  EXPECT_EQ(max_component(this->ex, cold.velocity), 0.);
  SmokeState<D> lit =
      gas_in_box<D>(this->ex, 16, Side::open, one, [](double r) { return r < 0.15 ? 900. : 300.; });
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(this->ex, lit, p, 0.02).pressure.converged);
  EXPECT_GT(total_of(this->ex, lit.density), 0.);
}

// A closed box has no room for gas: it is given up, and told.
TYPED_TEST(Combustion, AClosedBoxGivesGasUp) {
  constexpr int D = TestFixture::dimension;
  const SmokeParams<D> p = fire_params<D>({.burn_rate = 4, .gas_release = 2, .cooling = 0});
  SmokeState<D> s = gas_in_box<D>(
      this->ex, 24, Side::wall, [](double r) { return std::exp(-r * r / 0.03); },
      [](double) { return 800.; });
  for (int k = 0; k < 10; ++k) {
    const double fuel = total_of(this->ex, s.others[fuel_place]), dt = 0.01;
    const StepReport report = step(this->ex, s, p, dt);
    ASSERT_TRUE(report.pressure.converged);
    const double burnt = fuel - total_of(this->ex, s.others[fuel_place]);
    EXPECT_NEAR(report.pressure.imbalance_total, 2 * burnt / dt, 0.01 * 2 * burnt / dt);
    EXPECT_LE(report.pressure.residual, 1e-3);
  }
  EXPECT_GT(max_component(this->ex, s.velocity), 0.01);  // the mean is given up, not the motion
}

}  // namespace
}  // namespace whorl
