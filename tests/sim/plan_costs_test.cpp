// What frames are said to take together, from trials that are made up.
#include "sim/plan_costs.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

StepRule rule_of(bool liquid) {
  StepRule rule;
  rule.liquid = liquid;
  rule.h = 0.1;
  return rule;
}

// Of a liquid: 8 particles a cell, and no cells beside those that it fills.
FrameStatistics full(int cells, double h, int steps) {
  FrameStatistics s;
  s.active_cells = cells;
  s.particles = 8 * cells;
  s.liquid_volume = cells * h * h * h;
  s.substeps = steps;
  return s;
}

FrameStatistics air(int cells) {
  FrameStatistics s;
  s.active_cells = cells;
  s.substeps = 1;
  return s;
}

// Frames that took so long, the last one's files tried.
Trial trial_of(std::vector<FrameStatistics> frames, std::vector<double> seconds, double before,
               double at_most) {
  Trial trial;
  trial.files_of = int(frames.size());
  trial.frames = std::move(frames);
  trial.seconds = std::move(seconds);
  trial.before = before;
  trial.at_most = at_most;
  return trial;
}

Growth growth_like(const std::vector<FrameStatistics>& frames, const StepRule& rule) {
  Trial all;
  all.frames = frames;
  return growth_of(all, rule, int(frames.size()));
}

TEST(PlanCosts, CountPicturesThatTakeLongerAndHoldMore) {
  const StepRule rule = rule_of(false);
  Trial first = trial_of({air(100)}, {0}, 1000, 1000);
  first.files.images = {.bytes = 10, .seconds = 1, .held = 50};
  Growth growth = growth_like({air(100), air(100), air(100)}, rule);
  growth.pictures = {{1, 1, 0}, {2, 3, 200}, {3, 5, 100}};
  const RunPlan plan = extrapolate(costs_of(first, rule), growth, rule, 0);
  EXPECT_NEAR(plan.seconds, 1 + 2 + 3, 1e-9);
  EXPECT_NEAR(plan.disk_bytes, 10 * (1 + 3 + 5) * 1.1, 1e-9) << "with a video of a tenth";
  EXPECT_NEAR(plan.memory_bytes, 1000 + 50 + 200, 1e-9);
}

TEST(PlanCosts, CountTheLightOfPicturesAlone) {
  const StepRule rule = rule_of(false);
  Trial first = trial_of({air(100)}, {0}, 1000, 1000);
  first.files.exr = {.bytes = 10, .seconds = 1, .held = 70};
  Growth growth = growth_like({air(100), air(100)}, rule);
  growth.pictures[1] = {3, 2, 200};
  const RunPlan plan = extrapolate(costs_of(first, rule), growth, rule, 0);
  EXPECT_NEAR(plan.seconds, 4, 1e-9);
  EXPECT_NEAR(plan.disk_bytes, 30, 1e-9);
  EXPECT_NEAR(plan.memory_bytes, 1270, 1e-9);
}

// A scene without pictures holds none, however much coarser ones would.
TEST(PlanCosts, GoWithSizeSurfaceAndWeight) {
  const StepRule rule = rule_of(true);
  Trial first = trial_of({full(1000, rule.h, 2), full(1000, rule.h, 2)}, {5, 3}, 1e6, 3e6);
  first.files.of_size = {.bytes = 1000, .seconds = 1, .held = 0};
  first.files.of_surface = {.bytes = 100, .seconds = 0.1, .held = 0};
  first.files.whitewater = {.bytes = 10, .seconds = 0.2, .held = 0};
  first.checkpoint = 7000;
  const Growth growth = growth_like({full(1000, rule.h, 2), full(8000, rule.h, 4)}, rule);
  const RunPlan plan = extrapolate(costs_of(first, rule), growth, rule, 3);
  EXPECT_EQ(plan.steps, 6);
  EXPECT_EQ(plan.most_cells, 8000);
  EXPECT_EQ(plan.most_particles, 64000);
  // Eight times as much in twice the steps; its files, and four times the surface.
  EXPECT_NEAR(plan.seconds, 3 * (1 + 16) + (1 + 8) + 0.3 * (1 + 4), 1e-9);
  EXPECT_NEAR(plan.disk_bytes, 1000 * (1 + 8) + 110 * (1 + 4) + 3 * 7000 * 8, 1e-6);
  EXPECT_NEAR(plan.memory_bytes, 1e6 + 8 * 2e6, 1e-3);
}

// A step holds more than it leaves, and files are written between two.
TEST(PlanCosts, HoldFilesBesideWhatStepsLeave) {
  const StepRule rule = rule_of(true);
  Trial first = trial_of({full(1000, rule.h, 1), full(1000, rule.h, 1)}, {1, 1}, 1e6, 5e6);
  first.between = 2e6;
  first.files.images = {.bytes = 10, .seconds = 1, .held = 4e6};
  const Growth same = growth_like(first.frames, rule);
  EXPECT_NEAR(extrapolate(costs_of(first, rule), same, rule, 0).memory_bytes, 2e6 + 4e6, 1e-3);
  first.files.of_surface = {.bytes = 10, .seconds = 1, .held = 5e5, .left = 3e5};
  EXPECT_NEAR(extrapolate(costs_of(first, rule), same, rule, 0).memory_bytes, 2e6 + 4e6 + 3e5, 1e-3)
      << "beside the mesh that they show";
  first.files.of_surface = {};
  const Growth twice = growth_like({full(1000, rule.h, 1), full(2000, rule.h, 1)}, rule);
  EXPECT_NEAR(extrapolate(costs_of(first, rule), twice, rule, 0).memory_bytes, 1e6 + 2 * 4e6, 1e-3);
}

