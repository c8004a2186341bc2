// The ground floor: vectors, boxes, random numbers, checks, errors, the clock and the log.
#include "base/box.h"
#include "base/check.h"
#include "base/log.h"
#include "base/profile.h"
#include "base/rng.h"
#include "base/vec.h"
#include "whorl/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace whorl {
namespace {

// ---- vectors and boxes

TEST(Vec, AddsSubtractsAndScalesEachComponent) {
  const Vec<float, 3> x{1, 2, 3}, y{10, -20, 30};
  EXPECT_EQ(x + y, (Vec<float, 3>{11, -18, 33}));
  EXPECT_EQ(x - y, (Vec<float, 3>{-9, 22, -27}));
  EXPECT_EQ(x * 2.f, (Vec<float, 3>{2, 4, 6}));
  EXPECT_EQ((Vec<int, 2>::filled(4)), (Vec<int, 2>{4, 4}));
  EXPECT_EQ((Vec<int, 3>::unit(1)), (Vec<int, 3>{0, 1, 0}));
  EXPECT_EQ((Vec<int, 2>::unit(1, -5)), (Vec<int, 2>{0, -5}));
}

TEST(Vec, IsEqualInAllComponentsOrNotAtAll) {
  const Coord<3> x{1, 2, 3};
  for (int a = 0; a < 3; ++a) EXPECT_FALSE(x == x + Coord<3>::unit(a)) << "axis " << a;
  EXPECT_TRUE(x == Coord<3>(x));
}

TEST(Vec, OrdersByTheFirstAxisThatDiffers) {
  EXPECT_LT((Coord<3>{0, 9, 9}), (Coord<3>{1, 0, 0}));
  EXPECT_LT((Coord<3>{1, 0, 9}), (Coord<3>{1, 1, 0}));
  EXPECT_LT((Coord<3>{1, 1, -1}), (Coord<3>{1, 1, 0}));
  EXPECT_FALSE((Coord<3>{1, 1, 1}) < (Coord<3>{1, 1, 1}));
  EXPECT_FALSE((Coord<3>{1, 0, 0}) < (Coord<3>{0, 9, 9}));
}

TEST(Vec, PrintsItsComponents) { EXPECT_EQ(concat(Coord<3>{1, -2, 3}, Coord<2>{4, 5}), "(1, -2, 3)(4, 5)"); }

TEST(Vec, IntegerPower) {
  static_assert(ipow<0>(8) == 1 && ipow<1>(8) == 8 && ipow<2>(8) == 64 && ipow<3>(8) == 512 &&
                ipow<3>(-2) == -8);
}

TEST(Box, HoldsItsLowEndAndNotItsHighEnd) {
  const Box<2> box{{-1, 2}, {3, 4}};
  EXPECT_TRUE(box.contains(Coord<2>{-1, 2}));
  EXPECT_TRUE(box.contains(Coord<2>{2, 3}));
  EXPECT_FALSE(box.contains(Coord<2>{3, 3}));
  EXPECT_FALSE(box.contains(Coord<2>{2, 4}));
  EXPECT_FALSE(box.contains(Coord<2>{-2, 2}));
  EXPECT_TRUE(box.contains(box));
  EXPECT_TRUE(box.contains(Box<2>{{0, 2}, {3, 3}}));
  EXPECT_FALSE(box.contains(Box<2>{{0, 2}, {4, 3}}));
  EXPECT_FALSE(box.contains(Box<2>{{0, 1}, {3, 3}}));
}

TEST(Box, VolumeAndEmptiness) {
  EXPECT_EQ((Box<3>{{0, 0, 0}, {2, 3, 4}}.volume()), 24);
  EXPECT_EQ((Box<3>{{0, 0, 0}, {1 << 20, 1 << 20, 1 << 20}}.volume()), std::int64_t(1) << 60);
  EXPECT_EQ((Box<2>{{-(1 << 30), 0}, {1 << 30, 1}}.volume()), std::int64_t(1) << 31);
  const Box<2> flat{{0, 5}, {9, 5}}, inverted{{3, 3}, {1, 1}};
  for (const auto& box : {flat, inverted}) {
    EXPECT_TRUE(box.empty());
    EXPECT_EQ(box.volume(), 0);
  }
  EXPECT_FALSE((Box<2>{{0, 0}, {1, 1}}.empty()));
}

TEST(Box, IntersectionIsWhatBothHold) {
  const Box<2> a{{0, 0}, {10, 10}}, b{{5, -3}, {12, 4}};
  const Box<2> both = a.intersect(b);
  for_each_coord(Box<2>{{-5, -5}, {15, 15}}, [&](const Coord<2>& c) {
    EXPECT_EQ(both.contains(c), a.contains(c) && b.contains(c)) << c;
  });
  EXPECT_TRUE((a.intersect(Box<2>{{10, 0}, {12, 4}}).empty()));
}

TEST(Box, IsVisitedWithTheLastAxisFastest) {
  const Box<3> box{{-1, 2, 5}, {1, 4, 8}};
  std::vector<Coord<3>> visited, expected;
  for (int i = -1; i < 1; ++i)
    for (int j = 2; j < 4; ++j)
      for (int k = 5; k < 8; ++k) expected.push_back({i, j, k});
  for_each_coord(box, [&](const Coord<3>& c) { visited.push_back(c); });
  EXPECT_EQ(visited, expected);
  for_each_coord(Box<3>{{0, 0, 0}, {4, 0, 4}},
                 [](const Coord<3>&) { FAIL() << "an empty box has no cells"; });
}

// ---- random numbers

TEST(Rng, TheKeyGivesTheSequence) {
  Rng first(7, 8, 9), again(7, 8, 9);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = first.bits();
    EXPECT_EQ(again.bits(), bits);
    seen.insert(bits);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

// Files and tests hang on these bits: a change of generator must be meant.
TEST(Rng, IsSplitMix64) {
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ull), 0xe220a8397b1dcdafull);  // first output of SplitMix64 seeded with 0
  EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ull), 0x6e789e6aa1b965f4ull);
}

