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
  EXPECT_FLOAT_EQ(source.density_rate.at({3, 7}), float(3.5 / 32 + 5));
  EXPECT_FLOAT_EQ(source.temperature->at({3, 7}), 350.f);
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
    const Box<2> cells = source_cells(scene.source[0], layout);
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

}  // namespace
}  // namespace whorl