// The first frame that has fluid has the system's memory to get, and those before have nothing to do.
TEST(PlanCosts, AreThoseOfFramesWithFluid) {
  const StepRule rule = rule_of(true);
  Trial first = trial_of({{}, {}, full(1000, rule.h, 1), full(1000, rule.h, 1)}, {0.1, 0.1, 50, 3}, 1e6, 3e6);
  const Costs costs = costs_of(first, rule);
  EXPECT_NEAR(costs.step_seconds * 8000, 3, 1e-9);
  EXPECT_NEAR(costs.empty_frame_seconds, 0.1, 1e-9);
  const RunPlan plan =
      extrapolate(costs, growth_like({{}, {}, full(1000, rule.h, 1), full(2000, rule.h, 1)}, rule), rule, 0);
  EXPECT_NEAR(plan.seconds, 0.2 + 3 + 6, 1e-9);
  EXPECT_NEAR(plan.memory_bytes, 1e6 + 2 * 2e6, 1e-3);
  first.at_most = first.before;  // its memory was there, which is not to say that more will be
  EXPECT_GT(costs_of(first, rule).memory, 0.4);
}

// 125 cells twice as large cost what 125 of the scene's do, beside what files of nothing take.
TEST(PlanCosts, OfAnEmptyStartAreThoseOfCoarserCells) {
  const StepRule rule = rule_of(true);
  Trial first = trial_of({{}, {}}, {0.1, 0.1}, 1e6, 1e6);
  first.files.of_size = {.bytes = 200, .seconds = 0, .held = 0};
  first.files.images = {.bytes = 10, .seconds = 1, .held = 5e6};
  first.checkpoint = 50;
  CoarseRun coarse{.factor = 2};
  coarse.trial.frames = {{}, {}, full(125, 2 * rule.h, 1), full(125, 2 * rule.h, 1)};
  coarse.trial.seconds = {0.1, 0.1, 0.5, 0.3};
  coarse.trial.before = 2e6;
  coarse.trial.at_most = 2.2e6;
  coarse.trial.between = 2.1e6;
  coarse.trial.files_of = 4;
  coarse.trial.files.of_size = {.bytes = 1200, .seconds = 0, .held = 0};
  coarse.trial.files.images = {.bytes = 1, .seconds = 0.1, .held = 5};  // small ones
  coarse.trial.checkpoint = 550;
  const Growth growth = growth_like({{}, {}, full(1000, rule.h, 1), full(1000, rule.h, 1)}, rule);
  RunPlan plan = extrapolate(costs_of(first, coarse, rule), growth, rule, 2);
  EXPECT_NEAR(plan.seconds, 2 * 0.1 + 2 * 8 * 0.3 + 4 * 1, 1e-9);
  EXPECT_NEAR(plan.memory_bytes, 1e6 + 8 * 0.1e6 + 5e6, 1e-3);
  EXPECT_NEAR(plan.disk_bytes, 4 * 200 + 2 * 8 * 1000 + 4 * 10 * 1.1 + 2 * (50 + 8 * 500), 1e-6);
  coarse.trial.at_most = 100e6;  // what threads get once there is work is no part of the cells
  plan = extrapolate(costs_of(first, coarse, rule), growth, rule, 2);
  EXPECT_LT(plan.memory_bytes, 1e6 + 4 * weight_of(1000, 8000, 3));
}

// Nothing is known: what there is, and no more.
TEST(PlanCosts, OfNothingAreNone) {
  const StepRule rule = rule_of(true);
  Trial first = trial_of({{}, {}}, {0.1, 0.3}, 1e6, 1e6);
  first.files.of_size = {.bytes = 1000, .seconds = 1, .held = 1000};
  first.checkpoint = 500;
  const Growth growth = growth_like({{}, {}, full(1000000, rule.h, 9)}, rule);
  const RunPlan plan = extrapolate(costs_of(first, rule), growth, rule, 2);
  EXPECT_NEAR(plan.seconds, 2 * 0.2 + 3 * 1, 1e-9);
  EXPECT_EQ(plan.memory_bytes, 1e6 + 1000);
  EXPECT_EQ(plan.disk_bytes, 3 * 1000 + 2 * 500);
}

// Cells count beside the particles along a level set: a tank that fills up has more to do.
TEST(PlanCosts, OfLevelSetsGoWithCellsAndParticles) {
  StepRule rule = rule_of(true);
  rule.at_surface = true;
  EXPECT_GT(work_of(2000, 100, rule), work_of(1000, 100, rule));
  EXPECT_GT(work_of(1000, 200, rule), work_of(1000, 100, rule));
  rule.at_surface = false;
  EXPECT_EQ(work_of(2000, 100, rule), work_of(1000, 100, rule));
}

}  // namespace
}  // namespace whorl
