// What a scene's sources give off, when and where.
#include "sim_case.h"

#include "sim/smoke_params.h"
#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

// What a source gives off is its rate times its volume times how long it was on, frames or no frames.
TEST(Source, GivesOffItsRateWhileItIsOn) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[time]
fps = 24
[[source]]
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
density_rate = 5
start = 0.03
end = 0.11
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 4; ++frame) s = next_frame(ex, simulation);
  const double volume = M_PI * 0.2 * 0.2;
  EXPECT_NEAR(s.injected, 5 * 0.08 * volume, 0.01 * 5 * 0.08 * volume);
  EXPECT_NEAR(s.mass[0].second, s.injected, 1e-3 * s.injected);
  EXPECT_NEAR(s.center_of_mass[0], 0.5, 1e-6);
}

// What a source gives off inside a solid is nothing, and nobody else's smoke grows by it.
TEST(Source, InsideASolidGivesNothingOff) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
wind = [0.5, 0]
initial_density = "exp(-300 * ((x - 0.2)^2 + (y - 0.3)^2)) + (x > 0.6) * (y > 0.6)"
[[source]]
shape = { sphere = { center = [0.75, 0.75], radius = 0.1 } }
density_rate = 50
[[solid]]
shape = { box = { min = [0.55, 0.55], max = [1.1, 1.1] } }
)toml");
  const double start = next_frame(ex, simulation).mass[0].second;
  FrameStatistics s;
  for (int frame = 0; frame < 8; ++frame) s = next_frame(ex, simulation);
  EXPECT_NEAR(start, M_PI / 300, 0.02 * M_PI / 300);
  EXPECT_EQ(s.injected, 0);
  EXPECT_NEAR(s.mass[0].second, start, 1e-4 * start);
  EXPECT_EQ(simulation.state().density.get({26, 26}), 0.f);
}

// A rate that changes in time is integrated, not taken from the start of each step.
TEST(Source, GivesOffTheIntegralOfItsRate) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[time]
fps = 10
[[source]]
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
density_rate = { keys = [[0, 0], [0.4, 8]] }
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 4; ++frame) s = next_frame(ex, simulation);
  const double expected = 0.5 * 8 * 0.4 * M_PI * 0.2 * 0.2;
  EXPECT_NEAR(s.injected, expected, 0.01 * expected);
}

TEST(Source, ValuesMayVaryInSpaceAndTime) {
  Exec ex;
  const Scene<2> scene = scene_of<2>(box_of_air<2>() + R"toml(
[[source]]
name = "burner"
shape = { box = { min = [-1, -1], max = [2, 2] } }
density_rate = "x + 10 * t"
temperature = { keys = [[0, 300], [1, 400]] }
velocity = ["y", 2]
)toml");
  const GridLayout<2> layout = grid_layout(scene);
  Result<SmokeParams<2>> p = smoke_params(ex, scene, layout, 0.5);
  ASSERT_TRUE(p);
  ASSERT_TRUE(add_actors(p.value(), scene, layout, 0.5, 0.01));
  const SmokeSource<2>& source = p.value().sources.at(0);
  EXPECT_EQ(source.cells.lo, (Coord<2>{0, 0}));  // cut to the domain
  ASSERT_EQ(source.emissions.size(), 2u);
  EXPECT_EQ(source.emissions[0].quantity, 0u);
  EXPECT_FLOAT_EQ(source.emissions[0].rate.at({3, 7}), float(3.5 / 32 + 5.05));  // half-way through the step
  EXPECT_EQ(source.emissions[1].quantity, 1u);
  EXPECT_FLOAT_EQ(source.emissions[1].held->at({3, 7}), 350.5f);
  EXPECT_FLOAT_EQ((*source.velocity)[0].at({3, 7}), float(7.5 / 32));
  EXPECT_FLOAT_EQ((*source.velocity)[1].at({3, 7}), 2.f);
}

