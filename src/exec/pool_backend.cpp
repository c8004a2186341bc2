// A plain pool of std::threads: for machines without TBB, and for the thread sanitizer, which
// cannot see through TBB.
#include "exec/backend.h"
#include "exec/usable_cores.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace whorl {

namespace {

class PoolBackend final : public ThreadBackend {
 public:
  explicit PoolBackend(int threads) : may_spin_(threads <= usable_cores()) {
    for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  }

  ~PoolBackend() override {
    stop_ = true;
    launch_.fetch_add(1, std::memory_order_release);
    launch_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  void run(std::int64_t chunks, ChunkTask task) override {
    task_ = task;
    chunks_ = chunks;
    next_.store(0, std::memory_order_relaxed);
    if (chunks > 1 && !threads_.empty()) {
      busy_.store(unsigned(threads_.size()), std::memory_order_relaxed);
      launch_.fetch_add(1, std::memory_order_release);
      launch_.notify_all();
      work(0);
      wait_while(busy_, [](unsigned busy) { return busy != 0; });
    } else {
      work(0);
    }
    if (failed_.exchange(false, std::memory_order_acquire))
      std::rethrow_exception(std::exchange(failure_, {}));
  }

 private:
  // The first chunk that throws is the last that is begun.
  void work(int worker) noexcept try {
    for (std::int64_t chunk; (chunk = next_.fetch_add(1, std::memory_order_relaxed)) < chunks_;)
      task_.run(task_.context, chunk, worker);
  } catch (...) {
    next_.store(chunks_, std::memory_order_relaxed);
    if (!failed_.exchange(true, std::memory_order_acq_rel)) failure_ = std::current_exception();
  }

  void serve(int worker) {
    unsigned seen = 0;
    for (;;) {
      wait_while(launch_, [&](unsigned launch) { return launch == seen; });
      ++seen;
      if (stop_) return;
      work(worker);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  // Kernels follow one another within microseconds: look for a while before going to sleep.
  template <class Waiting>
  void wait_while(std::atomic<unsigned>& value, Waiting waiting) const {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::microseconds(may_spin_ ? 100 : 0);
    unsigned current;
    while (waiting(current = value.load(std::memory_order_acquire))) {
      if (std::chrono::steady_clock::now() < give_up) {
        std::this_thread::yield();
      } else {
        value.wait(current, std::memory_order_acquire);
      }
    }
  }

  const bool may_spin_;
  std::vector<std::thread> threads_;
  ChunkTask task_{};
  std::int64_t chunks_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<unsigned> launch_{0}, busy_{0};
  std::atomic<bool> stop_{false}, failed_{false};
  std::exception_ptr failure_;  // read once all workers are done
};

}  // namespace

std::unique_ptr<ThreadBackend> make_pool_backend(int threads) {
  return std::make_unique<PoolBackend>(threads);
}

}  // namespace whorl
