// What the air carries besides density and temperature, and the colours of smoke.
#include "sim_case.h"

#include "scene/quantities.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

TEST(Quantity, IsCarriedMeasuredAndShown) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
energy = "none"
buoyancy_temperature = 0
[[quantity]]
name = "dye"
initial = "x"
dissipation = 2
[[quantity]]
name = "salt"
[[source]]
shape = { box = { min = [0.25, 0.25], max = [0.75, 0.75] } }
emits = { dye = 3, salt = "2 * x" }
[[source]]
shape = { box = { min = [0.25, 0.25], max = [0.5, 0.5] } }
holds = { salt = { keys = [[0, 5], [1, 5]] } }
)toml");
  EXPECT_FLOAT_EQ(simulation.state().others.at(0).get({3, 20}), 3.5f / 32);
  FrameStatistics s;
  for (int frame = 0; frame < 6; ++frame) s = next_frame(ex, simulation);
  const double faded = std::exp(-2 * 0.25);
  const Snapshot<2> snapshot = simulation.snapshot();
  const Field<float, 2>*dye = snapshot.find("dye"), *salt = snapshot.find("salt");
  ASSERT_TRUE(dye && salt);
  EXPECT_NEAR(dye->get({3, 20}), 3.5 / 32 * faded, 1e-5);
  double q = 16.5 / 32;  // dq/dt = 3 - 2 q, the one after the other
  for (int frame = 0; frame < 6; ++frame) q = (q + 3 / 24.) * std::exp(-2 / 24.);
  EXPECT_NEAR(dye->get({16, 20}), q, 1e-5);
  EXPECT_NEAR(salt->get({20, 20}), 2 * 20.5 / 32 * 0.25, 1e-4);
  EXPECT_FLOAT_EQ(salt->get({12, 12}), 5.f);
  EXPECT_EQ(salt->get({3, 20}), 0.f);
  ASSERT_EQ(s.mass.size(), 3u);
  EXPECT_GT(mass_of(s, "dye"), 0.3);
  EXPECT_NEAR(mass_of(s, "salt"), 5 * 0.0625 + 0.25 * 2 * (0.125 * 0.625 + 0.0625 * 0.375), 0.01);
  EXPECT_EQ(mass_of(s, "density"), 0.);
  EXPECT_EQ(s.injected, 0.);
}

// Each is carried as it asks to be: a wind blurs the one, and leaves the other nearly as it was.
TEST(Quantity, HasItsOwnAdvection) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
domain = { min = [0, 0], max = [2, 1] }
grid = { resolution = 64 }
[smoke]
sparse = false
energy = "none"
limiter = "none"
buoyancy_temperature = 0
initial_velocity = ["2", "0"]
[[quantity]]
name = "sharp"
initial = "exp(-60 * ((x - 0.5)^2 + (y - 0.5)^2))"
[[quantity]]
name = "blurred"
initial = "exp(-60 * ((x - 0.5)^2 + (y - 0.5)^2))"
advection = "semi_lagrangian"
)toml");
  for (int frame = 0; frame < 6; ++frame) next_frame(ex, simulation);
  const Snapshot<2> snapshot = simulation.snapshot();
  const Coord<2> arrived{30, 16};
  EXPECT_GT(snapshot.find("sharp")->get(arrived), 0.9f);
  EXPECT_LT(snapshot.find("blurred")->get(arrived), 0.89f);
}

// Where there is enough of it, the sparse grid stays; where the scene has it alone, the grid begins there.
TEST(Quantity, KeepsTheGridWhereItIs) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
grid = { cell_size = 0.1 }
[smoke]
wind = [5, 0]
[[quantity]]
name = "dye"
initial = "exp(-x^2 - y^2)"
threshold = 0.01
)toml");
  EXPECT_FLOAT_EQ(simulation.state().others[0].get({0, 0}), std::exp(-0.005f));
  FrameStatistics s;
  const double before = M_PI;
  for (int frame = 0; frame < 24; ++frame) s = next_frame(ex, simulation);
  EXPECT_NEAR(mass_of(s, "dye"), before, 0.01 * before);
  EXPECT_GT(simulation.state().others[0].get({50, 0}), 0.8f);
  EXPECT_FALSE(simulation.state().others[0].stores({0, 0}));
}

// ---- colour

