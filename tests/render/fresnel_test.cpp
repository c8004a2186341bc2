// Light at clear surfaces against the exact laws.
#include "render/fresnel.h"

#include "render/medium.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

constexpr double water = 1.333, glass = 1.5;

TEST(Fresnel, ThrowsBackWhatTheEquationsSay) {
  EXPECT_NEAR(reflectance(1, 1 / water), 0.020373, 1e-6);
  EXPECT_NEAR(reflectance(1, 1 / glass), 0.04, 1e-6);
  EXPECT_NEAR(reflectance(1, glass), 0.04, 1e-6);
  EXPECT_FLOAT_EQ(reflectance(0, 1 / water), 1);
  EXPECT_NEAR(reflectance(0.3, 1), 0, 1e-12);
  // At Brewster's angle one polarisation has none, and the other ((n² - 1) / (n² + 1))².
  EXPECT_NEAR(reflectance(std::cos(std::atan(glass)), 1 / glass), 0.5 * std::pow(1.25 / 3.25, 2), 1e-6);
  // At 60 degrees, by tangents and sines of the angles.
  const double in = std::numbers::pi / 3, out = std::asin(std::sin(in) / water);
  const double across = std::sin(in - out) / std::sin(in + out),
               along = std::tan(in - out) / std::tan(in + out);
  EXPECT_NEAR(reflectance(std::cos(in), 1 / water), (across * across + along * along) / 2, 1e-6);
  EXPECT_NEAR(reflectance(std::cos(out), water), (across * across + along * along) / 2, 1e-6);
}

TEST(Fresnel, AllIsThrownBackBeyondTheCriticalAngle) {
  const double critical = std::asin(1 / water);
  EXPECT_LT(reflectance(std::cos(critical - 0.01), water), 0.8f);
  EXPECT_EQ(reflectance(std::cos(critical + 0.001), water), 1);
  const Point up = Point::unit(1);
  const auto rising = [](double angle) { return Point{std::sin(angle), std::cos(angle), 0}; };
  EXPECT_TRUE(bent(rising(critical - 0.001), up * -1., water));
  EXPECT_FALSE(bent(rising(critical + 0.001), up * -1., water));
}

TEST(Fresnel, BendsBySnell) {
  for (const double angle : {0., 0.3, 0.8, 1.5}) {
    const Point down{std::sin(angle), -std::cos(angle), 0};
    const std::optional<Point> in = bent(down, Point::unit(1), 1 / water);
    ASSERT_TRUE(in);
    EXPECT_NEAR((*in)[0], std::sin(angle) / water, 1e-12);
    EXPECT_NEAR(length(*in), 1, 1e-12);
    EXPECT_LT((*in)[1], 0);
    const Point back = mirrored(down, Point::unit(1));
    EXPECT_NEAR(back[0], down[0], 1e-12);
    EXPECT_NEAR(back[1], -down[1], 1e-12);
  }
}

// A ray into water, out of it, and where glass is in it.
TEST(ClearSurfaces, KnowWhatIsBehindThem) {
  LiquidWorld::Hit hit{.matter = Matter::water, .normal = Point::unit(1), .smooth = Point::unit(1)};
  const double angle = std::numbers::pi / 3;
  const Point down{std::sin(angle), -std::cos(angle), 0}, up{std::sin(angle), std::cos(angle), 0};
  const ClearSurface in(hit, down, {});
  EXPECT_TRUE(in.behind.in_water());
  EXPECT_FLOAT_EQ(in.back, reflectance(std::cos(angle), 1 / water));
  ASSERT_TRUE(in.through);
  EXPECT_NEAR((*in.through)[0], std::sin(angle) / water, 1e-12);
  const ClearSurface out(hit, up, {.water = 1});
  EXPECT_FALSE(out.behind.in_water());
  EXPECT_FALSE(out.through) << "60 degrees are beyond the critical angle";
  EXPECT_EQ(out.back, 1);
  // Glass wins where both are: the water's surface in it does nothing.
  const ClearSurface within(hit, down, {.glass = 1});
  EXPECT_EQ(within.back, 0);
  EXPECT_TRUE(within.through == down);
  hit.matter = Matter::glass;
  const ClearSurface wall(hit, down, {.water = 1});
  EXPECT_NEAR((*wall.through)[0], std::sin(angle) * water / glass, 1e-12);
  EXPECT_FALSE(wall.behind.in_water());
}

}  // namespace
}  // namespace whorl
