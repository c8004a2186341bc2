// Pictures of a liquid by the keys of its scene.
#include "sim/picture.h"

#include "sim/liquid_simulation.h"
#include "sim/motion.h"
#include "sim/sim_case.h"

namespace whorl {
namespace {

const std::string drop = R"(
solver = "liquid"
[domain]
max = [1, 1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 16
[[fill]]
shape = { sphere = { center = [0.4, 0.5, 0.5], radius = 0.25 } }
velocity = [0, -3, 0]
[[solid]]
name = "ball"
shape = { sphere = { center = [0.75, 0.2, 0.7], radius = 0.2 } }
[output]
width = 48
height = 27
[render]
samples = 4
)";

class Pictures : public testing::Test {
 protected:
  Image with(const std::vector<std::string>& overrides = {}, int frame = 0) {
    const Scene<3> scene = scene_of<3>(drop, overrides);
    const Result<LiquidSimulation<3>> simulation = LiquidSimulation<3>::create(ex, scene);
    EXPECT_TRUE(simulation);
    return liquid_picture(ex, scene, frame, mesh_of(ex, simulation.value()), {}).screen;
  }
  // Of a channel, in a picture.
  static double mean(const Image& image, int channel) {
    double sum = 0;
    for (std::size_t k = std::size_t(channel); k < image.rgb.size(); k += 3) sum += image.rgb[k];
    return 3 * sum / double(image.rgb.size());
  }

  Exec ex;
};

TEST_F(Pictures, EveryKeyIsSeen) {
  const Image usual = with();
  EXPECT_EQ(usual.width, 48);
  EXPECT_EQ(usual.height, 27);
  EXPECT_EQ(with().rgb, usual.rgb);
  for (const char* other :
       {"render.samples=5", "render.draft=true", "render.motion_blur=false", "render.water_depth=0.05",
        "render.camera={position=[2,2,2],target=[0.5,0.4,0.5]}", "solid.ball.material=\"glass\"",
        "solid.ball.material=\"metal\"", "solid.ball.color=[0.9,0.1,0.1]"})
    EXPECT_NE(with({other}).rgb, usual.rgb) << other;
  EXPECT_NE(with({}, 1).rgb, usual.rgb) << "the noise of frames differs";
}

TEST_F(Pictures, SolidsBlurAsTheyMove) {
  const std::vector<std::string> moving = {
      "solid.ball.motion={keys=[{t=0},{t=1,translate=[-6,0,0]},{t=2,translate=[-6,0,0]}]}"};
  const auto sharp = [&](std::vector<std::string> overrides, int frame) {
    overrides.push_back("render.motion_blur=false");
    return with(overrides, frame).rgb;
  };
  EXPECT_EQ(sharp({"solid.ball.motion={keys=[{t=0},{t=5}]}"}, 0), sharp({}, 0));
  EXPECT_EQ(with({"solid.ball.motion={keys=[{t=0},{t=5}]}"}).rgb, with().rgb) << "it rests";
  // As the shutter opens it has not set out yet, and then it goes to the left.
  EXPECT_EQ(sharp(moving, 0), sharp({}, 0));
  EXPECT_NE(with(moving).rgb, with().rgb);
  const Scene<3> scene = scene_of<3>(drop, moving);
  const MotionConfig<3>& motion = scene.solid[0].motion;
  EXPECT_TRUE(moves(motion, 0.9, 1.1));
  EXPECT_TRUE(moves(motion, 0.4, 0.5));
  EXPECT_FALSE(moves(motion, 0.5, 0.5));
  EXPECT_FALSE(moves(motion, 1, 1.5));
  EXPECT_FALSE(moves(motion, 3, 4));
}

TEST_F(Pictures, MayBeLimitedInTime) {
  EXPECT_EQ(with({"render.seconds=1e9"}).rgb, with().rgb);
  EXPECT_EQ(with({"render.seconds=0"}).rgb, with({"render.samples=2"}).rgb);
  RenderConfig hasty;
  EXPECT_EQ(picture_warning(hasty), "");
  hasty.seconds = 10;
  EXPECT_NE(picture_warning(hasty).find("differ"), std::string::npos);
}

TEST_F(Pictures, HaveTheColoursAskedFor) {
  const Image usual = with();
  EXPECT_GT(mean(usual, 2), mean(usual, 0)) << "water is blue";
  const Image red = with({"render.water_color=[0.9,0.1,0.1]", "render.water_depth=0.1"});
  EXPECT_LT(mean(red, 2), mean(usual, 2) - 5);
  const Image ball = with({"solid.ball.color=[0.9,0.05,0.05]"});
  EXPECT_LT(mean(ball, 1), mean(usual, 1) - 2);
}

}  // namespace
}  // namespace whorl
