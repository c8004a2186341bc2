// Angles, quaternions and matrices say the same turns.
#include "geometry/rotation.h"
#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

Angles<3> random_angles(std::uint64_t k) {
  return {double(Rng(1, k).uniform(-180, 180)), double(Rng(2, k).uniform(-180, 180)),
          double(Rng(3, k).uniform(-180, 180))};
}

TEST(Rotation, OfAnglesTurnsAboutXThenYThenZ) {
  for (std::uint64_t k = 0; k < 20; ++k) {
    const Angles<3> angles = random_angles(k);
    Vec<double, 3> x{0.3, -0.7, 1.1}, turned = x;
    for (int axis = 0; axis < 3; ++axis) {
      const double angle = angles[axis] * M_PI / 180;
      const int from = (axis + 1) % 3, to = (axis + 2) % 3;
      const double u = turned[from], v = turned[to];
      turned[from] = std::cos(angle) * u - std::sin(angle) * v;
      turned[to] = std::sin(angle) * u + std::cos(angle) * v;
    }
    const Rotation<3> r = rotation<3>(angles);
    EXPECT_NEAR(length(r.apply(x) - turned), 0, 1e-14);
    EXPECT_NEAR(length(r.apply_inverse(turned) - x), 0, 1e-14);
  }
}

TEST(Rotation, SlerpTurnsAboutOneAxisAtAnEvenPace) {
  for (std::uint64_t k = 0; k < 20; ++k) {
    const Quaternion from = quaternion<3>(random_angles(k)), to = quaternion<3>(random_angles(k + 100));
    const Vec<double, 3> whole = turn_between(from, to);
    EXPECT_LE(length(whole), M_PI + 1e-12);
    Quaternion last = from;
    for (int step = 1; step <= 8; ++step) {
      const Quaternion now = slerp(from, to, step / 8.);
      EXPECT_NEAR(length(turn_between(last, now) - whole * (1 / 8.)), 0, 1e-12);
      last = now;
    }
    EXPECT_NEAR(length(turn_between(last, to)), 0, 1e-7);
  }
}

TEST(Rotation, InThePlaneIsAboutZ) {
  const Rotation<2> r = rotation<2>(Angles<2>{30});
  EXPECT_NEAR(r.apply({1, 0})[0], std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(r.apply({1, 0})[1], 0.5, 1e-15);
  EXPECT_NEAR(turn_between(quaternion<2>(Angles<2>{10}), quaternion<2>(Angles<2>{50}))[2], 40 * M_PI / 180,
              1e-14);
}

}  // namespace
}  // namespace whorl
