// oneTBB, the default thread library.
#include "exec/backend.h"

#include <algorithm>
#include <thread>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace whorl {

namespace {

class TbbBackend final : public ThreadBackend {
 public:
  explicit TbbBackend(int threads)
      : allowed_(tbb::global_control::max_allowed_parallelism,
                 std::size_t(std::max(threads, int(std::thread::hardware_concurrency())))),
        arena_(threads) {}

  void run(std::int64_t chunks, ChunkTask task) override {
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, chunks, 1), [&](const auto& range) {
        const int worker = tbb::this_task_arena::current_thread_index();
        for (std::int64_t chunk = range.begin(); chunk != range.end(); ++chunk)
          task.run(task.context, chunk, worker);
      });
    });
  }

 private:
  tbb::global_control allowed_;  // so that seven threads are seven on a machine of two cores
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<ThreadBackend> make_tbb_backend(int threads) { return std::make_unique<TbbBackend>(threads); }

}  // namespace whorl
