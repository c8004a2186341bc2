// What a scene begins with: its fields, and a grid that has room for them.
#include "sim_case.h"

#include <cmath>
#include <string>

namespace whorl {
namespace {

TEST(Initial, FieldsAreTheirExpressions) {
  Exec ex;
  const auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
wind = [0.5, 0]
initial_density = "0.2 + x * y"
initial_temperature = "300 + 100 * y"
initial_velocity = ["sin(3 * y)", "x^2"]
)toml");
  const SmokeState<2>& s = simulation.state();
  for (const Coord<2> c : {Coord<2>{0, 0}, Coord<2>{7, 8}, Coord<2>{31, 30}}) {
    const double x = (c[0] + 0.5) / 32, y = (c[1] + 0.5) / 32;
    EXPECT_FLOAT_EQ(s.density.get(c), float(0.2 + x * y));
    EXPECT_FLOAT_EQ(s.temperature.get(c), float(300 + 100 * y));
    EXPECT_FLOAT_EQ(s.velocity[0].get(c), float(0.5 + std::sin(3 * y)));
    EXPECT_FLOAT_EQ(s.velocity[1].get(c), float(x * x));
  }
}

// Without a domain the grid is where the smoke is, and nowhere else.
TEST(Initial, SmokeIsFoundWithoutADomain) {
  Exec ex;
  const auto simulation = simulation_of<3>(ex, R"toml(
solver = "smoke"
dimension = 3
grid = { cell_size = 0.05 }
[smoke]
initial_density = "exp(-((x - 4) / 5)^2 - y^2 - z^2)"
)toml");
  const SmokeState<3>& s = simulation.state();
  EXPECT_GT(s.density.get({80 + 200, 0, 0}), 0.01f);
  EXPECT_GT(s.density.get({80 - 200, 0, 0}), 0.01f);
  EXPECT_LT(s.topology()->active_cells(), 700 * 160 * 160);
  EXPECT_EQ(s.density.get({80, 200, 0}), 0.f);
  const auto error = [&](const std::string& smoke) {
    const Result<SmokeSimulation<3>> wrong = SmokeSimulation<3>::create(
        ex, scene_of<3>("solver = \"smoke\"\ndimension = 3\ngrid = { cell_size = 0.05 }\n[smoke]\n" + smoke));
    return wrong ? std::string("no error") : wrong.error().message;
  };
  EXPECT_NE(error("margin = 8").find("nothing in this scene makes smoke or heat; add"), std::string::npos);
  EXPECT_NE(error("[[source]]\nshape = { intersection = [{ sphere = { center = [0, 0, 0], radius = 1 } }, "
                  "{ sphere = { center = [3, 0, 0], radius = 1 } }] }\ndensity = 1\n")
                .find("no inside to the shapes of its sources"),
            std::string::npos);
  const std::string far = "= \"exp(-(x - 40)^2 - y^2 - z^2)\"\n";
  EXPECT_TRUE(
      error("initial_density " + far).starts_with("smoke.initial_density: there is nothing within 64"));
  EXPECT_TRUE(
      error("[[quantity]]\nname = \"dye\"\ninitial " + far).starts_with("quantity.dye.initial: there"));
  EXPECT_NE(error("sparse = false").find("without a [domain]"), std::string::npos);
}

// The first step finds the clear air that it wants on all sides of smoke and of sources.
TEST(Initial, HasTheMarginOfClearAir) {
  Exec ex;
  for (const int margin : {2, 8, 20}) {
    const auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
grid = { cell_size = 0.1 }
[smoke]
initial_density = "(abs(x) < 1) * (abs(y) < 1)"
[[source]]
shape = { box = { min = [9, 0], max = [10, 1] } }
density_rate = 1
)toml",
                                             {"smoke.margin=" + std::to_string(margin)});
    const Topology<2>& topology = *simulation.state().topology();
    const auto is_active = [&](const Coord<2>& c) {
      const int tile = topology.map().find({floor_div(c[0], tile_side), floor_div(c[1], tile_side)});
      return tile >= 0 && topology.has_active(tile);
    };
    int missing = 0;
    const auto count_missing = [&](const Coord<2>& c) { missing += !is_active(c); };
    for_each_coord(Box<2>{{-10 - margin, -10 - margin}, {10 + margin, 10 + margin}}, count_missing);
    for_each_coord(Box<2>{{90 - margin, -margin}, {100 + margin, 10 + margin}}, count_missing);
    EXPECT_EQ(missing, 0) << "margin " << margin;
    EXPECT_FALSE(is_active({0, 10 + margin + 2 * tile_side}));  // and not much more
    EXPECT_FALSE(is_active({95, 10 + margin + 3 * tile_side}));
  }
}

TEST(Initial, ExpressionsThatGiveNoNumberAreNamed) {
  const std::string air = box_of_air<2>() + "[smoke]\nsparse = false\n";
  EXPECT_NE(error_of(air + "initial_density = \"1 / (x - 0.5 / 32)\"")
                .find("smoke.initial_density: its expression"),
            std::string::npos);
  EXPECT_EQ(error_of(air + "initial_density = \"sqrt(1 - y)\""),
            "no error");  // beyond the domain it has none
  EXPECT_NE(error_of(air + "initial_velocity = [0, \"sqrt(x - 0.5)\"]").find("smoke.initial_velocity"),
            std::string::npos);
}

}  // namespace
}  // namespace whorl