// A source reaches half a cell beyond its surface. Its cells are all that have a sample there: their centre,
// or a low face, which of the cells beyond the high sides is the domain's own.
TEST(Source, CellsHaveEverySampleInItsReach) {
  for (const char* shape : {"sphere = { center = [0.42, 0.3], radius = 0.1 }",
                            "box = { min = [0.25, 0.25], max = [0.5, 0.5] }",  // from face to face
                            "box = { min = [-1, -1], max = [2, 2] }"}) {
    const Scene<2> scene =
        scene_of<2>(box_of_air<2>() + "[[source]]\nshape = { " + shape + " }\ndensity_rate = 1\n");
    const GridLayout<2> layout = grid_layout(scene);
    const double h = layout.cell_size;
    const Box<2> cells = source_cells(scene, scene.source[0], layout);
    Box<2> touched{{99, 99}, {}};
    for_each_coord(Box<2>{{}, {33, 33}}, [&](const Coord<2>& c) {
      for (const int location : {at_centres, 0, 1}) {
        const Vec<double, 2> x = sample_place(c, location, h);
        if (std::max(x[0], x[1]) > 1 || scene.source[0].shape.distance(x) >= h / 2) continue;
        ASSERT_TRUE(cells.contains(c)) << c << ", location " << location << ", " << shape;
        for (int a = 0; a < 2; ++a) {
          touched.lo[a] = std::min(touched.lo[a], c[a]);
          touched.hi[a] = std::max(touched.hi[a], c[a] + 1);
        }
      }
    });
    for (int a = 0; a < 2; ++a) {  // and hardly any others
      EXPECT_GE(cells.lo[a], touched.lo[a] - 1) << shape;
      EXPECT_LE(cells.hi[a], touched.hi[a] + 1) << shape;
    }
  }
}

// A source that turns back within the step touches all that it passes.
TEST(Source, CellsCoverItsWay) {
  const Scene<2> scene = scene_of<2>(box_of_air<2>() + R"toml(
[[source]]
shape = { sphere = { center = [0.2, 0.5], radius = 0.05 } }
motion = { keys = [{ t = 0 }, { t = 0.5, translate = [0.6, 0] }, { t = 1 }] }
density = 1
)toml");
  const Box<2> cells = source_cells(scene, scene.source[0], grid_layout(scene), 0.25, 0.5);
  EXPECT_EQ(cells.lo, (Coord<2>{13, 13}));  // 0.45 m
  EXPECT_EQ(cells.hi, (Coord<2>{29, 19}));  // 0.85 m
}

// However many sub-steps, whatever the speed: a comet's tail is as even as its motion.
TEST(Source, InMotionLeavesAnEvenTail) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[[source]]
name = "comet"
shape = { sphere = { center = [0.1, 0.505], radius = 0.05 } }
motion = { keys = [{ t = 0 }, { t = 0.2, translate = [0.8, 0] }] }
density_rate = 10
end = 0.2
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 5; ++frame) s = next_frame(ex, simulation);
  const auto along = [&](int x) { return double(simulation.state().density.get({x, 16})); };
  for (int x = 6; x <= 26; ++x) EXPECT_NEAR(along(x), along(16), 0.05 * along(16)) << x;
  EXPECT_NEAR(along(16), 10 * 0.1 / 4, 0.1 * 10 * 0.1 / 4);        // 0.1 m of ball at 4 m/s
  const double volume = M_PI * 0.05 * 0.05 + M_PI / 12 / 32 / 32;  // with the ramp at its edge
  EXPECT_NEAR(s.injected, 10 * volume * 0.2, 0.01 * 10 * volume * 0.2);
}

