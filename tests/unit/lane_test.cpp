// A lane does to each of its eight cells what the scalar overloads do to one, bit for bit.
#include "exec/lane.h"
#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace whorl {
namespace {

constexpr int rounds = 500;

template <class T>
using Row = std::array<T, lane_width>;

// Both signs, and often a small whole number, so that comparisons meet ties and zeros.
template <class T>
Row<T> random_row(Rng& rng) {
  Row<T> row;
  for (T& x : row)
    x = rng.bits() % 2 ? T(int(rng.bits() % 7) - 3)
                       : T(rng.uniform(-1e4f, 1e4f) * (1 + 1e-9 * rng.uniform()));
  return row;
}

template <class T>
Row<T> without_zeros(Row<T> row) {
  std::replace(row.begin(), row.end(), T(0), T(3));
  return row;
}

template <class T>
auto raw(T x) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(x);
}

template <class T, class F>
void expect_elements(const Lane<T>& lane, const F& expected) {
  for (int k = 0; k < lane_width; ++k) {
    const T wanted = expected(std::size_t(k));
    EXPECT_EQ(raw(lane[k]), raw(wanted)) << "element " << k << " is " << lane[k] << ", not " << wanted;
  }
}

template <class T, class F>
void expect_mask(const LaneMask<T>& mask, const F& expected) {
  for (int k = 0; k < lane_width; ++k) EXPECT_EQ(mask[k], expected(std::size_t(k))) << "element " << k;
}

// check(x, y, lane of x, lane of y) on many rows.
template <class T, class F>
void for_random_rows(const F& check) {
  Rng rng(1, sizeof(T));
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    const Row<T> x = random_row<T>(rng), y = random_row<T>(rng);
    check(x, y, Lane<T>::load(x.data()), Lane<T>::load(y.data()));
  }
}

template <class T>
class LaneOf : public testing::Test {};
using Elements = testing::Types<float, double, int>;
TYPED_TEST_SUITE(LaneOf, Elements);

TYPED_TEST(LaneOf, LoadsAndStoresAtAnyElementAndNothingBeyond) {
  using T = TypeParam;
  std::vector<T> from(16), to(16);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = T(i + 1);
  for (std::size_t offset = 0; offset <= 8; ++offset) {
    const auto lane = Lane<T>::load(&from[offset]);
    expect_elements(lane, [&](std::size_t k) { return from[offset + k]; });
    std::fill(to.begin(), to.end(), T(-1));
    lane.store(&to[offset]);
    for (std::size_t i = 0; i < to.size(); ++i)
      EXPECT_EQ(to[i], i >= offset && i < offset + 8 ? from[i] : T(-1))
          << "offset " << offset << ", element " << i;
  }
}

TYPED_TEST(LaneOf, BroadcastsAndCounts) {
  using T = TypeParam;
  expect_elements(Lane<T>(T(-7)), [](std::size_t) { return T(-7); });
  expect_elements(Lane<T>::iota(), [](std::size_t k) { return T(k); });
}

TYPED_TEST(LaneOf, SetChangesOneElement) {
  using T = TypeParam;
  for (int i = 0; i < lane_width; ++i) {
    auto lane = Lane<T>::iota();
    lane.set(i, T(50));
    expect_elements(lane, [&](std::size_t k) { return int(k) == i ? T(50) : T(k); });
  }
}

TYPED_TEST(LaneOf, ArithmeticIsTheScalars) {
  using T = TypeParam;
  for_random_rows<T>([](const Row<T>& x, const Row<T>& y, Lane<T> lx, Lane<T> ly) {
    expect_elements(lx + ly, [&](std::size_t k) { return x[k] + y[k]; });
    expect_elements(lx - ly, [&](std::size_t k) { return x[k] - y[k]; });
    expect_elements(lx * ly, [&](std::size_t k) { return x[k] * y[k]; });
    expect_elements(-lx, [&](std::size_t k) { return -x[k]; });
    const Row<T> d = without_zeros(y);
    expect_elements(lx / Lane<T>::load(d.data()), [&](std::size_t k) { return x[k] / d[k]; });
  });
}

TYPED_TEST(LaneOf, CompoundAssignmentIsTheScalars) {
  using T = TypeParam;
  for_random_rows<T>([](const Row<T>& x, const Row<T>& y, Lane<T> lx, Lane<T> ly) {
    Lane<T> sum = lx, difference = lx, product = lx;
    expect_elements(sum += ly, [&](std::size_t k) { return x[k] + y[k]; });
    expect_elements(difference -= ly, [&](std::size_t k) { return x[k] - y[k]; });
    expect_elements(product *= ly, [&](std::size_t k) { return x[k] * y[k]; });
    expect_elements(sum, [&](std::size_t k) { return x[k] + y[k]; });
    expect_elements(difference, [&](std::size_t k) { return x[k] - y[k]; });
    expect_elements(product, [&](std::size_t k) { return x[k] * y[k]; });
  });
}

