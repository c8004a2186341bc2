// Two rings that meet head-on: what is mirrored stays mirrored.
#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace whorl {
namespace {

TEST(VortexRings, StayMirroredUntilTheSheetIsTwiceAsWide) {
  const double radius = 0.22;
  const int cells[] = {96, 128, 128};
  const double h = 2.4 / 128;
  Result<SceneFile> scene = SceneFile::load(std::string(WHORL_SCENES) + "/vortex_rings.toml",
                                            {"grid.resolution=128", "smoke.pressure_tolerance=1e-4"});
  ASSERT_TRUE(scene) << scene.error().message;
  Result<Simulation> simulation = Simulation::create(scene.value());
  ASSERT_TRUE(simulation) << simulation.error().message;
  double worst = 0, widest = 0;
  int frame = 0;
  while (widest < 2 * radius) {
    ASSERT_LT(frame, scene.value().frames());
    const Result<FrameStatistics> done = simulation.value().advance();
    ASSERT_TRUE(done) << done.error().message;
    ++frame;
    std::map<std::array<int, 3>, std::span<const float>> tiles;
    for (const FrameTile& tile : simulation.value().tiles("density"))
      if (std::any_of(tile.is_active.begin(), tile.is_active.end(), [](auto row) { return row != 0; }))
        tiles[tile.first_cell] = tile.values;
    float most = 0;
    for (const auto& [at, values] : tiles)
      most = std::max(most, *std::max_element(values.begin(), values.end()));
    for (const auto& [at, values] : tiles) {
      const auto across = tiles.find({cells[0] - 8 - at[0], at[1], at[2]});
      ASSERT_NE(across, tiles.end()) << "the grid is not mirrored";
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t image = (7 - k / 64) * 64 + k % 64;
        worst = std::max(worst, std::abs(double(values[k]) - double(across->second[image])) / double(most));
        const double x = h * (at[0] + double(k / 64) + 0.5) - 0.9,
                     y = h * (at[1] + double(k / 8 % 8) + 0.5) - 1.2,
                     z = h * (at[2] + double(k % 8) + 0.5) - 1.2;
        // The sheet: what lies in the plane where the rings meet.
        if (values[k] > most / 10 && std::abs(x) < 0.1) widest = std::max(widest, std::hypot(y, z));
      }
    }
    EXPECT_LE(worst, 1e-4) << "frame " << frame;
  }
  std::printf("frame %d: the sheet is %.2f wide, mirrored to %.2g\n", frame, widest, worst);
}

}  // namespace
}  // namespace whorl
