// Scenes that burn.
#include "sim_case.h"

#include "sim/smoke_params.h"
#include "stages/conserve.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

TEST(Fire, ParametersAreTheScenes) {
  Exec ex;
  const Scene<2> scene = scene_of<2>(box_of_air<2>() + R"toml(
[fire]
ignition_temperature = 450
burn_rate = 7
heat_release = 1100
soot = 0.6
gas_release = 2.5
max_expansion = 33
max_temperature = 1900
cooling = 1234
flame_fuel = 0.3
flame_life = 0.25
[[source]]
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
fuel_rate = "3 * x"
fuel = { keys = [[0, 1], [1, 2]] }
)toml");
  const GridLayout<2> layout = grid_layout(scene);
  Result<SmokeParams<2>> made = smoke_params(ex, scene, layout, 0.5);
  ASSERT_TRUE(made);
  ASSERT_TRUE(add_actors(made.value(), scene, layout, 0.5, 0.01));
  const SmokeParams<2>& p = made.value();
  ASSERT_TRUE(p.fire);
  EXPECT_EQ(p.fire->ignition_temperature, 450.f);
  EXPECT_EQ(p.fire->burn_rate, 7.f);
  EXPECT_EQ(p.fire->heat_release, 1100.f);
  EXPECT_EQ(p.fire->soot, 0.6f);
  EXPECT_EQ(p.fire->gas_release, 2.5f);
  EXPECT_EQ(p.fire->max_expansion, 33.f);
  EXPECT_EQ(p.fire->max_temperature, 1900.f);
  EXPECT_EQ(p.fire->cooling, 1234.f);
  EXPECT_EQ(p.fire->flame_fuel, 0.3f);
  ASSERT_EQ(p.quantities.size(), 2u);
  EXPECT_EQ(p.quantities[fuel_place].name, "fuel");
  EXPECT_TRUE(p.quantities[fuel_place].thins);
  EXPECT_EQ(p.quantities[flame_place].name, "flame");
  EXPECT_EQ(p.quantities[flame_place].dissipation, 4);
  EXPECT_FALSE(p.quantities[flame_place].thins);
  ASSERT_EQ(p.sources.at(0).emissions.size(), 1u);
  const Emission<2>& fuel = p.sources[0].emissions[0];
  EXPECT_EQ(fuel.quantity, 2 + fuel_place);
  EXPECT_FLOAT_EQ(fuel.rate.at({15, 15}), float(3 * 15.5 / 32));
  EXPECT_FLOAT_EQ(fuel.held->at({15, 15}), 1.505f);
  EXPECT_FALSE(smoke_params(ex, scene_of<2>(box_of_air<2>()), layout, 0).value().fire);
}

// What a source gives off is its rate times its volume; nothing burns while it is cold.
TEST(Fire, SourcesGiveOffFuel) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[fire]
[[source]]
name = "gas"
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
fuel_rate = 2
end = 0.1
[[source]]
shape = { box = { min = [0.75, 0.25], max = [1, 0.5] } }
fuel = 0.5
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 4; ++frame) s = next_frame(ex, simulation);
  const double fuel = 2 * 0.1 * M_PI * 0.2 * 0.2 + 0.5 * 0.25 * 0.25;
  EXPECT_NEAR(mass_of(s, "fuel"), fuel, 0.02 * fuel);
  EXPECT_EQ(mass_of(s, "flame"), 0);
  EXPECT_EQ(mass_of(s, "density"), 0);
  EXPECT_EQ(s.max_speed, 0);
  EXPECT_NE(simulation.snapshot().find("fuel"), nullptr);
  EXPECT_NE(simulation.snapshot().find("flame"), nullptr);
  auto smoke = simulation_of<2>(ex, box_of_air<2>() + "[smoke]\ninitial_density = 1\n");
  EXPECT_EQ(smoke.snapshot().find("fuel"), nullptr);
}

// Without a domain, fuel at the start is looked for as smoke is.
TEST(Fire, GridHoldsTheFuelOfTheStart) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
[grid]
cell_size = 0.05
[fire]
initial_fuel = "exp(-4 * ((x - 3)^2 + y^2))"
)toml");
  EXPECT_NEAR(integral(ex, simulation.state().others[fuel_place], 0.05), M_PI / 4, 0.02);
  EXPECT_NEAR(mass_of(next_frame(ex, simulation), "fuel"), M_PI / 4, 0.02);
}