TEST(Rng, EachPartOfTheKeyCounts) {
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t id = 0; id < 20; ++id)
      for (std::uint64_t step = 0; step < 20; ++step) first_draws.insert(Rng(seed, id, step).bits());
  EXPECT_EQ(first_draws.size(), 8000u);
  EXPECT_NE(mix64(1, 2), mix64(2, 1));
}

TEST(Rng, UniformHasTheMomentsOfTheUnitInterval) {
  constexpr int n = 1'000'000;
  Rng rng(1, 2, 3);
  double sum = 0, sum_of_squares = 0;
  float least = 1, most = 0;
  for (int i = 0; i < n; ++i) {
    const float u = rng.uniform();
    sum += u;
    sum_of_squares += double(u) * u;
    least = std::min(least, u);
    most = std::max(most, u);
  }
  const double mean = sum / n, variance = sum_of_squares / n - mean * mean;
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1. / 12 / n));  // five standard deviations of the estimate
  EXPECT_NEAR(variance, 1. / 12, 5 * std::sqrt(1. / 180 / n));
  EXPECT_GE(least, 0.f);
  EXPECT_LT(least, 1e-4f);
  EXPECT_LT(most, 1.f);
  EXPECT_GT(most, 1 - 1e-4f);
}

TEST(Rng, UniformBetweenBoundsFillsThem) {
  Rng rng(4, 5);
  double sum = 0;
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) {
    const float x = rng.uniform(-3.f, 7.f);
    ASSERT_GE(x, -3.f);
    ASSERT_LE(x, 7.f);
    sum += x;
  }
  EXPECT_NEAR(sum / n, 2, 5 * 10 * std::sqrt(1. / 12 / n));
}

TEST(Rng, EveryBitIsSetHalfTheTime) {
  constexpr int n = 100'000;
  Rng rng(6, 7);
  std::vector<int> ones(64, 0);
  for (int i = 0; i < n; ++i) {
    const std::uint64_t bits = rng.bits();
    for (int b = 0; b < 64; ++b) ones[std::size_t(b)] += int(bits >> b & 1);
  }
  for (int b = 0; b < 64; ++b) EXPECT_NEAR(ones[std::size_t(b)], n / 2, 5 * std::sqrt(n / 4.)) << "bit " << b;
}