TYPED_TEST(LaneOf, ComparisonsAreTheScalars) {
  using T = TypeParam;
  int ties = 0;
  for_random_rows<T>([&](const Row<T>& x, const Row<T>& y, Lane<T> lx, Lane<T> ly) {
    expect_mask(lx < ly, [&](std::size_t k) { return x[k] < y[k]; });
    expect_mask(lx > ly, [&](std::size_t k) { return x[k] > y[k]; });
    expect_mask(lx <= ly, [&](std::size_t k) { return x[k] <= y[k]; });
    expect_mask(lx >= ly, [&](std::size_t k) { return x[k] >= y[k]; });
    expect_mask(lx == ly, [&](std::size_t k) { return x[k] == y[k]; });
    for (std::size_t k = 0; k < lane_width; ++k) ties += x[k] == y[k];
  });
  EXPECT_GT(ties, 100);
}

TYPED_TEST(LaneOf, SelectMinMaxAbsAreTheScalars) {
  using T = TypeParam;
  for_random_rows<T>([](const Row<T>& x, const Row<T>& y, Lane<T> lx, Lane<T> ly) {
    expect_elements(select(lx < ly, ly, lx), [&](std::size_t k) { return select(x[k] < y[k], y[k], x[k]); });
    expect_elements(max(lx, ly), [&](std::size_t k) { return max(x[k], y[k]); });
    expect_elements(min(lx, ly), [&](std::size_t k) { return min(x[k], y[k]); });
    expect_elements(abs(lx), [&](std::size_t k) { return abs(x[k]); });
  });
}

TYPED_TEST(LaneOf, MasksCombineCellByCell) {
  using T = TypeParam;
  for (unsigned x = 0; x < 256; ++x)
    for (const unsigned y : {0u, 0xffu, 0x0fu, 0xaau, 0x5cu}) {
      const auto mx = Lane<T>::mask_from_bits(x), my = Lane<T>::mask_from_bits(y);
      EXPECT_EQ(bits(mx & my), x & y);
      EXPECT_EQ(bits(mx | my), x | y);
      EXPECT_EQ(bits(!mx), ~x & 0xffu);
    }
}

TYPED_TEST(LaneOf, MaskBitsGoRoundForAllValues) {
  using T = TypeParam;
  for (unsigned b = 0; b < 256; ++b) {
    const auto mask = Lane<T>::mask_from_bits(b);
    EXPECT_EQ(bits(mask), b);
    expect_mask(mask, [&](std::size_t k) { return (b >> k & 1) != 0; });
    EXPECT_EQ(bits(mask_of<Lane<T>>(b)), b);
    EXPECT_EQ(any(mask), b != 0);
    EXPECT_EQ(all(mask), b == 0xff);
    EXPECT_EQ(bits(Lane<T>::mask_from_bits(b | 0xabcd00)), b) << "only the eight low bits count";
    expect_elements(select(mask, Lane<T>(T(1)), Lane<T>(T(2))),
                    [&](std::size_t k) { return b >> k & 1 ? T(1) : T(2); });
  }
}

TYPED_TEST(LaneOf, ShiftsBringInTheCarry) {
  using T = TypeParam;
  for_random_rows<T>([](const Row<T>& x, const Row<T>& y, Lane<T> lx, Lane<T>) {
    expect_elements(shift_in_low(lx, y[0]), [&](std::size_t k) { return k == 0 ? y[0] : x[k - 1]; });
    expect_elements(shift_in_high(lx, y[0]), [&](std::size_t k) { return k == 7 ? y[0] : x[k + 1]; });
  });
}

TYPED_TEST(LaneOf, SumHasOneFixedOrder) {
  using T = TypeParam;
  int order_matters = 0;
  for_random_rows<T>([&](const Row<T>& x, const Row<T>&, Lane<T> lx, Lane<T>) {
    const T pairs = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
    EXPECT_EQ(raw(sum(lx)), raw(pairs));
    T one_by_one = x[0];
    for (std::size_t k = 1; k < 8; ++k) one_by_one += x[k];
    order_matters += one_by_one != pairs;
  });
  EXPECT_GE(order_matters, std::is_floating_point_v<T> ? 10 : 0);
}

