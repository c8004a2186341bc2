// Exec on each thread library with 1, 2 and 7 threads, and the memory it hands out.
#include "exec/exec.h"
#include "base/check.h"
#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace whorl {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool pool_recycles = false;
#else
constexpr bool pool_recycles = true;
#endif

// ---- threads

class OnThreads : public testing::TestWithParam<ExecOptions> {};

std::vector<ExecOptions> every_kind_of_exec() {
  std::vector<ExecOptions> all;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) all.push_back({.threads = threads, .backend = backend});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Exec, OnThreads, testing::ValuesIn(every_kind_of_exec()), [](const auto& test) {
  return concat(to_string(test.param.backend), "_", test.param.threads);
});

TEST_P(OnThreads, ParallelForCoversEachIndexOnce) {
  Exec ex(GetParam());
  for (const std::int64_t grain : {1, 3, 64, 1000})
    for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 999, 1000, 1001, 4000}) {
      std::vector<std::atomic<int>> visits(std::size_t(n) + 1);
      ex.parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++visits[std::size_t(std::min(i, n))];
      });
      for (std::int64_t i = 0; i <= n; ++i)  // n stands for all that lie beyond
        ASSERT_EQ(visits[std::size_t(i)], i < n ? 1 : 0)
            << "index " << i << " of " << n << ", grain " << grain;
    }
}

TEST_P(OnThreads, NothingToDoIsNotDone) {
  Exec ex(GetParam());
  for (const std::int64_t n : {0, -1}) ex.parallel_for(n, 8, [](std::int64_t, std::int64_t) { FAIL(); });
}

// The bits of a reduction hang on this.
TEST_P(OnThreads, ChunksAreCutByTheGrainAlone) {
  constexpr std::int64_t n = 1003, grain = 10, chunks = 101;
  Exec ex(GetParam());
  struct Cut {
    std::int64_t begin = -1, end = -1;
    int runs = 0;
  };
  std::vector<Cut> cuts(chunks);
  ex.parallel_chunks(n, grain, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
    Cut& cut = cuts.at(std::size_t(chunk));
    cut = {begin, end, cut.runs + 1};
  });
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const Cut& cut = cuts[std::size_t(chunk)];
    EXPECT_EQ(cut.runs, 1) << "chunk " << chunk;
    EXPECT_EQ(cut.begin, chunk * grain);
    EXPECT_EQ(cut.end, std::min((chunk + 1) * grain, n));
  }
}

TEST_P(OnThreads, NoTwoChunksRunOnOneWorkerAtOnce) {
  Exec ex(GetParam());
  EXPECT_EQ(ex.threads(), GetParam().threads);
  std::vector<std::atomic<bool>> occupied(std::size_t(ex.threads()));
  std::atomic<int> out_of_range{0}, clashes{0};
  ex.parallel_chunks(400, 1, [&](std::int64_t, std::int64_t, std::int64_t, int worker) {
    if (worker < 0 || worker >= ex.threads()) {
      ++out_of_range;
      return;
    }
    if (occupied[std::size_t(worker)].exchange(true)) ++clashes;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    occupied[std::size_t(worker)] = false;
  });
  EXPECT_EQ(out_of_range, 0);
  EXPECT_EQ(clashes, 0);
}

// Holds everyone who comes until `expected` have come; after a time it gives up and lets all pass.
class Meeting {
 public:
  explicit Meeting(int expected) : expected_(expected) {}

  void attend() {
    std::unique_lock lock(mutex_);
    if (++present_ >= expected_ && !given_up_) complete_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, std::chrono::seconds(10), [&] { return complete_ || given_up_; })) {
      given_up_ = true;
      changed_.notify_all();
    }
  }
  bool complete() const { return complete_; }

 private:
  const int expected_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int present_ = 0;
  bool complete_ = false, given_up_ = false;
};

TEST_P(OnThreads, AllThreadsTakePart) {
  Exec ex(GetParam());
  Meeting meeting(ex.threads());
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::set<int> workers;
  ex.parallel_chunks(ex.threads(), 1, [&](std::int64_t, std::int64_t, std::int64_t, int worker) {
    meeting.attend();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    workers.insert(worker);
  });
  EXPECT_TRUE(meeting.complete());
  EXPECT_EQ(int(threads.size()), ex.threads());
  EXPECT_EQ(int(workers.size()), ex.threads());
}

