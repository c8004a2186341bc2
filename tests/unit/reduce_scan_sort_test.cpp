// The three parallel primitives: exact where arithmetic is, and the same bits on any threads.
#include "base/check.h"
#include "base/rng.h"
#include "exec/reduce.h"
#include "exec/scan.h"
#include "exec/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace whorl {
namespace {

constexpr std::int64_t chunk_edge = 1 << 14;  // where scan and sort cut their input

template <class F>
void on_every_exec(const F& test) {
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      SCOPED_TRACE(concat(to_string(backend), " on ", threads, " threads"));
      Exec ex({.threads = threads, .backend = backend});
      test(ex);
    }
}

// ---- reduce

// Large numbers of both signs that all but cancel: any other order of adding gives other bits.
std::vector<float> ill_conditioned(std::size_t n) {
  Rng rng(21, n);
  std::vector<float> x(n);
  for (float& e : x) e = rng.uniform(-1.f, 1.f) * std::exp2(float(rng.bits() % 40) - 20);
  return x;
}

float sum_of(const std::vector<float>& x, std::int64_t begin, std::int64_t end) {
  float total = 0;
  for (std::int64_t i = begin; i < end; ++i) total += x[std::size_t(i)];
  return total;
}

TEST(Reduce, FloatSumHasTheBitsOfTheSerialOneOnAnyThreads) {
  constexpr std::int64_t chunk = 1000;
  const std::vector<float> x = ill_conditioned(100'300);
  const std::int64_t n = std::int64_t(x.size());
  float serial = 0.5f, backward = 0.5f;
  for (std::int64_t begin = 0; begin < n; begin += chunk)
    serial += sum_of(x, begin, std::min(begin + chunk, n));
  for (std::int64_t begin = n / chunk * chunk; begin >= 0; begin -= chunk)
    backward += sum_of(x, begin, std::min(begin + chunk, n));
  ASSERT_NE(serial, backward) << "the data would not tell one order from another";

  on_every_exec([&](Exec& ex) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const float parallel = reduce(
          ex, n, chunk, 0.5f, [&](std::int64_t begin, std::int64_t end) { return sum_of(x, begin, end); },
          [](float a, float b) { return a + b; });
      EXPECT_EQ(std::bit_cast<std::uint32_t>(parallel), std::bit_cast<std::uint32_t>(serial));
    }
  });
}

TEST(Reduce, CombinesChunksInTheirOrder) {
  on_every_exec([](Exec& ex) {
    const auto trace = [&](std::int64_t n) {
      return reduce(
          ex, n, 4, std::string("init"),
          [](std::int64_t begin, std::int64_t end) { return concat(begin, "-", end); },
          [](const std::string& a, const std::string& b) { return a + " " + b; });
    };
    EXPECT_EQ(trace(0), "init");
    EXPECT_EQ(trace(1), "init 0-1");
    EXPECT_EQ(trace(4), "init 0-4");
    EXPECT_EQ(trace(13), "init 0-4 4-8 8-12 12-13");
  });
}

// ---- exclusive scan

TEST(ExclusiveScan, IsTheSerialOne) {
  constexpr std::int64_t e = chunk_edge;
  on_every_exec([](Exec& ex) {
    for (const std::int64_t n : {std::int64_t(0), std::int64_t(1), std::int64_t(2), e - 1, e, e + 1,
                                 2 * e - 1, 2 * e, 2 * e + 1, 20 * e + 77}) {
      SCOPED_TRACE(concat(n, " numbers"));
      Rng rng(22, std::uint64_t(n));
      std::vector<std::int64_t> in(std::size_t(n) + 1), expected(in.size()), out(in.size(), -1);
      for (auto& x : in) x = std::int64_t(rng.bits() % 2001) - 1000;
      std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::int64_t(0));
      const std::int64_t total = expected.back();

      EXPECT_EQ(exclusive_scan(ex, in.data(), out.data(), n), total);
      EXPECT_EQ(out.back(), -1) << "wrote beyond the end";
      expected.back() = -1;
      EXPECT_EQ(out, expected);

      const std::int64_t beyond = in.back();
      EXPECT_EQ(exclusive_scan(ex, in.data(), in.data(), n), total) << "in place";
      EXPECT_EQ(in.back(), beyond);
      expected.back() = beyond;
      EXPECT_EQ(in, expected) << "in place";
    }
  });
}