// Correlation of two kinds of draws over many keys; near normal with deviation 1/√n if independent.
template <class X, class Y>
void expect_uncorrelated(const X& x, const Y& y) {
  constexpr int n = 100'000;
  double xy = 0;
  for (int i = 0; i < n; ++i) xy += (double(x(std::uint64_t(i))) - 0.5) * (double(y(std::uint64_t(i))) - 0.5);
  EXPECT_LT(std::abs(12 * xy / n), 5 / std::sqrt(n));
}

float draw(Rng rng, int which) {
  for (int i = 0; i < which; ++i) rng.bits();
  return rng.uniform();
}

TEST(Rng, NeighbouringIdsStepsAndSeedsAreUncorrelated) {
  const auto by_id = [](int which) { return [which](std::uint64_t i) { return draw(Rng(1, i, 4), which); }; };
  const auto next_id = [](int which) {
    return [which](std::uint64_t i) { return draw(Rng(1, i + 1, 4), which); };
  };
  const auto by_step = [](int which) {
    return [which](std::uint64_t i) { return draw(Rng(1, 4, i), which); };
  };
  const auto next_step = [](int which) {
    return [which](std::uint64_t i) { return draw(Rng(1, 4, i + 1), which); };
  };
  const auto by_seed = [](std::uint64_t i) { return draw(Rng(i, 1, 4), 0); };
  const auto next_seed = [](std::uint64_t i) { return draw(Rng(i + 1, 1, 4), 0); };
  expect_uncorrelated(by_id(0), by_id(1));
  for (const int lag : {0, 1, 2}) {  // streams that run into one another would show at a lag
    expect_uncorrelated(by_id(0), next_id(lag));
    expect_uncorrelated(by_id(lag), next_id(0));
    expect_uncorrelated(by_step(0), next_step(lag));
    expect_uncorrelated(by_step(lag), next_step(0));
  }
  expect_uncorrelated(by_seed, next_seed);
  expect_uncorrelated(by_id(0), by_step(0));
}

// ---- checks and errors

TEST(Check, ConcatJoinsAnything) {
  EXPECT_EQ(concat("tile ", 7, " of ", 9u, ' ', 1.5, std::string("x")), "tile 7 of 9 1.5x");
  EXPECT_EQ(concat(), "");
}

TEST(Check, LooksOnceAndBuildsItsMessageOnFailureAlone) {
  int looks = 0, messages = 0;
  const auto message = [&] { return ++messages; };
  CHECK(++looks == 1, "message ", message());
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(messages, 0);
}

TEST(CheckDeathTest, NamesThePlaceTheExpressionAndTheValues) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const int tiles = 7;
  EXPECT_DEATH(CHECK(tiles == 9, "tile ", tiles, " of ", 9),
               "internal error at .*base_test\\.cpp:[0-9]+: tiles == 9 does not hold: tile 7 of 9\n");
  EXPECT_DEATH(CHECK(tiles < 0), "tiles < 0 does not hold\n");
}

TEST(Result, IsAValueOrAnError) {
  const Result<int> good = 5, bad = Error{ErrorCode::diverged, "no"};
  ASSERT_TRUE(good);
  EXPECT_EQ(good.value(), 5);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::diverged);
  EXPECT_EQ(bad.error().message, "no");

  // Even where the value could itself be taken for an error.
  const Result<std::string> text = std::string("fine");
  ASSERT_TRUE(text);
  EXPECT_EQ(text.value(), "fine");
}

TEST(Result, HandsItsValueOver) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  *result.value() += 1;
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 4);
}

TEST(Result, OfNothingIsGoodUnlessTold) {
  const Result<void> good, bad = Error{ErrorCode::resources, "disk full"};
  EXPECT_TRUE(good);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::resources);
  EXPECT_EQ(bad.error().message, "disk full");
}

