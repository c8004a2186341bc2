// How a scene is said to grow, from trials that are made up.
#include "sim/plan_growth.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

StepRule liquid_rule() {
  StepRule rule;
  rule.liquid = true;
  rule.h = 0.1;
  rule.cfl = 2;
  rule.frame = 0.04;
  return rule;
}

StepRule smoke_rule() {
  StepRule rule = liquid_rule();
  rule.liquid = false;
  return rule;
}

struct Fluid {
  double volume = 0;
  int cells = 0, particles = 0, steps = 1;
  double speed = 0;
};

Trial trial_of(const std::vector<Fluid>& frames) {
  Trial trial;
  for (const Fluid& f : frames) {
    FrameStatistics s;
    s.frame = int(trial.frames.size()) + 1;
    s.liquid_volume = f.volume;
    s.active_cells = f.cells;
    s.particles = f.particles;
    s.substeps = f.steps;
    s.max_speed = f.speed;
    trial.frames.push_back(s);
    trial.seconds.push_back(1);
  }
  return trial;
}

// dt = 2 cells / (10 m/s) = 0.02 s, of a frame of 0.04 s; time.max_step makes it shorter, time.min_step
// longer, though no longer than five cells take.
void expect_limits(StepRule rule) {
  EXPECT_EQ(rule.steps(10), 2);
  rule.longest = 0.01;
  EXPECT_EQ(rule.steps(10), 4);
  EXPECT_EQ(rule.steps(0), 4);
  rule.longest = 1;
  EXPECT_EQ(rule.steps(0), 1) << "a frame is no longer than itself";
  EXPECT_EQ(rule.steps(30), 6);
  rule.shortest = 0.015;
  EXPECT_EQ(rule.steps(30), 3);
  rule.shortest = 0.04;
  EXPECT_EQ(rule.steps(30), 3) << "0.04 s of 1/60 s each";
  rule.longest = 0.005;
  EXPECT_EQ(rule.steps(30), 8) << "the longest step wins";
}

TEST(PlanSteps, OfLiquidsKeepTheScenesLimits) { expect_limits(liquid_rule()); }
TEST(PlanSteps, OfSmokeKeepTheScenesLimits) { expect_limits(smoke_rule()); }

TEST(PlanSteps, AreReadFromAScene) {
  const Result<SceneFile> scene = SceneFile::parse(R"toml(
solver = "liquid"
dimension = 2
[time]
fps = 20
max_step = 0.01
min_step = 0.002
[domain]
max = [1, 1]
[grid]
resolution = 32
[liquid]
narrow_band = true
[[fill]]
shape = { box = { min = [0, 0], max = [0.4, 0.6] } }
)toml",
                                                   "band.toml");
  ASSERT_TRUE(scene) << scene.error().message;
  const StepRule rule = step_rule(scene.value());
  EXPECT_TRUE(rule.liquid && rule.at_surface);
  EXPECT_EQ(rule.dimension, 2);
  EXPECT_EQ(rule.longest, 0.01);
  EXPECT_EQ(rule.shortest, 0.002);
  EXPECT_EQ(rule.steps(0), 5);
}

// One more step a frame is 5 m/s: three steps at 2 m/s say that 8 to 13 m/s were allowed for.
TEST(PlanSteps, SayWhatSpeedSmokeGains) {
  const Trial trial = trial_of({{0, 100, 0, 3, 2}, {0, 100, 0, 3, 2}});
  EXPECT_NEAR(gained_speed(trial.frames, smoke_rule()), 8 + 0.25 * 5, 1e-9);
}

TEST(PlanSteps, ThatTheLongestAsksForSayNothingOfForces) {
  StepRule rule = smoke_rule();
  rule.longest = 0.01;
  const Trial trial = trial_of({{0, 100, 0, 4, 2}, {0, 100, 0, 4, 2}});
  EXPECT_LT(gained_speed(trial.frames, rule), 5);
}

TEST(PlanSteps, OfAnEmptySceneSayNothingOfForces) {
  const Trial trial = trial_of({{}, {}, {}, {0, 100, 0, 3, 2}, {0, 100, 0, 3, 2}});
  EXPECT_NEAR(gained_speed(trial.frames, smoke_rule()), 8 + 0.25 * 5, 1e-9);
}

// With half of the steps that the rule expects, a scene at rest still takes those of time.max_step.
TEST(PlanSteps, AreCorrectedByTheFirstFrames) {
  StepRule rule = liquid_rule();
  rule.longest = 0.02;
  const Trial first = trial_of({{1, 1000, 8000, 4, 40}});
  CoarseRun coarse{.factor = 2, .trial = trial_of({{1, 125, 1000, 2, 40}, {1, 125, 1000, 2, 0}})};
  coarse.trial.frames.push_back(coarse.trial.frames[0]);
  const Growth growth = growth_of(coarse, first, rule);
  EXPECT_EQ(growth.steps, (std::vector<double>{4, 2, 4}));
}

