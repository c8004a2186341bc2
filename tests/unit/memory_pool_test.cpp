// The memory that an Exec hands out: its pool, and buffers from it.
#include "exec/exec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

namespace whorl {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool pool_recycles = false;
#else
constexpr bool pool_recycles = true;
#endif

TEST(MemoryPool, AlignsToCacheLines) {
  MemoryPool pool;
  std::vector<void*> blocks;
  for (const std::size_t bytes :
       {0ul, 1ul, 63ul, 64ul, 65ul, 4097ul, (2ul << 20) - 1, 2ul << 20, (5ul << 20) + 3}) {
    void* block = pool.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u) << bytes << " bytes";
    std::memset(block, 7, bytes);
    blocks.push_back(block);
  }
  for (void* block : blocks) pool.release(block);
}

TEST(MemoryPool, RoundsUpByAnEighthAtMost) {
  for (std::size_t bytes = 1; bytes < (64ul << 20); bytes += bytes / 7 + 13) {
    MemoryPool pool;
    void* block = pool.allocate(bytes);
    EXPECT_GE(pool.bytes_in_use(), bytes);
    EXPECT_LE(pool.bytes_in_use(), std::max(bytes + 63, bytes + bytes / 8)) << bytes << " bytes";
    pool.release(block);
  }
}

