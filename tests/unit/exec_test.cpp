// Exec on each thread library with 1, 2 and 7 threads.
#include "exec/exec.h"
#include "base/check.h"
#include "base/rng.h"
#include "exec/usable_cores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace whorl {
namespace {

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
  EXPECT_EQ(Exec().threads(), usable_cores());
  EXPECT_EQ(Exec({.threads = 5}).threads(), 5);
  EXPECT_EQ(default_backend(), built_backends().front());
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

TEST_P(OnThreads, GoOnAfterAKernelThatThrows) {
  Exec ex(GetParam());
  for (int round = 0; round < 3; ++round)
    EXPECT_THROW(ex.parallel_for(100, 1,
                                 [](std::int64_t begin, std::int64_t) {
                                   if (begin % 40 == 7) throw std::bad_alloc();
                                 }),
                 std::bad_alloc);
  std::atomic<int> seen{0};
  ex.parallel_for(100, 1, [&](std::int64_t, std::int64_t) { ++seen; });
  EXPECT_EQ(seen, 100);
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

}  // namespace
}  // namespace whorl
