// A grid that follows the smoke against one that fills the box: the same plume.
#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

struct Seen {
  double energy, mass, top;
  double cells;
};

// The height up to which there is a twentieth of the strongest smoke.
double top_of(const Simulation& simulation) {
  float most = 0;
  for (const FrameTile& tile : simulation.tiles("density"))
    for (const float value : tile.values) most = std::max(most, value);
  double top = -1e9;
  for (const FrameTile& tile : simulation.tiles("density"))
    for (std::size_t k = 0; k < tile.values.size(); ++k)
      if (tile.values[k] > most / 20) top = std::max(top, tile.first_cell[1] + double(k / 8 % 8) + 0.5);
  return top;
}

std::vector<Seen> run(int resolution, const char* sparse, int frames) {
  std::vector<Seen> seen;
  Result<SceneFile> scene = SceneFile::load(
      std::string(WHORL_SCENES) + "/plume.toml",
      {"grid.resolution=" + std::to_string(resolution), std::string("smoke.sparse=") + sparse});
  EXPECT_TRUE(scene) << scene.error().message;
  Result<Simulation> simulation = Simulation::create(scene.value());
  EXPECT_TRUE(simulation) << simulation.error().message;
  for (int k = 1; k <= frames; ++k) {
    const Result<FrameStatistics> frame = simulation.value().advance();
    EXPECT_TRUE(frame) << frame.error().message;
    if (!frame || k % 10) continue;
    seen.push_back({frame.value().kinetic_energy, frame.value().mass.front().second,
                    top_of(simulation.value()), double(frame.value().active_cells)});
  }
  return seen;
}

void expect_same(int resolution, int frames) {
  const std::vector<Seen> sparse = run(resolution, "true", frames), full = run(resolution, "false", frames);
  ASSERT_EQ(sparse.size(), full.size());
  for (std::size_t k = 0; k < full.size(); ++k) {
    const Seen &s = sparse[k], &f = full[k];
    std::printf("frame %zu: energy %.4f, mass %.4f, top %.4f, cells %.3f of the full box's\n", 10 * (k + 1),
                s.energy / f.energy, s.mass / f.mass, s.top / f.top, s.cells / f.cells);
    EXPECT_NEAR(s.energy, f.energy, 0.02 * f.energy);
    EXPECT_NEAR(s.mass, f.mass, 0.02 * f.mass);
    EXPECT_NEAR(s.top, f.top, std::max(0.02 * f.top, 1.));  // or a cell
    EXPECT_LT(s.cells, f.cells);
  }
}

TEST(Sparse, IsTheFullBoxWithinTwoPercent) { expect_same(72, 60); }

}  // namespace
}  // namespace whorl