// Red from the left and blue from the right in one wind, side by side, then together.
TEST(Color, MixesByMass) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
wind = [0, 1]
density_dissipation = 0.5
[[source]]
shape = { box = { min = [0.2, 0.1], max = [0.5, 0.15] } }
density_rate = 10
color = [1, 0, 0]
[[source]]
shape = { box = { min = [0.4, 0.1], max = [0.7, 0.15] } }
density_rate = 30
color = [0, "0.25", 1]
[[source]]
shape = { box = { min = [0.8, 0.1], max = [0.9, 0.15] } }
density_rate = 10
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 12; ++frame) s = next_frame(ex, simulation);
  const Snapshot<2> snapshot = simulation.snapshot();
  const auto color = [&](int channel, int x) {
    const Coord<2> c{x, 12};
    return double(snapshot.find(std::string(color_names[channel]))->get(c)) /
           snapshot.find("density")->get(c);
  };
  EXPECT_GT(snapshot.find("density")->get({9, 12}), 0.1f);
  EXPECT_NEAR(color(0, 9), 1, 0.01);
  EXPECT_NEAR(color(1, 9), 0, 0.01);
  EXPECT_NEAR(color(2, 9), 0, 0.01);
  EXPECT_NEAR(color(0, 19), 0, 0.01);
  EXPECT_NEAR(color(1, 19), 0.25, 0.01);
  EXPECT_NEAR(color(2, 19), 1, 0.01);
  EXPECT_NEAR(color(0, 14), 0.25, 0.01);  // one part red, three parts blue
  EXPECT_NEAR(color(1, 14), 0.75 * 0.25, 0.01);
  EXPECT_NEAR(color(2, 14), 0.75, 0.01);
  for (int channel = 0; channel < 3; ++channel) EXPECT_NEAR(color(channel, 27), 0.8, 0.01);  // smoke.color
  const double whole = mass_of(s, "density");
  const double parts = 0.3 * 10 + 0.3 * 30 + 0.1 * 10;
  EXPECT_NEAR(mass_of(s, "color_r"), whole * (0.3 * 10 + 0.8 * 0.1 * 10) / parts, 0.01 * whole);
  EXPECT_NEAR(mass_of(s, "color_g"), whole * (0.25 * 0.3 * 30 + 0.8 * 0.1 * 10) / parts, 0.01 * whole);
  EXPECT_NEAR(mass_of(s, "color_b"), whole * (0.3 * 30 + 0.8 * 0.1 * 10) / parts, 0.01 * whole);
}

// A buoyant plume of two burners: whatever swirls, red and blue make up the smoke wherever there is some to
// see, and green is what there was at the start.
TEST(Color, StaysWithItsSmoke) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
vorticity_confinement = 0.3
initial_density = "exp(-200 * ((x - 0.5)^2 + (y - 0.8)^2))"
color = [0.5, "0.5 + 0 * x", 0.5]
[[source]]
shape = { sphere = { center = [0.35, 0.2], radius = 0.08 } }
density_rate = 5
temperature = 400
color = [1, 0, 0]
[[source]]
shape = { sphere = { center = [0.65, 0.2], radius = 0.08 } }
density = 1
temperature = 400
color = [0, 0, 1]
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 10; ++frame) s = next_frame(ex, simulation);
  const Snapshot<2> snapshot = simulation.snapshot();
  EXPECT_NEAR(mass_of(s, "color_g"), 0.5 * M_PI / 200, 0.01 * M_PI / 200);
  // Red and blue make all of it, the grey at the start a half each.
  EXPECT_NEAR(mass_of(s, "color_r") + mass_of(s, "color_b"), mass_of(s, "density"),
              0.01 * mass_of(s, "density"));
  double worst = 0;
  for_each_coord(Box<2>{{}, {32, 32}}, [&](const Coord<2>& c) {
    const double density = snapshot.find("density")->get(c);
    if (density < 0.05) return;
    const double red = snapshot.find("color_r")->get(c) / density;
    const double blue = snapshot.find("color_b")->get(c) / density;
    worst = std::max({worst, red - 1, blue - 1, std::abs(red + blue - 1)});
  });
  EXPECT_LE(worst, 0.01);
}

TEST(Color, IsCarriedWhereItIsAskedFor) {
  const std::string source =
      "[[source]]\nshape = { sphere = { center = [0.5, 0.5], radius = 0.1 } }\ndensity = 1\n";
  EXPECT_TRUE(quantities_of(scene_of<2>(box_of_air<2>() + source)).empty());
  EXPECT_EQ(quantities_of(scene_of<2>(box_of_air<2>() + source + "color = [1, 0, 0]\n")).size(), 3u);
  const Scene<2> tinted = scene_of<2>(box_of_air<2>() + "[smoke]\ncolor = [1, 0, 0]\n" + source);
  EXPECT_EQ(quantities_of(tinted).size(), 3u);
  EXPECT_EQ(tinted.output.vdb,
            (std::vector<std::string>{"density", "temperature", "vel", "color_r", "color_g", "color_b"}));
}

}  // namespace
}  // namespace whorl
