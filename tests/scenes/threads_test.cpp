// Frames do not depend on how many threads computed them.
#include "whorl/simulation.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

std::vector<std::uint64_t> hashes(const std::string& scene_name, int frames, int threads) {
  const Result<SceneFile> scene = SceneFile::load(std::string(WHORL_SCENES) + "/" + scene_name + ".toml");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  Result<Simulation> simulation = Simulation::create(scene.value(), {.threads = threads});
  EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().message);
  std::vector<std::uint64_t> all;
  for (int frame = 0; frame < frames; ++frame) {
    const Result<FrameStatistics> s = simulation.value().advance();
    EXPECT_TRUE(s) << (s ? "" : s.error().message);
    if (!s) break;
    all.push_back(s.value().state_hash);
  }
  return all;
}

void expect_equal_hashes(const std::string& scene, int frames) {
  const std::vector<std::uint64_t> one = hashes(scene, frames, 1);
  ASSERT_EQ(one.size(), std::size_t(frames));
  EXPECT_EQ(hashes(scene, frames, 2), one);
  EXPECT_EQ(hashes(scene, frames, 7), one);
}

TEST(Threads, DoNotChangePlume2d) { expect_equal_hashes("plume2d", 120); }
TEST(Threads, DoNotChangePlume) { expect_equal_hashes("plume", 10); }
TEST(Threads, DoNotChangeComets2d) { expect_equal_hashes("comets2d", 12); }
TEST(Threads, DoNotChangeACampfire) { expect_equal_hashes("campfire", 6); }
TEST(Threads, DoNotChangeADamThatBreaks) { expect_equal_hashes("dam_break", 6); }
TEST(Threads, DoNotChangeAFountain) { expect_equal_hashes("fountain", 2); }
TEST(Threads, DoNotChangeTheFlowPastASphere) { expect_equal_hashes("jet_past_sphere", 6); }

}  // namespace
}  // namespace whorl
