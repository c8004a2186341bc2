// Exec: the threads, the memory and the clock that every stage is handed.
//
//   Exec ex({.threads = 8});
//   ex.parallel_for(n, 1024, [&](std::int64_t begin, std::int64_t end) { … });
//
// Chunks have a size fixed by the caller, never by the number of threads, so whatever is computed
// a chunk at a time has the same bits on any number of threads (docs/adr/0003-determinism.md).
#pragma once

#include "base/check.h"
#include "base/profile.h"
#include "exec/backend.h"
#include "exec/memory_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace whorl {

enum class Backend { tbb, pool };

Backend default_backend();  // tbb where built with it
const std::vector<Backend>& built_backends();
const char* to_string(Backend backend);

struct ExecOptions {
  int threads = 0;  // 0: one a core
  Backend backend = default_backend();
};

class Exec {
 public:
  explicit Exec(ExecOptions options = {});

  int threads() const { return threads_; }
  Profile& profile() { return profile_; }
  MemoryPool& memory() { return *memory_; }

  template <class T>
  Buffer<T> buffer(std::size_t size) {
    return Buffer<T>(memory_, size);
  }

  // f(begin, end) over [0, n) in chunks of `grain`, in any order, at the same time.
  template <class F>
  void parallel_for(std::int64_t n, std::int64_t grain, const F& f) {
    parallel_chunks(n, grain,
                    [&](std::int64_t begin, std::int64_t end, std::int64_t, int) { f(begin, end); });
  }

  // f(begin, end, chunk, worker): as above, for those that keep something a chunk or a worker. One launch at
  // a time: none from within another, or from a second thread.
  template <class F>
  void parallel_chunks(std::int64_t n, std::int64_t grain, const F& f) {
    if (n <= 0) return;
    struct Context {
      const F* f;
      std::int64_t n, grain;
    } context{&f, n, grain};
    const auto run = [](void* pointer, std::int64_t chunk, int worker) {
      const Context& c = *static_cast<const Context*>(pointer);
      const std::int64_t begin = chunk * c.grain;
      (*c.f)(begin, std::min(begin + c.grain, c.n), chunk, worker);
    };
    CHECK(!std::exchange(launching_, true), "a launch within a launch");
    struct Ended {
      bool& launching;
      ~Ended() { launching = false; }
    } ended{launching_};  // also where memory has run out
    backend_->run((n + grain - 1) / grain, {run, &context});
  }

  // Memory of one worker's own, at least `bytes`, for the length of a chunk.
  void* scratch(int worker, std::size_t bytes);

 private:
  int threads_;
  std::shared_ptr<MemoryPool> memory_;
  std::unique_ptr<ThreadBackend> backend_;
  std::vector<Buffer<std::byte>> scratch_;
  Profile profile_;
  bool launching_ = false;
};

}  // namespace whorl
