// The numbers of paths: spread evenly, and each pair by itself.
#include "render/sampler.h"

#include <gtest/gtest.h>

#include <set>

namespace whorl {
namespace {

TEST(Sampler, EveryPairIsSpreadEvenly) {
  for (const std::uint64_t pixel : {0u, 7u, 12345u})
    for (int pair = 0; pair < 8; ++pair)
      for (const int columns : {1, 2, 4, 8, 16}) {  // 16 boxes of any shape have one sample each
        std::set<int> boxes;
        for (std::uint32_t k = 0; k < 16; ++k) {
          Sampler sampler(3, pixel, k);
          Vec<float, 2> u{};
          for (int skip = 0; skip <= pair; ++skip) u = sampler.pair();
          ASSERT_TRUE(u[0] >= 0 && u[0] < 1 && u[1] >= 0 && u[1] < 1);
          boxes.insert(int(u[0] * float(columns)) * 16 + int(u[1] * float(16 / columns)));
        }
        EXPECT_EQ(boxes.size(), 16u) << "pixel " << pixel << ", pair " << pair << ", " << columns
                                     << " columns";
      }
}

// The second pair says nothing about the first, nor one pixel about the next.
TEST(Sampler, PairsAndPixelsAreIndependent) {
  constexpr int n = 1 << 12;
  double between_pairs = 0, between_pixels = 0;
  for (int k = 0; k < n; ++k) {
    Sampler one(0, std::uint64_t(k / 16), std::uint32_t(k % 16)),
        next(0, std::uint64_t(k / 16 + 1), std::uint32_t(k % 16));
    const float first = one.pair()[0] - 0.5f, second = one.pair()[0] - 0.5f, other = next.pair()[0] - 0.5f;
    between_pairs += double(first * second);
    between_pixels += double(first * other);
  }
  EXPECT_NEAR(between_pairs / n, 0, 0.006);  // a twelfth if they were the same
  EXPECT_NEAR(between_pixels / n, 0, 0.006);
}

}  // namespace
}  // namespace whorl
