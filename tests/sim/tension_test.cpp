// Scenes with surface tension.
#include "liquid_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace whorl {
namespace {

const std::string box = R"(
solver = "liquid"
dimension = 2
gravity = [0, 0]
[time]
fps = 200
[domain]
max = [0.012, 0.012]
sides = { default = "wall" }
[grid]
resolution = 32
[liquid]
surface_tension = 0.0728
)";

// How much longer than high the liquid is, by its second moments.
double longer_than_high(const Simulation& simulation) {
  double m[2] = {0, 0}, mean[2] = {0, 0}, count = 0;
  for (const int round : {0, 1})
    for (const FrameTile& tile : simulation.tiles("surface"))
      for (std::size_t k = 0; k < tile.values.size(); ++k) {
        if (!(tile.values[k] < 0) || !(tile.is_active[k / 8] >> k % 8 & 1)) continue;
        const double x[2] = {double(tile.first_cell[0]) + double(k / 8),
                             double(tile.first_cell[1]) + double(k % 8)};
        count += round == 0;
        for (int a = 0; a < 2; ++a)
          if (round == 0)
            mean[a] += x[a];
          else
            m[a] += std::pow(x[a] - mean[a] / count, 2);
      }
  return std::sqrt(m[0] / m[1]);
}

// A bar without weight becomes a drop; without tension it stays what it is.
TEST(TensionScene, PullsABarTogether) {
  const std::string bar = "[[fill]]\nshape = { box = { min = [0.002, 0.005], max = [0.010, 0.0075] } }\n";
  for (const std::string surface : {"0.0728", "0"}) {
    const Result<SceneFile> scene =
        SceneFile::parse(box + bar, "bar.toml", {"liquid.surface_tension=" + surface});
    ASSERT_TRUE(scene) << scene.error().message;
    Result<Simulation> made = Simulation::create(scene.value());
    ASSERT_TRUE(made);
    EXPECT_GT(longer_than_high(made.value()), 2.5);
    double least = 9;
    for (int frame = 0; frame < 6; ++frame) {
      advance(made.value(), 1);
      least = std::min(least, longer_than_high(made.value()));
    }
    if (surface == "0")
      EXPECT_GT(least, 2.5);
    else
      EXPECT_LT(least, 1.1);
  }
}

// A drop that falls on the floor, spreads and climbs the sides, by either of the surfaces.
const std::string falling = R"(
solver = "liquid"
dimension = 2
[time]
fps = 500
[domain]
max = [0.012, 0.012]
sides = { default = "wall" }
[grid]
resolution = 32
[liquid]
surface_tension = 0.0728
[[fill]]
shape = { sphere = { center = [0.0061, 0.004], radius = 0.0025 } }
velocity = [0, -0.5]
)";

class FallingDrop : public testing::TestWithParam<std::string> {
 protected:
  SceneFile scene(std::vector<std::string> overrides = {}) const {
    overrides.push_back("liquid.surface=" + GetParam());
    const Result<SceneFile> parsed = SceneFile::parse(falling, "drop.toml", overrides);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
    return parsed.value();
  }
};

TEST_P(FallingDrop, MeetsWallsAndStaysWhole) {
  Result<Simulation> made = Simulation::create(scene());
  ASSERT_TRUE(made) << made.error().message;
  const FrameStatistics first = advance(made.value(), 1);
  const double volume = M_PI * 0.0025 * 0.0025;
  EXPECT_NEAR(first.liquid_volume, volume, 0.03 * volume);
  // What it fell with, what it had still to fall, and its surface.
  const double energy = volume * (0.5 * 0.25 + 9.81 * 0.004) + 0.0728 / 1000 * 2 * M_PI * 0.0025;
  int steps = 0;
  for (int frame = 0; frame < 40; ++frame) {
    const FrameStatistics now = advance(made.value(), 1);
    steps += now.substeps;
    EXPECT_NEAR(now.liquid_volume, first.liquid_volume, 0.05 * volume) << frame;
    EXPECT_LT(now.kinetic_energy, energy) << frame;
    EXPECT_LT(now.max_speed, 5) << frame;
  }
  EXPECT_GE(steps, 200);
  const FrameStatistics last = advance(made.value(), 1);
  EXPECT_LT(last.kinetic_energy, 0.5 * energy);
}

