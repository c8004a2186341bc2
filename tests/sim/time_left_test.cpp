#include "sim/time_left.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

TEST(TimeLeft, KnowsNothingBeforeTheFirstFrame) { EXPECT_FALSE(TimeLeft().seconds(10)); }

TEST(TimeLeft, OfEvenFramesIsTheirNumberTimesOne) {
  TimeLeft left;
  for (int k = 0; k < 30; ++k) left.frame_took(0.5);
  EXPECT_NEAR(*left.seconds(100), 50, 1e-9);
  EXPECT_NEAR(*left.seconds(0.5), 0.25, 1e-9);
  EXPECT_NEAR(*left.seconds(0), 0, 1e-9);
}

// Frame k takes k seconds: after 16 of 32, the rest takes 17 + … + 32 = 392, while 16 at the mean took 136.
TEST(TimeLeft, FollowsFramesThatGetSlower) {
  TimeLeft left;
  for (int k = 1; k <= 16; ++k) left.frame_took(k);
  EXPECT_NEAR(*left.seconds(16), 392, 1e-6);
  EXPECT_NEAR(*left.seconds(116), 392 + 100 * 32, 1e-6) << "and expects an end of it";
}

TEST(TimeLeft, ForgetsTheStart) {
  TimeLeft left;
  for (int k = 0; k < 100; ++k) left.frame_took(10);
  for (int k = 0; k < 16; ++k) left.frame_took(1);
  EXPECT_NEAR(*left.seconds(10), 10, 1e-9);
}

TEST(TimeLeft, IsNeverNegative) {
  TimeLeft left;
  for (int k = 0; k < 16; ++k) left.frame_took(k < 12 ? 10 : 0.1);
  EXPECT_GT(*left.seconds(100), 0);
}

}  // namespace
}  // namespace whorl
