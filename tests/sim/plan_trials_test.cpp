// What the short runs of a plan look at.
#include "sim/plan_trials.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

struct Trials {
  Trial first;
  CoarseRun coarse;
};

// With no patience: two frames of the scene as it is, and eight with cells twice as large.
Trials try_out(const std::string& text) {
  PlanOptions options;
  options.scene_text = text;
  options.source = "trial.toml";
  options.patience = 1e-6;
  options.coarsest = 2;
  const Result<SceneFile> scene = SceneFile::parse(text, options.source, {"time.frames=8"});
  EXPECT_TRUE(scene) << scene.error().message;
  const Result<Trial> first = try_first_frames(scene.value(), options, 8);
  EXPECT_TRUE(first) << first.error().message;
  const Result<CoarseRun> coarse = try_coarser_cells(scene.value(), options, first.value(), 8);
  EXPECT_TRUE(coarse) << coarse.error().message;
  return {first.value(), coarse.value()};
}

std::string smoke(const std::string& output, int resolution = 32) {
  return R"toml(
solver = "smoke"
dimension = 2
[domain]
max = [1, 1]
[[source]]
shape = { sphere = { center = [0.5, 0.2], radius = 0.12 } }
density_rate = 8
[grid]
resolution = )toml" +
         std::to_string(resolution) + R"toml(
[output]
video = false
width = 128
height = 128
)toml" + output;
}

std::vector<int> pictured(const Trials& trials) {
  std::vector<int> frames;
  for (const auto& [frame, picture] : trials.coarse.pictures) {
    frames.push_back(frame);
    EXPECT_GT(picture.bytes, 0) << frame;
    EXPECT_GT(picture.seconds, 0) << frame;
  }
  return frames;
}

TEST(PlanTrials, PictureSomeFramesFromTheFirstOnesOn) {
  const Trials trials = try_out(smoke("png = true"));
  EXPECT_EQ(trials.first.files_of, 2);
  EXPECT_EQ(pictured(trials), (std::vector<int>{2, 3, 4, 5, 6, 7, 8}));
  EXPECT_GT(trials.first.files.images.bytes, trials.coarse.pictures.at(2).bytes) << "small ones";
  EXPECT_EQ(trials.first.files.exr.bytes, 0);
}

TEST(PlanTrials, PictureFramesForTheirLightAlone) {
  const Trials trials = try_out(smoke("png = false\nexr = true"));
  EXPECT_EQ(pictured(trials), (std::vector<int>{2, 3, 4, 5, 6, 7, 8}));
  EXPECT_GT(trials.first.files.exr.bytes, trials.coarse.pictures.at(2).bytes);
}

TEST(PlanTrials, MakeNoPicturesThatAreNotWanted) {
  EXPECT_TRUE(pictured(try_out(smoke("png = false"))).empty());
}

TEST(PlanTrials, LeaveFilesToTheSceneAsItIs) {
  const Trials trials = try_out(smoke("png = false"));
  EXPECT_GT(trials.first.files.of_size.bytes, 0);
  EXPECT_GT(trials.first.checkpoint, 0);
  EXPECT_EQ(trials.coarse.trial.files.of_size.bytes, 0);
  EXPECT_EQ(trials.coarse.trial.checkpoint, 0);
}

// The smoke itself, beside what there was before.
TEST(PlanTrials, KnowWhatStepsLeave) {
  const Trial first = try_out(smoke("png = false\n[smoke]\nsparse = false", 256)).first;
  EXPECT_GT(first.between, first.before + 1e6);
}

// The fill comes at frame 4 of 24 a second. Whitewater goes on from frame to frame, with or without liquid.
TEST(PlanTrials, AskCoarserCellsForFilesWhereTheFirstFramesAreEmpty) {
  const Trials trials = try_out(R"toml(
solver = "liquid"
dimension = 3
[domain]
max = [1, 1, 1]
sides = { default = "wall" }
[grid]
resolution = 32
[whitewater]
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.5, 0.5, 1] } }
start = 0.16
[output]
png = false
video = false
)toml");
  EXPECT_FALSE(has_fluid(trials.first, true));
  EXPECT_EQ(trials.first.files_of, 2);
  EXPECT_EQ(trials.first.before, trials.first.at_most);
  const Trial& coarse = trials.coarse.trial;
  EXPECT_EQ(trials.coarse.factor, 2);
  EXPECT_FALSE(has_fluid(coarse.frames[2], true));
  EXPECT_TRUE(has_fluid(coarse.frames[3], true));
  EXPECT_EQ(coarse.files_of, 8);
  EXPECT_GT(coarse.files.of_size.bytes, trials.first.files.of_size.bytes);
  EXPECT_GT(coarse.files.of_surface.bytes, trials.first.files.of_surface.bytes);
  EXPECT_GT(coarse.files.whitewater.bytes, 0);
  EXPECT_GT(coarse.checkpoint, trials.first.checkpoint);
  EXPECT_GE(coarse.at_most, coarse.before);
}

}  // namespace
}  // namespace whorl