TEST(MemoryPool, GivesTheSameBlockAgain) {
  MemoryPool pool;
  void* block = pool.allocate(990'000);
  pool.release(block);
  void* again = pool.allocate(1'000'000);  // a little more: still the same size of block
  if (pool_recycles) {
    EXPECT_EQ(again, block);
  }
  std::memset(again, 1, 1'000'000);
  void* other = pool.allocate(1'000'000);
  EXPECT_NE(other, again);
  pool.release(again);
  pool.release(other);
}

TEST(MemoryPool, GivesALargerBlockRatherThanANewOne) {
  if (!pool_recycles) GTEST_SKIP() << "the sanitizer is to see every block anew";
  MemoryPool pool;
  void* large = pool.allocate(1'400'000);
  const std::size_t size = pool.bytes_in_use();
  pool.release(large);
  void* small = pool.allocate(1'000'000);
  EXPECT_EQ(small, large);
  EXPECT_EQ(pool.bytes_in_use(), size);
  pool.release(small);
  void* tiny = pool.allocate(500'000);  // that would be a waste
  EXPECT_LT(pool.bytes_in_use(), 600'000u);
  pool.release(tiny);
  EXPECT_EQ(pool.bytes_in_use(), 0u);
}

TEST(MemoryPool, CountsWhatIsInUse) {
  MemoryPool pool;
  EXPECT_EQ(pool.bytes_in_use(), 0u);
  void* a = pool.allocate(1 << 20);
  EXPECT_EQ(pool.bytes_in_use(), 1u << 20);
  void* b = pool.allocate(1 << 16);
  EXPECT_EQ(pool.bytes_in_use(), (1u << 20) + (1u << 16));
  pool.release(a);
  EXPECT_EQ(pool.bytes_in_use(), 1u << 16);
  a = pool.allocate(1 << 20);
  EXPECT_EQ(pool.bytes_in_use(), (1u << 20) + (1u << 16));
  pool.release(b);
  pool.release(a);
  EXPECT_EQ(pool.bytes_in_use(), 0u);
}

TEST(MemoryPool, PeakIsTheMostEverHeld) {
  MemoryPool pool;
  EXPECT_EQ(pool.peak_bytes(), 0u);
  void* a = pool.allocate(4 << 20);
  void* b = pool.allocate(1 << 20);
  EXPECT_EQ(pool.peak_bytes(), 5u << 20);
  pool.release(b);
  b = pool.allocate(1 << 20);  // the cached one
  EXPECT_EQ(pool.peak_bytes(), 5u << 20);
  pool.release(b);
  void* c = pool.allocate(2 << 20);  // beside the cached one, which is small enough to keep
  EXPECT_EQ(pool.peak_bytes(), (pool_recycles ? 7u : 6u) << 20);
  pool.release(a);
  pool.release(c);
  EXPECT_EQ(pool.peak_bytes(), (pool_recycles ? 7u : 6u) << 20);
}

TEST(MemoryPool, DropsCachedBlocksWhenSizesMoveOn) {
  MemoryPool pool;
  pool.release(pool.allocate(8 << 20));
  pool.release(pool.allocate(1 << 20));
  EXPECT_EQ(pool.peak_bytes(), 8u << 20);

  for (int megabytes = 1; megabytes < 40; ++megabytes)
    pool.release(pool.allocate(std::size_t(megabytes) << 20));
  EXPECT_LE(pool.peak_bytes(), 60u << 20) << "what is cached besides does not pile up";
}

// Of what is too much, the blocks that were given back last are kept.
TEST(MemoryPool, DropsTheOldestCachedBlocksFirst) {
  if (!pool_recycles) GTEST_SKIP() << "the sanitizer is to see every block anew";
  MemoryPool pool;
  void* const blocks[] = {pool.allocate(4 << 20), pool.allocate(2 << 20), pool.allocate(8 << 20)};
  for (void* block : blocks) pool.release(block);
  // Half of what is in use may be cached besides: twelve of the fourteen.
  void* const large = pool.allocate(24 << 20);
  EXPECT_EQ(pool.peak_bytes(), (24u + 2 + 8) << 20);
  void* const again[] = {pool.allocate(2 << 20), pool.allocate(8 << 20)};
  EXPECT_EQ(again[0], blocks[1]);
  EXPECT_EQ(again[1], blocks[2]);
  for (void* block : again) pool.release(block);
  pool.release(large);
}

// A block that is a little larger than a huge page does not take two.
TEST(MemoryPool, TakesNoMoreThanItHasToHold) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers hold memory of their own for every byte";
#endif
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, here = 0;
    file >> all >> here;
    return here * 4096;
  };
  MemoryPool pool;
  constexpr std::size_t bytes = (2u << 20) + (64u << 10), count = 16;
  const std::size_t before = resident();
  std::vector<void*> blocks;
  for (std::size_t k = 0; k < count; ++k) std::memset(blocks.emplace_back(pool.allocate(bytes)), 1, bytes);
  EXPECT_GE(resident() - before, count * bytes);
  EXPECT_LE(resident() - before, count * bytes * 5 / 4);
  for (void* block : blocks) pool.release(block);
}

TEST(Buffer, GivesItsMemoryBack) {
  Exec ex({.threads = 1});
  {
    const Buffer<double> empty;
    EXPECT_EQ(empty.size(), 0u);
    EXPECT_EQ(empty.data(), nullptr);
    auto buffer = ex.buffer<double>(1000);
    EXPECT_EQ(buffer.size(), 1000u);
    EXPECT_EQ(buffer.end() - buffer.begin(), 1000);
    EXPECT_GE(ex.memory().bytes_in_use(), 8000u);
    buffer[999] = 5;
    EXPECT_EQ(buffer.data()[999], 5);
  }
  EXPECT_EQ(ex.memory().bytes_in_use(), 0u);
}

TEST(Buffer, MovesWithoutCopying) {
  Exec ex({.threads = 1});
  {
    auto a = ex.buffer<int>(100);
    int* block = a.data();
    Buffer<int> b = std::move(a);
    EXPECT_EQ(b.data(), block);
    EXPECT_EQ(b.size(), 100u);
    EXPECT_EQ(a.data(), nullptr);
    EXPECT_EQ(a.size(), 0u);

    auto c = ex.buffer<int>(5000);
    c = std::move(b);
    EXPECT_EQ(c.data(), block);
    EXPECT_EQ(c.size(), 100u);
    EXPECT_NE(b.data(), block);

    Buffer<int>& same = c;
    c = std::move(same);
    EXPECT_EQ(c.data(), block);
    EXPECT_EQ(c.size(), 100u);
    a = std::move(c);
    EXPECT_EQ(a.data(), block);
  }
  EXPECT_EQ(ex.memory().bytes_in_use(), 0u);
}

TEST(Buffer, OutlivesItsExec) {
  Buffer<int> buffer;
  {
    Exec ex({.threads = 1});
    buffer = ex.buffer<int>(1 << 16);
  }
  std::fill(buffer.begin(), buffer.end(), 3);
  EXPECT_EQ(buffer[(1 << 16) - 1], 3);
}

}  // namespace
}  // namespace whorl
