// The dam break of `whorl bench liquid`, small; and in Blender, where it is installed.
#include "bench/bench_case.h"
#include "blender.h"
#include "dam.h"

#include <gtest/gtest.h>

#include <string>

namespace whorl::bench {
namespace {

TEST(Dam, FallsAndKeepsItsParticles) {
  const Result<DamFigures> run = run_dam({.n = 16, .threads = 2});
  ASSERT_TRUE(run) << run.error().message;
  const DamFigures& f = run.value();
  EXPECT_GE(f.steps, 20);
  EXPECT_LT(f.steps, 40);
  // A quarter of the cube's cells, 8 particles each: none is made or lost.
  EXPECT_NEAR(f.particle_steps / f.steps, 8 * 16 * 16 * 16 / 4, 1e-6);
  EXPECT_GT(f.cell_steps / f.steps, 16 * 16 * 16 / 4);
  EXPECT_LE(f.cell_steps / f.steps, 16 * 16 * 16);
  EXPECT_GT(f.iterations, f.steps);
  // Spread over all of the floor it would be at a quarter of its height.
  EXPECT_LT(f.centre, 0.8 * dam_height / 2);
  EXPECT_GT(f.centre, 0.9 * dam_height / 4);
}

TEST(Dam, FiguresAreThoseOfTheMeasuredFrames) {
  const Result<DamFigures> run = run_dam({.n = 16, .threads = 1, .warm_up = 2, .frames = 3});
  ASSERT_TRUE(run) << run.error().message;
  const DamFigures& f = run.value();
  EXPECT_EQ(f.steps, 3);
  double step = 0, stages = 0;
  bool transferred = false, projected = false;
  for (const Profile::Entry& e : f.stages) {
    if (e.name == "step") {
      step = e.seconds;
      EXPECT_EQ(e.calls, f.steps);
    }
    if (e.name.find('/') != std::string::npos && e.name.find('/') == e.name.rfind('/')) stages += e.seconds;
    transferred = transferred || e.name == "step/particles_to_faces";
    projected = projected || e.name == "step/project";
  }
  EXPECT_TRUE(transferred && projected);
  EXPECT_GT(stages, 0);
  EXPECT_LE(stages, step);
  EXPECT_LE(step, f.seconds);
  // Places, velocities, the nine modes of APIC and a number: no less than that.
  const double particles = f.particle_steps / f.steps;
  EXPECT_GT(f.peak_bytes / particles, 4 * 15 + 8);
  EXPECT_LT(f.peak_bytes / particles, 2000);
}

TEST(LiquidBench, WritesItsFigures) {
  Options options;
  options.size = 16;
  options.threads = {1};
  options.only = "whorl";
  const std::string json = json_of(liquid, options);
  for (const char* field : {"\"name\": \"whorl 16^3, 1 thread\"", "\"cells\": 4096,", "\"threads\": 1,",
                            "\"particles\": 8", "\"steps\": 2", "\"ms_per_step\": ",
                            "\"mparticle_steps_per_s\": ", "\"seconds_per_simulated_second\": ",
                            "\"peak_bytes\": ", "\"particles_to_faces_ms\": ", "\"project_ms\": "})
    EXPECT_NE(json.find(field), std::string::npos) << field << " in " << json;
}

TEST(LiquidBench, RefusesSizesThatAreNotTilesAndPeersThatItHasNot) {
  Options options;
  options.size = 20;
  EXPECT_EQ(liquid(options), 2);
  options.size = 16;
  options.only = "hypre";
  EXPECT_EQ(liquid(options), 2);
}

TEST(StageTimes, AreThoseOfAStepAndAddUp) {
  const std::vector<Profile::Entry> zones = {
      {"step", 5, 2}, {"step/project", 3, 2}, {"step/project/pcg", 2, 2}, {"step/project/pcg/dot", 1, 2}};
  EXPECT_EQ(stage_times(zones, 6, 2),
            (Table::Figures{{"project", 1500}, {"project/pcg", 1000}, {"other", 1500}}));
}

class BlenderDam : public testing::TestWithParam<BlenderScene> {};

TEST_P(BlenderDam, FallsAlike) {
  const Result<DamFigures> ours = run_dam({.n = 32, .threads = 2});
  ASSERT_TRUE(ours) << ours.error().message;
  const Result<BlenderFigures> run = run_blender({.scene = GetParam(),
                                                  .n = 32,
                                                  .threads = 2,
                                                  .lengths = std::vector<double>(21, dam_frame),
                                                  .warm_up = 1});
  if (!run && not_installed(run.error())) GTEST_SKIP() << "Blender: " << run.error().message;
  ASSERT_TRUE(run) << run.error().message;
  const BlenderFigures& f = run.value();
  EXPECT_EQ(f.resolution, (std::array{32, 32, 32}));
  ASSERT_EQ(f.frames.size(), 20u);
  // It gives the outermost cells to the walls, so that its floor is a cell higher.
  EXPECT_NEAR(f.amount, 15 * 15 * 30, 0.25 * 15 * 15 * 30);
  EXPECT_NEAR(f.centre - 1. / 32, ours.value().centre, 0.05 * ours.value().centre);
  const BlenderFrame sum = sum_of_frames(f);
  EXPECT_GE(sum.steps, 20);
  EXPECT_NEAR(sum.steps, ours.value().steps, 0.5 * ours.value().steps);
  if (GetParam() == BlenderScene::dam)
    EXPECT_LT(sum.particles, 5 * f.amount);
  else
    EXPECT_NEAR(sum.particles, 9 * f.amount, 2.5 * f.amount);
  EXPECT_GT(sum.pressure_seconds, 0);
  EXPECT_GT(sum.step_seconds, sum.pressure_seconds);
  EXPECT_GT(sum.write_seconds, 0);
  EXPECT_GT(sum.seconds, sum.step_seconds + sum.write_seconds);
  EXPECT_GT(f.residual, 0);
  EXPECT_LT(f.residual, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(All, BlenderDam, testing::Values(BlenderScene::dam, BlenderScene::dam_full),
                         [](const auto& tested) {
                           return std::string(tested.param == BlenderScene::dam ? "Band" : "Full");
                         });

}  // namespace
}  // namespace whorl::bench