TYPED_TEST(LaneOf, ExtremesAreFoundAtEveryPlace) {
  using T = TypeParam;
  for_random_rows<T>([](const Row<T>& x, const Row<T>&, Lane<T> lx, Lane<T>) {
    EXPECT_EQ(max_element(lx), *std::max_element(x.begin(), x.end()));
    EXPECT_EQ(min_element(lx), *std::min_element(x.begin(), x.end()));
  });
  for (int i = 0; i < lane_width; ++i) {
    Lane<T> lane(T(0));
    lane.set(i, T(4));
    EXPECT_EQ(max_element(lane), T(4));
    lane.set(i, T(-4));
    EXPECT_EQ(min_element(lane), T(-4));
  }
}

TYPED_TEST(LaneOf, GathersFromBothSidesOfTheBase) {
  using T = TypeParam;
  constexpr int half = 300;
  Rng rng(2, sizeof(T));
  std::vector<T> table(2 * half);
  for (T& x : table) x = T(rng.uniform(-1e6f, 1e6f));
  const T* base = table.data() + half;
  for (int round = 0; round < rounds; ++round) {
    Row<int> index;
    for (int& i : index) i = int(rng.bits() % (2 * half - 1)) - half;
    index[rng.bits() % 8] = -half;
    index[rng.bits() % 8] = half - 2;  // its pair ends with the table
    const auto lane = Lane<int>::load(index.data());
    expect_elements(gather(base, lane), [&](std::size_t k) { return gather(base, index[k]); });
    expect_elements(gather(base, lane), [&](std::size_t k) { return base[index[k]]; });
    Lane<T> first, second;
    gather_pair(base, lane, first, second);
    expect_elements(first, [&](std::size_t k) { return base[index[k]]; });
    expect_elements(second, [&](std::size_t k) { return base[index[k] + 1]; });
    T one, other;
    gather_pair(base, index[0], one, other);
    EXPECT_EQ(one, base[index[0]]);
    EXPECT_EQ(other, base[index[0] + 1]);
  }
}

TYPED_TEST(LaneOf, ReadsAndWritesAsManyElementsAsTheNumberHas) {
  using T = TypeParam;
  const Row<T> from = {T(1), T(2), T(3), T(4), T(5), T(6), T(7), T(8)};
  EXPECT_EQ(read<T>(&from[2]), from[2]);
  expect_elements(read<Lane<T>>(from.data()), [&](std::size_t k) { return from[k]; });

  Row<T> to{};
  write(&to[3], T(9));
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(to[k], k == 3 ? T(9) : T(0));
  write(to.data(), read<Lane<T>>(from.data()));
  EXPECT_EQ(to, from);
}

TYPED_TEST(LaneOf, IsPutTogetherFromElementsAndTakenApart) {
  using T = TypeParam;
  static_assert(LaneTraits<T>::width == 1 && LaneTraits<Lane<T>>::width == lane_width);
  static_assert(std::is_same_v<typename LaneTraits<T>::Element, T>);
  static_assert(std::is_same_v<typename LaneTraits<Lane<T>>::Element, T>);
  const auto f = [](int k) { return T(10 * k - 5); };
  EXPECT_EQ(from_elements<T>(f), f(0));
  const auto lane = from_elements<Lane<T>>(f);
  expect_elements(lane, [&](std::size_t k) { return f(int(k)); });
  for (int k = 0; k < lane_width; ++k) EXPECT_EQ(element(lane, k), f(k));
  EXPECT_EQ(element(T(6), 0), T(6));
  EXPECT_EQ(row_steps<T>(), T(0));
  expect_elements(row_steps<Lane<T>>(), [](std::size_t k) { return T(k); });
}

template <class To, class From>
void expect_conversion() {
  Rng rng(3, sizeof(From) * 16 + sizeof(To));
  for (int round = 0; round < rounds; ++round) {
    Row<From> x;
    // Up to 2^29: an int has more bits than a float keeps, a double more than either.
    for (From& e : x) e = From(rng.uniform(-1.f, 1.f) * std::exp2(double(rng.bits() % 30)) * (1 + 1e-9));
    const auto lane = convert<Lane<To>>(Lane<From>::load(x.data()));
    static_assert(std::is_same_v<decltype(lane), const Lane<To>>);
    expect_elements(lane, [&](std::size_t k) { return static_cast<To>(x[k]); });
    expect_elements(lane, [&](std::size_t k) { return convert<To>(x[k]); });
  }
}

TYPED_TEST(LaneOf, ConvertsAsACastDoes) {
  expect_conversion<float, TypeParam>();
  expect_conversion<double, TypeParam>();
  expect_conversion<int, TypeParam>();
}

template <class T>
class RealLaneOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(RealLaneOf, Reals);

