// What Exec asks of a thread library. A launch is one call; nothing here is seen by a kernel.
#pragma once

#include <cstdint>
#include <memory>

namespace whorl {

// task(context, chunk, worker) for one chunk; workers are numbered from 0 below the thread count,
// and no two chunks run on one worker at the same time.
struct ChunkTask {
  void (*run)(void* context, std::int64_t chunk, int worker);
  void* context;
};

class ThreadBackend {
 public:
  virtual ~ThreadBackend() = default;
  // Runs every chunk in [0, chunks) once, in any order, and returns when all are done.
  virtual void run(std::int64_t chunks, ChunkTask task) = 0;
};

std::unique_ptr<ThreadBackend> make_pool_backend(int threads);
std::unique_ptr<ThreadBackend> make_tbb_backend(int threads);  // where built with TBB

}  // namespace whorl