// Soot is injected smoke: what there is of it is what was made and has not left, round a solid, too.
TEST(Fire, BooksBalance) {
  Exec ex;
  auto simulation = simulation_of<3>(ex, box_of_air<3>() + R"toml(
[fire]
gas_release = 2
soot = 0.5
[[source]]
shape = { sphere = { center = [0.5, 0.25, 0.5], radius = 0.12 } }
fuel = 0.8
temperature = 700
[[solid]]
shape = { sphere = { center = [0.5, 0.6, 0.45], radius = 0.12 } }
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 30; ++frame) s = next_frame(ex, simulation);
  EXPECT_GT(s.drained, 0.2 * s.injected);
  EXPECT_NEAR(mass_of(s, "density"), s.injected - s.drained, 0.01 * s.injected);
  EXPECT_LT(std::abs(s.corrected), 0.1 * s.injected);
}

TEST(Fire, InAClosedBoxRunsOn) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, closed_box() + R"toml(
[smoke]
initial_temperature = "300 + 600 * exp(-40 * ((x - 0.5)^2 + (y - 0.3)^2))"
[fire]
burn_rate = 8
gas_release = 3
initial_fuel = "exp(-40 * ((x - 0.5)^2 + (y - 0.3)^2))"
)toml");
  double fuel = integral(ex, simulation.state().others[fuel_place], 1 / 32.);
  for (int frame = 0; frame < 12; ++frame) {
    const FrameStatistics s = next_frame(ex, simulation);
    const double released = 3 * (fuel - mass_of(s, "fuel"));
    EXPECT_GT(released, 0);
    EXPECT_NEAR(s.given_up, released, 0.02 * released);
    fuel = mass_of(s, "fuel");
  }
}

// The first step of a fire knows how fast its gas will be.
TEST(Fire, StepsForeseeIt) {
  Exec ex;
  const std::string text = R"toml(
solver = "smoke"
dimension = 3
gravity = [0, 0, 0]
[domain]
max = [1, 1, 1]
[grid]
resolution = 32
[smoke]
initial_temperature = "300 + 900 * ((x - 0.5)^2 + (y - 0.5)^2 + (z - 0.5)^2 < 0.06)"
[fire]
burn_rate = 4
gas_release = 3
initial_fuel = "(x - 0.5)^2 + (y - 0.5)^2 + (z - 0.5)^2 < 0.06"
)toml";
  auto simulation = simulation_of<3>(ex, text, {"time.cfl=0.2"});
  const double foreseen =
      expansion_bounds(ex, simulation.state().others[fuel_place], simulation.state().temperature,
                       simulation.scene().fire->combustion, 1 / 32.)
          .speed;
  const Result<SmokeParams<3>> p = smoke_params(ex, simulation.scene(), grid_layout(simulation.scene()), 0);
  EXPECT_NEAR(step_length(ex, simulation.state(), p.value(), {.cfl = 0.2}), 0.2 / 32 / foreseen, 1e-6);
  EXPECT_NEAR(step_length(ex, simulation.state(), p.value(), {.cfl = 6}), most_growth / 12, 1e-6);
  const FrameStatistics s = next_frame(ex, simulation);
  EXPECT_GT(s.max_speed, 0.5 * foreseen);
  EXPECT_LT(s.max_speed, foreseen);
}

// Whatever is asked of it, an explosion stays finite and obeys its limits.
TEST(Fire, ViolenceIsSurvived) {
  Exec ex;
  for (const char* cfl : {"time.cfl=0.5", "time.cfl=6"}) {
    auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
[grid]
cell_size = 0.05
[smoke]
initial_temperature = "300 + 900 * exp(-20 * (x^2 + y^2))"
[fire]
burn_rate = 500
gas_release = 50
heat_release = 50000
initial_fuel = "5 * exp(-20 * (x^2 + y^2))"
)toml",
                                       {cfl});
    for (int frame = 0; frame < 8; ++frame) {
      const FrameStatistics s = next_frame(ex, simulation);
      ASSERT_TRUE(std::isfinite(s.kinetic_energy + s.max_speed)) << cfl;
    }
    const Field<float, 2>& heat = simulation.state().temperature;
    const FieldView<const float, 2> t = heat.view();
    EXPECT_LE(max_rows<float>(ex, heat.topology()->active_tile_set(), 0.f,
                              [=](const RowIndex<2>& r) { return t(r); }),
              simulation.scene().fire->combustion.max_temperature)
        << cfl;
  }
}

}  // namespace
}  // namespace whorl
