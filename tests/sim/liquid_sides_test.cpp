// Scenes of liquid with sides through which it comes and goes, forces, and meshes without walls.
#include "liquid_scene.h"

#include "io/mesh_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace whorl {
namespace {

std::string channel(const std::string& of_domain) {
  return R"(
solver = "liquid"
[time]
fps = 20
[grid]
resolution = 32
[domain]
max = [1, 0.5, 0.25]
)" + of_domain;
}

const std::string water = "\n[[fill]]\nshape = { box = { min = [0, 0, 0], max = [1, 0.25, 0.25] } }\n";

// A profile that varies along the side brings its integral; as much leaves at the other end.
TEST(LiquidSidesScene, InflowIsMatchedByOutflow) {
  Result<Simulation> made = simulation_of(channel(R"toml(
sides = { default = "wall", top = "open", left = "inflow", right = "open" }
inflow_velocity = { left = ["0.4 * (1 + 2 * y)", 0, 0] }
water_level = 0.25
)toml") + water + "velocity = [0.5, 0, 0]\n");
  ASSERT_TRUE(made) << made.error().message;
  const FrameStatistics early = advance(made.value(), 30), late = advance(made.value(), 60);
  const double rate = 0.4 * (0.25 + 0.25 * 0.25) * 0.25, time = late.time - early.time;
  EXPECT_NEAR(late.injected - early.injected, rate * time, 0.02 * rate * time);
  EXPECT_NEAR(late.drained - early.drained, rate * time, 0.04 * rate * time);
  EXPECT_NEAR(late.liquid_volume, 0.0625, 0.5 / 32 * 0.25);
  EXPECT_NEAR(late.liquid_volume, 0.0625 + late.injected - late.drained, 1e-6);
}

// Each side may have a level of its own.
TEST(LiquidSidesScene, LevelsMayDiffer) {
  Result<Simulation> made = simulation_of(channel(R"(
sides = { default = "wall", top = "open", left = "open", right = "open" }
water_level = 0.2
water_level_at = { left = 0.3 }
)") + water);
  ASSERT_TRUE(made) << made.error().message;
  const FrameStatistics frame = advance(made.value(), 20);
  EXPECT_GT(frame.momentum[0], 0.01);  // it runs from the high side to the low one
  EXPECT_GT(frame.injected, 0.01);
  EXPECT_GT(frame.drained, 0.01);
}

TEST(LiquidSidesScene, ForcesPushLiquid) {
  Result<Simulation> made = simulation_of("gravity = [0, 0, 0]" + channel(R"(
sides = { default = "wall" }
[[fill]]
shape = { sphere = { center = [0.5, 0.25, 0.125], radius = 0.1 } }
[[force]]
uniform = { acceleration = [2, 0, 0] }
end = 0.1
[[force]]
custom = { acceleration = [0, "0.5 + 0 * x", 0] }
)"));
  ASSERT_TRUE(made) << made.error().message;
  const FrameStatistics frame = advance(made.value(), 4);  // 0.2 s
  EXPECT_NEAR(frame.momentum[0] / frame.liquid_volume, 0.2, 1e-3);
  EXPECT_NEAR(frame.momentum[1] / frame.liquid_volume, 0.1, 1e-3);
}

// The free surface alone is written, and the volume stays that of the closed mesh.
TEST(LiquidSidesScene, MeshesMayBeClipped) {
  const std::string tank = channel("sides = { default = \"wall\", top = \"open\" }\n") + water;
  Result<Simulation> capped = simulation_of(tank),
                     clipped = simulation_of(tank + "[output]\nmesh_walls = \"clipped\"\n");
  ASSERT_TRUE(capped && clipped);
  const std::string path = testing::TempDir() + "whorl_clipped.ply";
  advance(capped.value(), 2);
  advance(clipped.value(), 2);
  const Result<double> all = capped.value().write_mesh(path);
  const Result<TriangleMesh> closed = read_mesh(path);
  const Result<double> part = clipped.value().write_mesh(path);
  const Result<TriangleMesh> open = read_mesh(path);
  ASSERT_TRUE(all && part && closed && open);
  std::filesystem::remove(path);
  EXPECT_EQ(all.value(), part.value());
  EXPECT_EQ(boundary_edges(closed.value()), 0);
  EXPECT_GT(boundary_edges(open.value()), 0);
  EXPECT_NEAR(surface_area(open.value()), 0.25, 0.01);
}

TEST(LiquidSidesScene, SaysWhatALevelNeeds) {
  const auto message = [](const std::string& text) {
    const Result<SceneFile> scene = SceneFile::parse(text, "channel.toml");
    return scene ? std::string() : scene.error().message;
  };
  const std::string walls = "sides = { default = \"wall\", top = \"open\" }\n";
  EXPECT_NE(message(channel(walls + "water_level = 0.2\n") + water).find("no upright side is open"),
            std::string::npos);
  EXPECT_NE(message(channel(walls + "water_level_at = { left = 0.2 }\n") + water)
                .find("found for a side that is wall"),
            std::string::npos);
  EXPECT_EQ(message(channel("sides = { default = \"wall\", left = \"open\" }\nwater_level = 0.2\n")), "");
  Result<Simulation> odd =
      simulation_of(channel("sides = { default = \"wall\", left = \"inflow\" }\ninflow_velocity = { left = "
                            "[\"1 / (y - y)\", 0, 0] }\n"));
  ASSERT_FALSE(odd);
  EXPECT_NE(odd.error().message.find("no number everywhere"), std::string::npos);
}

}  // namespace
}  // namespace whorl