TYPED_TEST(RealLaneOf, NanInTheFirstArgumentGivesTheSecond) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(max(nan, T(2)), T(2));
  EXPECT_EQ(min(nan, T(2)), T(2));
  EXPECT_TRUE(std::isnan(max(T(2), nan)));
  EXPECT_TRUE(std::isnan(min(T(2), nan)));
  for (int i = 0; i < lane_width; ++i) {
    auto broken = Lane<T>::iota();
    broken.set(i, nan);
    const Lane<T> whole(T(3));
    expect_elements(max(broken, whole), [&](std::size_t k) { return int(k) == i ? T(3) : max(T(k), T(3)); });
    expect_elements(min(broken, whole), [&](std::size_t k) { return int(k) == i ? T(3) : min(T(k), T(3)); });
    EXPECT_TRUE(std::isnan(max(whole, broken)[i]));
    EXPECT_TRUE(std::isnan(min(whole, broken)[i]));
    EXPECT_EQ(bits(broken == broken), 0xffu & ~(1u << i));
  }
}

TYPED_TEST(RealLaneOf, SignedZerosGoTheScalarsWay) {
  using T = TypeParam;
  const T minus = -T(0), plus = T(0);
  EXPECT_EQ(raw((-Lane<T>(plus))[0]), raw(minus));
  EXPECT_EQ(raw(abs(Lane<T>(minus))[0]), raw(abs(minus)));
  EXPECT_EQ(raw(max(Lane<T>(minus), Lane<T>(plus))[0]), raw(max(minus, plus)));
  EXPECT_EQ(raw(min(Lane<T>(plus), Lane<T>(minus))[0]), raw(min(plus, minus)));
}

TEST(Lane, TruncatesAndFloorsOnBothSidesOfZero) {
  const Row<float> edges = {-2.f, -1.5f, -1.f, -0.25f, -0.f, 0.75f, 1.f, 8388607.5f};
  const Row<int> toward_zero = {-2, -1, -1, 0, 0, 0, 1, 8388607};
  const Row<float> down = {-2.f, -2.f, -1.f, -1.f, -0.f, 0.f, 1.f, 8388607.f};
  const auto lane = Lane<float>::load(edges.data());
  expect_elements(truncate(lane), [&](std::size_t k) { return toward_zero[k]; });
  expect_elements(floor(lane), [&](std::size_t k) { return down[k]; });
  for_random_rows<float>([](const Row<float>& x, const Row<float>&, Lane<float> lx, Lane<float>) {
    expect_elements(truncate(lx), [&](std::size_t k) { return truncate(x[k]); });
    expect_elements(truncate(lx), [&](std::size_t k) { return int(std::trunc(x[k])); });
    expect_elements(floor(lx), [&](std::size_t k) { return floor(x[k]); });
    expect_elements(floor(lx), [&](std::size_t k) { return std::floor(x[k]); });
    expect_elements(to_float(truncate(lx)), [&](std::size_t k) { return to_float(truncate(x[k])); });
  });
}

// A point may be anywhere: what is clamped to a brick afterwards must still be on its own side of it.
TEST(Lane, FloorsWhatNoIntHolds) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Row<float> x = {3e9f, -3e9f, 1e30f, -1e30f, inf, -inf, nan, 2147483648.f};
  const auto lane = floor(Lane<float>::load(x.data()));
  for (int k = 0; k < lane_width; ++k) {
    const float scalar = floor(x[std::size_t(k)]);
    EXPECT_TRUE(lane[k] == scalar || (std::isnan(lane[k]) && std::isnan(scalar)))
        << lane[k] << ", not " << scalar;
  }
}

TEST(ScalarOps, AreWhatTheStandardLibrarySays) {
  Rng rng(4, 0);
  for (int round = 0; round < rounds; ++round) {
    const float x = rng.uniform(-9.f, 9.f), y = rng.uniform(-9.f, 9.f);
    EXPECT_EQ(max(x, y), std::max(x, y));
    EXPECT_EQ(min(x, y), std::min(x, y));
    EXPECT_EQ(abs(x), std::fabs(x));
    EXPECT_EQ(select(x < y, x, y), std::min(x, y));
  }
  EXPECT_EQ(max(3, -3), 3);
  EXPECT_EQ(min(3, -3), -3);
  EXPECT_EQ(abs(-3), 3);
}

TEST(ScalarOps, MaskOfLooksAtTheLowestBit) {
  for (unsigned b = 0; b < 8; ++b) {
    EXPECT_EQ(mask_of<float>(b), b % 2 == 1);
    EXPECT_EQ(any(mask_of<float>(b)), b % 2 == 1);
    EXPECT_EQ(all(mask_of<double>(b)), b % 2 == 1);
  }
}

}  // namespace
}  // namespace whorl