TEST_P(FallingDrop, SameBitsOnAnyThreads) {
  std::vector<std::string> hashes;
  for (const int threads : {1, 2, 7}) {
    Result<Simulation> made = Simulation::create(scene(), {.threads = threads});
    ASSERT_TRUE(made);
    hashes.push_back(to_json(advance(made.value(), 4)));
    const std::size_t at = hashes.back().find("state_hash");
    hashes.back() = hashes.back().substr(at, 40);
  }
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

INSTANTIATE_TEST_SUITE_P(Surfaces, FallingDrop, testing::Values("particles", "level_set"),
                         [](const auto& test) { return test.param; });

// A level set with all that it can do: a tank with a block in it, a blob that comes later, a spout.
TEST(LevelSetScene, FillsAndFlowsByTheLedger) {
  Result<Simulation> made = simulation_of(R"toml(
solver = "liquid"
[time]
fps = 30
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
[liquid]
surface = "level_set"
[[fill]]
shape = { box = { min = [0, 0, 0], max = [1, 0.4, 1] } }
velocity = ["0.01 * sin(6.283 * x)", "0.01 * cos(y)", 0]
[[fill]]
shape = { sphere = { center = [0.5, 0.75, 0.5], radius = 0.15 } }
start = 0.1
[[source]]
shape = { box = { min = [0.1, 0.5, 0.4], max = [0.3, 0.7, 0.6] } }
velocity = [1, 0, 0]
end = 0.1
[[solid]]
shape = { box = { min = [0.25, -1, 0.25], max = [0.75, 0.25, 0.75] } }
)toml");
  ASSERT_TRUE(made) << made.error().message;
  const double ball = 4. / 3 * M_PI * 0.15 * 0.15 * 0.15, block = 0.25 * 0.25;
  const FrameStatistics before = advance(made.value(), 2);
  EXPECT_NEAR(before.liquid_volume, 0.4 - block + before.injected, 0.01);
  EXPECT_NEAR(before.injected, 0.2 * 0.2 * (0.2 + before.time), 0.006);
  const FrameStatistics after = advance(made.value(), 3);
  EXPECT_NEAR(after.injected, 0.2 * 0.2 * 0.3 + ball, 0.01);
  EXPECT_NEAR(after.liquid_volume, 0.4 - block + after.injected - after.drained, 0.01);
  EXPECT_GT(after.particles, 1000);  // its markers
  const std::string path = testing::TempDir() + "whorl_level_set.ply";
  const Result<double> volume = made.value().write_mesh(path);
  ASSERT_TRUE(volume);
  EXPECT_NEAR(volume.value(), after.liquid_volume, 0.03 * after.liquid_volume);
  std::filesystem::remove(path);
  EXPECT_FALSE(made.value().write_particles(path));
  EXPECT_FALSE(made.value().tiles("surface").empty());
}

// A drop that falls out at the bottom is gone, and in the ledger.
TEST(LevelSetScene, WhatFallsOutIsDrained) {
  const Result<SceneFile> scene =
      SceneFile::parse(falling, "drop.toml",
                       {"liquid.surface=level_set", "domain.sides.bottom=open", "domain.sides.default=wall"});
  ASSERT_TRUE(scene) << scene.error().message;
  Result<Simulation> made = Simulation::create(scene.value());
  ASSERT_TRUE(made) << made.error().message;
  const double volume = M_PI * 0.0025 * 0.0025;
  const FrameStatistics half = advance(made.value(), 4);
  EXPECT_GT(half.drained, 0.1 * volume);
  EXPECT_NEAR(half.liquid_volume + half.drained, volume, 0.04 * volume);
  const FrameStatistics last = advance(made.value(), 10);
  EXPECT_LT(last.liquid_volume, 0.02 * volume);
  EXPECT_NEAR(last.drained, volume, 0.04 * volume);
}

TEST(LevelSetScene, SaysWhatItCannotDo) {
  const std::string still = R"(
solver = "liquid"
dimension = 3
[domain]
max = [1, 1, 1]
[grid]
resolution = 16
[[fill]]
shape = { box = { min = [0, 0, 0], max = [1, 0.5, 1] } }
)";
  const auto message = [&](const std::vector<std::string>& overrides) {
    const Result<SceneFile> scene = SceneFile::parse(still, "pool.toml", overrides);
    return scene ? std::string() : scene.error().message;
  };
  EXPECT_EQ(message({"liquid.surface=level_set"}), "");
  for (const std::string key : {"liquid.narrow_band=true", "liquid.transfer=flip", "output.particles=true",
                                "domain.sides.left=inflow"}) {
    EXPECT_NE(message({"liquid.surface=level_set", key}).find("level set"), std::string::npos) << key;
    if (key.find("sides") == std::string::npos) {
      EXPECT_EQ(message({key}), "") << key;
    }
  }
}

}  // namespace
}  // namespace whorl
