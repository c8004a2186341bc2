// What is odd about a scene's shapes.
#include "sim/odd_places.h"

#include "sim/scene_content.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

// In a box of one metre with 32 cells.
std::vector<std::string> found(const std::string& shapes) {
  const Result<SceneFile> scene = SceneFile::parse(R"(
solver = "liquid"
dimension = 3
[domain]
min = [0, 0, 0]
max = [1, 1, 1]
[grid]
resolution = 32
[[fill]]
name = "drop"
shape = { sphere = { center = [0.9, 0.9, 0.9], radius = 0.05 } }
)" + shapes,
                                                   "odd.toml");
  EXPECT_TRUE(scene) << scene.error().message;
  return odd_places(std::get<Scene<3>>(scene.value().content().config));
}

std::string bowl(double wall) {
  return R"(
[[solid]]
name = "bowl"
shape = { difference = [
  { cylinder = { center = [0.5, 0.3, 0.5], radius = )" +
         std::to_string(0.3 + wall) + R"(, height = 0.4 } },
  { cylinder = { center = [0.5, 0.4, 0.5], radius = 0.3, height = 0.4 } },
] }
)";
}

TEST(OddPlaces, WallsThinnerThanTwoCells) {
  const auto thin = found(bowl(1.5 / 32));
  ASSERT_EQ(thin.size(), 1u);
  EXPECT_NE(thin[0].find("solid \"bowl\": its wall is thinner than two cells (0.0625 m)"), std::string::npos)
      << thin[0];
  EXPECT_TRUE(found(bowl(2.2 / 32)).empty());
}

TEST(OddPlaces, NothingAboutThickSolids) {
  EXPECT_TRUE(found(R"(
[[solid]]
name = "block"
shape = { box = { min = [0.3, -1, 0.3], max = [0.5, 0.4, 0.6] } }
[[solid]]
name = "wedge"
shape = { intersection = [
  { box = { min = [0.6, 0.1, 0.1], max = [0.9, 0.4, 0.4] } },
  { plane = { point = [0.6, 0.1, 0.1], normal = [-1, 1, 0] } },
] }
[[solid]]
name = "ball"
shape = { sphere = { center = [0.7, 0.7, 0.7], radius = 0.1 } }
)")
                  .empty());
}

TEST(OddPlaces, SourcesAndFillsInsideOfSolids) {
  const std::string block = R"(
[[solid]]
name = "block"
shape = { box = { min = [0.3, 0.3, 0.3], max = [0.7, 0.7, 0.7] } }
)";
  const auto fill = [](double low) {
    return "[[fill]]\nname = \"pool\"\nshape = { box = { min = [0.4, " + std::to_string(low) +
           ", 0.4], max = [0.6, 0.6, 0.6] } }\n";
  };
  const auto inside = found(block + fill(0.4));
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_NE(inside[0].find("fill \"pool\" lies inside of a solid"), std::string::npos) << inside[0];
  EXPECT_TRUE(found(block + fill(0.1)).empty());
  const auto source = found(block + R"(
[[source]]
name = "tap"
shape = { sphere = { center = [0.5, 0.5, 0.5], radius = 0.1 } }
velocity = [0, -1, 0]
)");
  ASSERT_EQ(source.size(), 1u);
  EXPECT_NE(source[0].find("source \"tap\""), std::string::npos);
}

}  // namespace
}  // namespace whorl
