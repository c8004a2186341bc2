// The unbounded puff, on larger cells and in a stronger wind: two thousand cells away it is the same puff.
#include "whorl/simulation.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

TEST(PuffUnbounded, TravelsTwoThousandCellsInConstantMemory) {
  const double cell_size = 0.05;
  const Result<SceneFile> scene = SceneFile::load(std::string(WHORL_SCENES) + "/puff_unbounded.toml",
                                                  {"grid.cell_size=" + std::to_string(cell_size),
                                                   "smoke.wind=[25,0,0]", "smoke.pressure_tolerance=0.01"});
  ASSERT_TRUE(scene) << scene.error().message;
  Result<Simulation> simulation = Simulation::create(scene.value(), {});
  ASSERT_TRUE(simulation) << simulation.error().message;
  FrameStatistics first, settled, s;
  std::int64_t most_cells = 0;
  for (int frame = 1; frame <= scene.value().frames(); ++frame) {
    const Result<FrameStatistics> result = simulation.value().advance();
    ASSERT_TRUE(result) << result.error().message;
    s = result.value();
    if (frame == 1) first = s;
    if (frame == 20) settled = s;
    most_cells = std::max(most_cells, s.active_cells);
    EXPECT_LE(s.max_divergence, 0.01);
  }
  EXPECT_GT(s.center_of_mass[0], 2000 * cell_size);
  EXPECT_NEAR(s.mass[0].second / first.mass[0].second, 1, 0.05);
  // As the puff curls up it fills more cells; memory follows them and nothing else.
  const double grown = double(most_cells) / double(settled.active_cells);
  EXPECT_LT(grown, 1.5);
  EXPECT_LT(double(s.peak_memory_bytes), 1.2 * grown * double(settled.peak_memory_bytes));
  RecordProperty("mass", std::to_string(s.mass[0].second / first.mass[0].second));
  RecordProperty("memory", std::to_string(double(s.peak_memory_bytes) / double(settled.peak_memory_bytes)));
}

}  // namespace
}  // namespace whorl