// The skin of a hot ball heats the air round it, which rises; inside the ball there is none.
TEST(Source, AHotBallDrivesAPlume) {
  Exec ex;
  auto simulation = simulation_of<3>(ex, box_of_air<3>() + R"toml(
[[solid]]
name = "ball"
shape = { sphere = { center = [0.5, 0.3, 0.5], radius = 0.15 } }
[[source]]
solid = "ball"
temperature = 600
)toml");
  for (int frame = 0; frame < 12; ++frame) next_frame(ex, simulation);
  const SmokeState<3>& s = simulation.state();
  const auto at = [](double y) { return Coord<3>{16, int(y * 32), 16}; };
  EXPECT_EQ(s.temperature.get(at(0.3)), 300.f);
  EXPECT_NEAR(s.temperature.get(at(0.47)), 600, 1);
  EXPECT_GT(s.temperature.get(at(0.65)), 400.f);
  EXPECT_GT(s.velocity[1].get(at(0.65)), 0.5f);
  EXPECT_NEAR(s.temperature.get(at(0.05)), 300, 10);
}

// A skin goes where its solid goes.
TEST(Source, FollowsItsSolid) {
  Exec ex;
  const Scene<2> scene = scene_of<2>(box_of_air<2>() + R"toml(
[[solid]]
name = "ball"
shape = { sphere = { center = [0.25, 0.5], radius = 0.1 } }
motion = { keys = [{ t = 0 }, { t = 1, translate = [0.5, 0] }] }
[[source]]
solid = "ball"
skin = 0.08
density_rate = 1
)toml");
  const GridLayout<2> layout = grid_layout(scene);
  Result<SmokeParams<2>> p = smoke_params(ex, scene, layout, 0.5);
  ASSERT_TRUE(p);
  ASSERT_TRUE(add_actors(p.value(), scene, layout, 0.5, 0.125));
  const SmokeSource<2>& source = p.value().sources.at(0);
  EXPECT_EQ(source.skin, 0.08);
  EXPECT_NEAR(source.speed, 0.5, 1e-9);
  EXPECT_NEAR(source.shape_at(0.125).distance({0.5625, 0.5}), -0.1, 1e-9);
  EXPECT_EQ(source.cells.lo, (Coord<2>{9, 9}));    // (0.5 - 0.18) m
  EXPECT_EQ(source.cells.hi, (Coord<2>{25, 23}));  // (0.5625 + 0.18) m
}

// At the start nothing is in the box, and its grid is empty.
TEST(Source, MayComeInFromOutside) {
  Exec ex;
  const std::string motion = "motion = { keys = [{ t = 0 }, { t = 0.1, translate = [1.5, 0] }] }\n";
  const std::string by_itself = "[[source]]\nshape = { sphere = { center = [-0.8, 0.5], radius = 0.1 } }\n";
  const std::string on_a_solid =
      "[[solid]]\nname = \"ball\"\nshape = { sphere = { center = [-0.8, 0.5], radius = "
      "0.1 } }\n" +
      motion + "[[source]]\nsolid = \"ball\"\n";
  for (const std::string& source : {by_itself + motion, on_a_solid}) {
    auto simulation = simulation_of<2>(ex, box_of_air<2>() + source + "density_rate = 5\n");
    EXPECT_EQ(simulation.state().topology()->tile_count(), 0);
    EXPECT_EQ(next_frame(ex, simulation).injected, 0);
    for (int frame = 0; frame < 2; ++frame) next_frame(ex, simulation);
    EXPECT_GT(next_frame(ex, simulation).injected, 1e-3);
  }
}

// What a ledger calls drained is what a sink has had.
TEST(Source, ASinkDrainsWhatComesBy) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
wind = [1, 0]
initial_density = "exp(-300 * ((x - 0.2)^2 + (y - 0.5)^2))"
[[source]]
shape = { box = { min = [0.5, 0], max = [0.7, 1] } }
sink = 20
)toml");
  FrameStatistics s;
  const double whole = M_PI / 300;
  for (int frame = 0; frame < 15; ++frame) s = next_frame(ex, simulation);  // by 0.6 m: it is behind the sink
  EXPECT_NEAR(s.mass[0].second, whole * std::exp(-20 * 0.2), 0.01 * whole);
  EXPECT_NEAR(s.mass[0].second + s.drained, whole, 0.01 * whole);
  EXPECT_EQ(s.injected, 0);
}

}  // namespace
}  // namespace whorl