TEST(Error, CodesAreTheExitStatus) {
  EXPECT_EQ(int(ErrorCode::internal), 1);
  EXPECT_EQ(int(ErrorCode::usage), 2);
  EXPECT_EQ(int(ErrorCode::invalid_scene), 3);
  EXPECT_EQ(int(ErrorCode::diverged), 4);
  EXPECT_EQ(int(ErrorCode::resources), 5);
  EXPECT_EQ(Error{}.code, ErrorCode::internal);
}

// ---- profile

void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

TEST(Profile, NestedZonesAreNamedByTheirPathInOrderOfEntry) {
  Profile profile;
  for (int round = 0; round < 3; ++round) {
    Zone step(profile, "step");
    { Zone advect(profile, "advect"); }
    {
      Zone project(profile, "project");
      for (int solve = 0; solve < 2; ++solve) Zone cg(profile, "cg");
    }
  }
  { Zone write(profile, "advect"); }  // at the top: another zone than step/advect

  struct Expected {
    const char* name;
    std::int64_t calls;
  };
  const Expected expected[] = {
      {"step", 3}, {"step/advect", 3}, {"step/project", 3}, {"step/project/cg", 6}, {"advect", 1}};
  ASSERT_EQ(profile.entries().size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(profile.entries()[i].name, expected[i].name);
    EXPECT_EQ(profile.entries()[i].calls, expected[i].calls) << expected[i].name;
  }
}

TEST(Profile, SecondsAddUp) {
  Profile profile;
  const auto before = std::chrono::steady_clock::now();
  for (int round = 0; round < 3; ++round) {
    Zone step(profile, "step");
    for (const char* name : {"a", "b", "a"}) {
      Zone child(profile, name);
      rest();
    }
  }
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  const double a = profile.seconds("step/a"), b = profile.seconds("step/b"), step = profile.seconds("step");
  EXPECT_GE(a, 6 * 0.002);
  EXPECT_GE(b, 3 * 0.002);
  EXPECT_GE(step, a + b);
  EXPECT_LE(step, elapsed);
  EXPECT_EQ(profile.seconds("a"), 0) << "a zone never entered";
}

TEST(Profile, ClearForgetsAllZones) {
  Profile profile;
  { Zone zone(profile, "zone"); }
  profile.clear();
  EXPECT_TRUE(profile.entries().empty());
  { Zone zone(profile, "zone"); }
  ASSERT_EQ(profile.entries().size(), 1u);
  EXPECT_EQ(profile.entries()[0].calls, 1);
}

TEST(ProfileDeathTest, IsNotClearedInsideAZone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Profile profile;
  Zone zone(profile, "step");
  EXPECT_DEATH(profile.clear(), "inside zone step");
}

// ---- log

struct Heard {
  LogLevel level;
  std::string message;
  bool operator==(const Heard&) const = default;
};

TEST(Log, TellsItsSinkWhatIsImportantEnough) {
  constexpr LogLevel levels[] = {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error};
  for (const LogLevel least : levels) {
    std::vector<Heard> heard, expected;
    const Log log(
        [&](LogLevel level, const std::string& message) {
          heard.push_back({level, message});
        },
        least);
    for (const LogLevel level : levels) {
      const std::string message = concat("message ", int(level));
      log(level, message);
      if (int(level) >= int(least)) expected.push_back({level, message});
    }
    EXPECT_TRUE(heard == expected) << "from level " << int(least);
  }
}

TEST(Log, ShortFormsHaveTheirLevels) {
  std::vector<Heard> heard;
  const Log log([&](LogLevel level, const std::string& message) { heard.push_back({level, message}); });
  log(LogLevel::debug, "not by default");
  log.info("i");
  log.warning("w");
  EXPECT_TRUE(heard == (std::vector<Heard>{{LogLevel::info, "i"}, {LogLevel::warning, "w"}}));
}

TEST(Log, GoesToStandardErrorByDefault) {
  testing::internal::CaptureStderr();
  const Log log;
  log(LogLevel::debug, "unheard");
  log.info("frame 1");
  log.warning("slow");
  log(LogLevel::error, "broken");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "whorl: frame 1\nwhorl: warning: slow\nwhorl: error: broken\n");
}

}  // namespace
}  // namespace whorl