TEST(ExclusiveScan, OfFloatsHasTheSameBitsOnAnyThreads) {
  const std::vector<float> in = ill_conditioned(5 * chunk_edge + 3);
  std::vector<float> first;
  on_every_exec([&](Exec& ex) {
    std::vector<float> out(in.size());
    exclusive_scan(ex, in.data(), out.data(), std::int64_t(in.size()));
    if (first.empty()) first = out;
    EXPECT_TRUE(std::ranges::equal(out, first, {}, std::bit_cast<std::uint32_t, float>,
                                   std::bit_cast<std::uint32_t, float>));
  });
}

// ---- sort

using Key = std::function<std::uint64_t(Rng&)>;

void expect_stable_sort(Exec& ex, std::size_t n, const Key& key) {
  SCOPED_TRACE(concat(n, " keys"));
  struct Item {
    std::uint64_t key;
    std::uint32_t value;
    bool operator==(const Item&) const = default;
  };
  Rng rng(23, n);
  std::vector<Item> items(n);
  auto keys = ex.buffer<std::uint64_t>(n);
  auto values = ex.buffer<std::uint32_t>(n);
  for (std::size_t i = 0; i < n; ++i) {
    // Values that neither rise nor fall, all different: they tell equal keys apart.
    items[i] = {key(rng), std::uint32_t(i) * 2654435761u};
    keys[i] = items[i].key;
    values[i] = items[i].value;
  }
  std::ranges::stable_sort(items, {}, &Item::key);
  sort_by_key(ex, keys, values);
  ASSERT_EQ(keys.size(), n);
  ASSERT_EQ(values.size(), n);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ((Item{keys[i], values[i]}), items[i]) << "place " << i;
}

void expect_stable_sorts(const Key& key) {
  on_every_exec([&](Exec& ex) {
    for (const std::size_t n : {0, 1, 2, 3, 1000, (1 << 14) - 1, 1 << 14, (1 << 14) + 1, 100'000})
      expect_stable_sort(ex, n, key);
  });
}

TEST(SortByKey, SortsFullWidthKeys) {
  expect_stable_sorts([](Rng& rng) { return rng.bits(); });
}

TEST(SortByKey, KeepsTheOrderOfManyEqualKeys) {
  expect_stable_sorts([](Rng& rng) { return rng.bits() % 5 * 0x0101010101010101ull; });
}

TEST(SortByKey, LeavesAllEqualKeysAlone) {
  expect_stable_sorts([](Rng&) { return 0xfedcba9876543210ull; });
}

TEST(SortByKey, SortsKeysThatDifferInHighBytesOnly) {
  expect_stable_sorts([](Rng& rng) { return rng.bits() << 56 | 0x1234; });
  expect_stable_sorts([](Rng& rng) { return rng.bits() & 0xff00'ff00'0000'0000ull; });
}

TEST(SortByKey, SortsKeysThatDifferInEachByteAlone) {
  Exec ex({.threads = 2});
  for (int byte = 0; byte < 8; ++byte)
    expect_stable_sort(ex, 20'000, [&](Rng& rng) { return (rng.bits() & 0xff) << (8 * byte); });
}

TEST(SortByKey, SortsAlmostSortedKeys) {
  std::uint64_t last = 0;
  expect_stable_sorts([&](Rng& rng) { return last += rng.bits() % 3 - 1; });  // wraps below zero, too
}

TEST(SortByKey, SortsThreeHundredThousand) {
  on_every_exec([](Exec& ex) { expect_stable_sort(ex, 300'000, [](Rng& rng) { return rng.bits() >> 30; }); });
}

TEST(SortByKeyDeathTest, RefusesUnequalLengths) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Exec ex({.threads = 1});
  auto keys = ex.buffer<std::uint64_t>(3);
  auto values = ex.buffer<std::uint32_t>(4);
  EXPECT_DEATH(sort_by_key(ex, keys, values), "3 keys, 4 values");
}

}  // namespace
}  // namespace whorl
