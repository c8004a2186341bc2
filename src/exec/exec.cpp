#include "exec/exec.h"

#include "base/check.h"
#include "exec/usable_cores.h"

namespace whorl {

const std::vector<Backend>& built_backends() {
#if WHORL_HAVE_TBB
  static const std::vector<Backend> backends{Backend::tbb, Backend::pool};
#else
  static const std::vector<Backend> backends{Backend::pool};
#endif
  return backends;
}

Backend default_backend() { return built_backends().front(); }

const char* to_string(Backend backend) { return backend == Backend::tbb ? "tbb" : "pool"; }

namespace {

std::unique_ptr<ThreadBackend> make_backend(Backend backend, int threads) {
#if WHORL_HAVE_TBB
  if (backend == Backend::tbb) return make_tbb_backend(threads);
#endif
  CHECK(backend == Backend::pool, "built without ", to_string(backend));
  return make_pool_backend(threads);
}

}  // namespace

Exec::Exec(ExecOptions options)
    : threads_(options.threads > 0 ? options.threads : usable_cores()),
      memory_(std::make_shared<MemoryPool>()),
      backend_(make_backend(options.backend, threads_)),
      scratch_(std::size_t(threads_)) {}

void* Exec::scratch(int worker, std::size_t bytes) {
  Buffer<std::byte>& own = scratch_[std::size_t(worker)];
  if (own.size() < bytes) own = buffer<std::byte>(bytes);
  return own.data();
}

}  // namespace whorl
