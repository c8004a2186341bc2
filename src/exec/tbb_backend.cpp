// oneTBB, the default thread library.
#include "exec/backend.h"

#include <algorithm>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace whorl {

namespace {

class TbbBackend final : public ThreadBackend {
 public:
  explicit TbbBackend(int threads)
      : allowed_(tbb::global_control::max_allowed_parallelism, std::size_t(std::max(threads, most_threads))),
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
  // So that seven threads are seven on a machine of two cores. Of several controls the lowest counts, so
  // every Exec asks for the same.
  static constexpr int most_threads = 256;
  tbb::global_control allowed_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<ThreadBackend> make_tbb_backend(int threads) { return std::make_unique<TbbBackend>(threads); }

}  // namespace whorl
