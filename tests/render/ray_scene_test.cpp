// What rays meet: specks and surfaces, in front of and behind each other, still and on the move.
#include "render/ray_scene.h"
#include "render/liquid_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// From z = 5 down, at x along the first axis.
std::optional<RayScene::Hit> down(const RayScene& scene, double x, float time = 0, double y = 0) {
  return scene.first({{x, y, 5}, {0, 0, -1}}, 20, time);
}

RayScene specks(const std::vector<Speck>& balls, const Exposure& exposure = {}) {
  RayScene scene({0, 0, 0}, 2);
  scene.add(balls, exposure);
  scene.finish();
  return scene;
}

TEST(RayScene, SpecksAreRoundAndWhereTheyAre) {
  const RayScene scene = specks({{{0.5, 0, 1}, 0.25f}});
  for (const double aside : {0., 0.1, 0.2, 0.24}) {
    const double deep = std::sqrt(0.25 * 0.25 - aside * aside);
    for (const auto& hit : {down(scene, 0.5 + aside), down(scene, 0.5 - aside), down(scene, 0.5, 0, aside)}) {
      ASSERT_TRUE(hit) << aside;
      EXPECT_NEAR(hit->distance, 4 - deep, 1e-3) << aside;
      EXPECT_NEAR(hit->normal[2], deep / 0.25, 1e-2) << aside;
    }
  }
  EXPECT_FALSE(down(scene, 0.5 + 0.26));
  EXPECT_FALSE(down(scene, 0.5 + 0.2, 0, 0.2));  // not a square
  EXPECT_FALSE(down(scene, -0.5));
}

TEST(RayScene, TheNearestIsMetFirst) {
  RayScene scene({0, 0, 0}, 2);
  const int balls =
      scene.add(std::vector<Speck>{{{0, 0, 1}, 0.1f}, {{0, 0, 2}, 0.1f}, {{0.6, 0, -1}, 0.1f}}, {});
  const int water = scene.add(box_mesh({-1, -1, -0.5}, {1, 1, 0}).mesh, {}, {});
  scene.finish();
  const auto front = down(scene, 0), hidden = down(scene, 0.6);
  ASSERT_TRUE(front && hidden);
  EXPECT_EQ(front->object, balls);
  EXPECT_EQ(front->part, 1u);
  EXPECT_NEAR(front->distance, 2.9, 1e-3);
  EXPECT_EQ(hidden->object, water);  // the speck is under the water
  EXPECT_NEAR(hidden->distance, 5, 1e-3);
  EXPECT_FALSE(scene.first({{0, 0, 5}, {0, 0, -1}}, 2.5, 0)) << "beyond the end of the ray";
}

// From where the shutter opens to where it closes, in between half-way.
TEST(RayScene, SpecksMoveWhileTheShutterIsOpen) {
  const RayScene scene = specks({{{0, 0, 1}, 0.1f, {4, 0, 0}}}, {-0.1, 0.1});
  for (const float time : {0.f, 0.5f, 1.f}) {
    const double x = 4 * (double(time) - 0.5) * 0.2;
    EXPECT_TRUE(down(scene, x, time)) << time;
    EXPECT_FALSE(down(scene, x + 0.15, time)) << time;
    EXPECT_FALSE(down(scene, x - 0.15, time)) << time;
  }
}

}  // namespace
}  // namespace whorl