TEST_P(OnThreads, AllThreadsTakePartBesideOtherExecs) {
  Exec one({.threads = 1, .backend = GetParam().backend}), ex(GetParam());
  Exec three({.threads = 3, .backend = GetParam().backend});
  for (Exec* each : {&one, &ex, &three}) {
    Meeting meeting(each->threads());
    each->parallel_for(each->threads(), 1, [&](std::int64_t, std::int64_t) { meeting.attend(); });
    EXPECT_TRUE(meeting.complete()) << each->threads() << " threads";
  }
}

TEST_P(OnThreads, EveryLaunchSeesWhatTheLastOneWrote) {
  constexpr std::int64_t n = 64;
  Exec ex(GetParam());
  std::vector<int> from(n, 0), to(n, 0);
  constexpr int launches = 500;
  for (int launch = 0; launch < launches; ++launch) {
    ex.parallel_for(n, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) to[std::size_t(i)] = from[std::size_t((i + 5) % n)] + 1;
    });
    std::swap(from, to);
  }
  for (const int x : from) ASSERT_EQ(x, launches);
}

TEST_P(OnThreads, ScratchBelongsToOneWorker) {
  Exec ex(GetParam());
  std::atomic<int> disturbed{0};
  std::mutex mutex;
  std::set<std::pair<int, void*>> blocks;
  Meeting meeting(ex.threads());
  ex.parallel_chunks(ex.threads(), 1, [&](std::int64_t, std::int64_t, std::int64_t chunk, int worker) {
    constexpr std::size_t bytes = 5000;
    auto* own = static_cast<unsigned char*>(ex.scratch(worker, bytes));
    std::memset(own, int(chunk + 1), bytes);
    meeting.attend();  // until all have written theirs
    disturbed += int(bytes - std::size_t(std::count(own, own + bytes, chunk + 1)));
    const std::lock_guard lock(mutex);
    blocks.insert({worker, own});
  });
  EXPECT_EQ(disturbed, 0);
  std::set<void*> distinct;
  for (const auto& [worker, block] : blocks) distinct.insert(block);
  EXPECT_EQ(distinct.size(), blocks.size());
}

TEST(Exec, ScratchGrowsAndIsKept) {
  Exec ex({.threads = 2});
  void* small = ex.scratch(1, 100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small) % 64, 0u);
  EXPECT_EQ(ex.scratch(1, 100), small);
  const std::size_t before = ex.memory().bytes_in_use();
  void* large = ex.scratch(1, 1 << 20);
  std::memset(large, 1, 1 << 20);
  EXPECT_GE(ex.memory().bytes_in_use(), std::size_t(1 << 20));
  EXPECT_LE(ex.memory().bytes_in_use(), before + (1 << 20)) << "what it outgrew goes back";
  EXPECT_EQ(ex.scratch(1, 50), large);
  EXPECT_NE(ex.scratch(0, 50), large);
}

TEST(Exec, TakesEveryCoreUnlessTold) {
  EXPECT_EQ(Exec().threads(), std::max(1, int(std::thread::hardware_concurrency())));
  EXPECT_EQ(Exec({.threads = 5}).threads(), 5);
  EXPECT_EQ(default_backend(), built_backends().front());
}

// ---- memory

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

// Blocks are filled with the number of their owner, who looks before giving them back.
void allocate_and_release(MemoryPool& pool, std::uint64_t id, std::atomic<int>& disturbed) {
  struct Block {
    unsigned char* data;
    std::size_t bytes;
    int mark;
  };
  std::vector<Block> held;
  Rng rng(11, id);
  const auto give_back = [&](std::size_t i) {
    const Block& b = held[i];
    if (std::count(b.data, b.data + b.bytes, b.mark) != std::ptrdiff_t(b.bytes)) ++disturbed;
    pool.release(b.data);
    held.erase(held.begin() + std::ptrdiff_t(i));
  };
  for (int round = 0; round < 300; ++round) {
    if (held.size() > 6) give_back(rng.bits() % held.size());
    const std::size_t bytes = 1 + rng.bits() % 3000;
    const int mark = int(rng.bits() % 255) + 1;
    auto* data = static_cast<unsigned char*>(pool.allocate(bytes));
    std::memset(data, mark, bytes);
    held.push_back({data, bytes, mark});
  }
  while (!held.empty()) give_back(0);
}

TEST_P(OnThreads, PoolNeverGivesOneBlockToTwo) {
  Exec ex(GetParam());
  std::atomic<int> disturbed{0};
  ex.parallel_for(20, 1, [&](std::int64_t begin, std::int64_t) {
    allocate_and_release(ex.memory(), std::uint64_t(begin), disturbed);
  });
  EXPECT_EQ(disturbed, 0);
  EXPECT_EQ(ex.memory().bytes_in_use(), 0u);
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
