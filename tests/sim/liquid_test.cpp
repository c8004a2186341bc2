// Scenes of liquid: what is there, what comes and goes, and what the statistics and files say of it.

#include "liquid_scene.h"

#include "io/mesh_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace whorl {
namespace {

const std::string tank = R"(
solver = "liquid"
[time]
fps = 30
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
)";

// Half a tank, less the block that stands in it; the mesh holds as much as the particles.
TEST(LiquidScene, FillsWhatSolidsLeave) {
  Result<Simulation> made = simulation_of(tank + R"(
[[fill]]
shape = { box = { min = [0, 0, 0], max = [1, 0.5, 1] } }
[[solid]]
shape = { box = { min = [0.25, -1, 0.25], max = [0.75, 0.25, 0.75] } }
)");
  ASSERT_TRUE(made);
  const FrameStatistics frame = advance(made.value(), 3);
  EXPECT_NEAR(frame.liquid_volume, 0.5 - 0.0625, 0.01);
  EXPECT_EQ(frame.drained, 0);
  EXPECT_LT(frame.max_speed, 0.3);
  EXPECT_NEAR(frame.center_of_mass[1], (0.25 * 0.5 - 0.0625 * 0.125) / 0.4375, 0.01);
  const std::string path = testing::TempDir() + "whorl_tank.ply";
  const Result<double> volume = made.value().write_mesh(path);
  ASSERT_TRUE(volume);
  EXPECT_NEAR(volume.value(), frame.liquid_volume, 0.12 * frame.liquid_volume);
  EXPECT_TRUE(read_mesh(path));
  std::filesystem::remove(path);
  EXPECT_FALSE(made.value().tiles("surface").empty());
}

// A blob that comes later, a spout and a drain, each in the ledger.
TEST(LiquidScene, ComesAndGoesByTheLedger) {
  Result<Simulation> made = simulation_of(tank + R"(
[[fill]]
shape = { box = { min = [0, 0, 0], max = [1, 0.25, 1] } }
[[fill]]
shape = { sphere = { center = [0.5, 0.7, 0.5], radius = 0.15 } }
start = 0.1
[[source]]
shape = { box = { min = [0.1, 0.5, 0.4], max = [0.2, 0.6, 0.6] } }
velocity = [1, 0, 0]
end = 0.5
[[source]]
shape = { box = { min = [0.8, 0, 0.8], max = [1, 0.2, 1] } }
sink = 20
start = 0.2
)");
  ASSERT_TRUE(made);
  const FrameStatistics before = advance(made.value(), 2);  // until 0.067 s
  EXPECT_NEAR(before.injected, 0.02 * before.time, 0.003);
  EXPECT_EQ(before.drained, 0);
  const FrameStatistics blob = advance(made.value(), 2);
  EXPECT_NEAR(blob.injected, 0.02 * blob.time + 4. / 3 * M_PI * 0.15 * 0.15 * 0.15, 0.003);
  const FrameStatistics after = advance(made.value(), 16);
  EXPECT_NEAR(after.injected, 0.01 + 4. / 3 * M_PI * 0.15 * 0.15 * 0.15, 0.003);
  EXPECT_GT(after.drained, 0.004);
  EXPECT_NEAR(after.liquid_volume, 0.25 + after.injected - after.drained, 1e-6);
}

// No step takes what a fast spout lets out further than five cells, so a wall in its way holds it.
TEST(LiquidScene, AFastSpoutIsStoppedByAWall) {
  Result<Simulation> made = simulation_of(R"(
solver = "liquid"
dimension = 2
[time]
fps = 24
[domain]
max = [1, 1]
sides = { default = "wall" }
[grid]
resolution = 50
[[source]]
shape = { box = { min = [0.05, 0.5], max = [0.15, 0.6] } }
velocity = [20, 0]
[[solid]]
shape = { box = { min = [0.4, -1], max = [0.43, 2] } }
)");
  ASSERT_TRUE(made);
  EXPECT_LE(advance(made.value(), 1).dt_max, 5 * 0.02 / 20 * 1.001);  // though nothing has come out before
  EXPECT_GT(advance(made.value(), 1).injected, 0.05);
  float behind = 1e9f;
  for (const FrameTile& tile : made.value().tiles("surface"))
    for (std::size_t k = 0; k < tile.values.size(); ++k)
      if (tile.first_cell[0] + int(k / 8) > 22) behind = std::min(behind, tile.values[k]);
  EXPECT_GT(behind, 0);  // dry
}

TEST(LiquidScene, SaysWhatItCannotDo) {
  const auto message = [](const std::string& text) {
    const Result<SceneFile> scene = SceneFile::parse(text, "tank.toml");
    return scene ? std::string() : scene.error().message;
  };
  const std::string water = "[[fill]]\nshape = { box = { min = [0, 0, 0], max = [1, 0.5, 1] } }\n";
  EXPECT_EQ(message(tank + water), "");
  EXPECT_NE(message(tank).find("there is no liquid"), std::string::npos);
  EXPECT_NE(message(tank + water + "[smoke]\nvorticity_confinement = 1\n").find("found in a scene of liquid"),
            std::string::npos);
  EXPECT_NE(message(tank + water + "[[source]]\nshape = { sphere = { center = [0, 0, 0], radius = 0.1 } }\n")
                .find("a velocity for a spout"),
            std::string::npos);
  EXPECT_NE(message("gravity = [\"x\", 0, 0]\n" + tank + water).find("varies in space"), std::string::npos);
  Result<Simulation> covered = simulation_of(
      tank + water + "[[solid]]\nshape = { box = { min = [-1, -1, -1], max = [2, 0.8, 2] } }\n");
  ASSERT_FALSE(covered);
  EXPECT_NE(covered.error().message.find("no liquid is left"), std::string::npos);
}

}  // namespace
}  // namespace whorl
