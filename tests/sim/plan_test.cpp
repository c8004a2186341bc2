// What a run is said to take, against what it takes.
#include "sim/plan.h"

#include "sim/run_folder.h"
#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace whorl {
namespace {

// Work is counted in cells, or particles, and steps: time itself depends on who else is at work.
struct Counted {
  double most_cells = 0, most_particles = 0;
};

Counted count_all(const SceneFile& scene) {
  Result<Simulation> simulation = Simulation::create(scene);
  EXPECT_TRUE(simulation);
  Counted counted;
  while (simulation.value().frame() < scene.frames()) {
    const Result<FrameStatistics> frame = simulation.value().advance();
    EXPECT_TRUE(frame);
    counted.most_cells = std::max(counted.most_cells, double(frame.value().active_cells));
    counted.most_particles = std::max(counted.most_particles, double(frame.value().particles));
  }
  return counted;
}

PlanOptions options_for(const std::string& scene, std::vector<std::string> overrides) {
  const std::string path = std::string(WHORL_SCENES) + "/" + scene + ".toml";
  const Result<std::string> text = read_text(path);
  EXPECT_TRUE(text);
  overrides.push_back("output.png=false");
  return {.scene_text = text.value(), .source = path, .overrides = std::move(overrides), .patience = 0.01};
}

// After two frames and a look at a coarser grid.
TEST(Plan, KnowsHowSmokeGrows) {
  const PlanOptions options = options_for("plume", {"grid.resolution=64", "time.frames=30"});
  const Result<RunPlan> plan = plan_run(options);
  ASSERT_TRUE(plan) << plan.error().message;
  const Counted counted =
      count_all(SceneFile::parse(options.scene_text, options.source, options.overrides).value());
  std::printf("plume: %.0f cells planned, %.0f there\n", plan.value().most_cells, counted.most_cells);
  EXPECT_EQ(plan.value().frames, 30);
  EXPECT_NEAR(plan.value().most_cells, counted.most_cells, 0.3 * counted.most_cells);
  EXPECT_GT(plan.value().seconds, 0);
  EXPECT_GT(plan.value().disk_bytes, 30 * 1000);
}

TEST(Plan, KnowsHowMuchASpoutLetsOut) {
  const PlanOptions options = options_for("tap_into_glass", {"grid.resolution=48", "time.frames=24"});
  const Result<RunPlan> plan = plan_run(options);
  ASSERT_TRUE(plan) << plan.error().message;
  const Counted counted =
      count_all(SceneFile::parse(options.scene_text, options.source, options.overrides).value());
  std::printf("tap: %.0f particles planned, %.0f there\n", plan.value().most_particles,
              counted.most_particles);
  EXPECT_NEAR(plan.value().most_particles, counted.most_particles, 0.3 * counted.most_particles);
}

// A run that is over before patience is has been counted, not guessed.
TEST(Plan, LeavesNothingBehind) {
  PlanOptions options = options_for("plume2d", {"grid.resolution=32", "time.frames=4"});
  options.patience = 1000;
  ASSERT_TRUE(plan_run(options));
  const auto folder = std::filesystem::temp_directory_path() / ("whorl_plan_" + std::to_string(getpid()));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

// Periods of 5 and 3 tiles allow for no larger cells.
TEST(Plan, GoesByTheFirstFramesWhereNoCoarserCellsFit) {
  const Result<RunPlan> plan = plan_run({.scene_text = R"(
solver = "smoke"
dimension = 2
[time]
frames = 12
[domain]
max = [40, 24]
sides = { default = "periodic" }
[grid]
cell_size = 1
[smoke]
initial_density = 1
sparse = false
[output]
vdb = []
png = false
)",
                                         .source = "periods.toml",
                                         .overrides = {},
                                         .patience = 1e-6});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan.value().frames, 12);
  EXPECT_EQ(plan.value().most_cells, 40 * 24);
  ASSERT_EQ(plan.value().warnings.size(), 1u);
  EXPECT_NE(plan.value().warnings[0].find("with coarser cells the scene cannot be tried"), std::string::npos)
      << plan.value().warnings[0];
}

TEST(Plan, TellsWhatIsWrong) {
  PlanOptions options = options_for("plume", {"grid.resolution=0"});
  const Result<RunPlan> plan = plan_run(options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::invalid_scene);
}

TEST(Plan, CanBeStopped) {
  PlanOptions options = options_for("plume", {"grid.resolution=48"});
  options.should_stop = [] { return true; };
  const Result<RunPlan> plan = plan_run(options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace whorl