TEST(PlanGrowth, OfPicturesIsEvenBetweenThoseTried) {
  const std::vector<Fluid> frames(8, {1, 100, 800, 1, 1});
  CoarseRun coarse{.factor = 2, .trial = trial_of(frames)};
  coarse.pictures = {{2, {.bytes = 100, .seconds = 1, .held = 10}},
                     {6, {.bytes = 500, .seconds = 3, .held = 50}}};
  const Trial first = trial_of({frames[0], frames[1]});
  const Growth of_smoke = growth_of(coarse, first, smoke_rule());
  const auto expect = [](const PictureGrowth& is, double seconds, double bytes, double held) {
    EXPECT_NEAR(is.times_seconds, seconds, 1e-9);
    EXPECT_NEAR(is.times_bytes, bytes, 1e-9);
    EXPECT_NEAR(is.more_held, held, 1e-9);
  };
  expect(of_smoke.pictures[0], 1, 1, 0);
  expect(of_smoke.pictures[1], 1, 1, 0);
  expect(of_smoke.pictures[3], 2, 3, 20 * 8);
  expect(of_smoke.pictures[5], 3, 5, 40 * 8);
  expect(of_smoke.pictures[7], 3, 5, 40 * 8);
  const Growth of_liquid = growth_of(coarse, first, liquid_rule());  // pictures hold its surface
  expect(of_liquid.pictures[3], 2, 3, 20 * 4);
}

TEST(PlanGrowth, OfPicturesNotTriedIsNone) {
  const Trial trial = trial_of({{1, 100, 800, 1, 1}, {1, 100, 800, 1, 1}});
  const Growth growth = growth_of({.factor = 2, .trial = trial}, trial, liquid_rule());
  EXPECT_EQ(growth.pictures[1].times_seconds, 1);
  EXPECT_EQ(growth.pictures[1].times_bytes, 1);
  EXPECT_EQ(growth.pictures[1].more_held, 0);
}

// 1 m³ is 1000 cells of 0.1 m, or 125 of twice that.
TEST(PlanGrowth, OfALateFillIsThatOfCoarserCells) {
  const Trial first = trial_of({{}, {}});
  const CoarseRun coarse{.factor = 2,
                         .trial = trial_of({{}, {}, {1, 150, 1000, 3, 1}, {2, 300, 2000, 3, 1}})};
  const Growth growth = growth_of(coarse, first, liquid_rule());
  const auto expect = [](const std::vector<double>& is, const std::vector<double>& expected) {
    ASSERT_EQ(is.size(), expected.size());
    for (std::size_t k = 0; k < is.size(); ++k) EXPECT_NEAR(is[k], expected[k], 1e-6) << k;
  };
  expect(growth.size, {0, 0, 1000, 2000});
  expect(growth.cells, {0, 0, 1200, 2400});
  expect(growth.particles, {0, 0, 8000, 16000});
}

TEST(PlanGrowth, IsMatchedWhereThereIsFluid) {
  const Trial first = trial_of({{}, {0.9, 1000, 7200, 1, 1}, {}});
  const CoarseRun coarse{.factor = 2, .trial = trial_of({{}, {1, 150, 1000}, {}, {2, 300, 2000}})};
  const Growth growth = growth_of(coarse, first, liquid_rule());
  EXPECT_NEAR(growth.size[3], 1800, 1e-6);
  EXPECT_NEAR(growth.cells[3], 2000, 1e-6);
  EXPECT_NEAR(growth.particles[3], 14400, 1e-6);
  EXPECT_EQ(growth.size[2], 0);
}

// With cells four times as large a surface has 16 times fewer particles, not 64.
TEST(PlanGrowth, OfParticlesAtASurfaceGoesWithIt) {
  StepRule rule = liquid_rule();
  rule.at_surface = true;
  const CoarseRun coarse{.factor = 4, .trial = trial_of({{1, 50, 100}, {1, 50, 200}})};
  EXPECT_NEAR(growth_of(coarse, trial_of({{}}), rule).particles[1], 200 * 16, 1e-6);
  EXPECT_NEAR(growth_of(coarse, trial_of({{1, 3200, 1600}}), rule).particles[1], 200 * 16, 1e-6);
  // A band that coarse cells have no room for: with few of its particles, or with all of the liquid's.
  EXPECT_NEAR(growth_of(coarse, trial_of({{1, 3200, 500}}), rule).particles[1], 1000, 1e-6);
  EXPECT_NEAR(growth_of(coarse, trial_of({{1, 3200, 6000}}), rule).particles[1], 12000, 1e-6);
  // Of a liquid that is full of them the first frames say less than the volume does.
  EXPECT_NEAR(growth_of(coarse, trial_of({{1, 3200, 500}}), liquid_rule()).particles[1], 6400, 1e-6);
}

// Vortices are seeded by the second.
TEST(PlanGrowth, OfSmokesVorticesIsThatOfCoarserCells) {
  const Trial first = trial_of({{0, 640, 10, 1, 1}});
  const CoarseRun coarse{.factor = 4, .trial = trial_of({{0, 10, 10, 1, 1}, {0, 20, 30, 1, 1}})};
  const Growth growth = growth_of(coarse, first, smoke_rule());
  EXPECT_EQ(growth.particles[1], 30);
  EXPECT_EQ(growth.cells[1], 1280);
  EXPECT_EQ(growth.size[1], 1280);
}

}  // namespace
}  // namespace whorl
