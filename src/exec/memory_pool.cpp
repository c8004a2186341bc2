#include "exec/memory_pool.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace whorl {

namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;
constexpr std::size_t cache_line = 64;

// Eight sizes an octave: a grid that grows by a few tiles finds its old blocks again, at most an
// eighth larger than it needs.
std::size_t rounded(std::size_t bytes) {
  bytes = std::max(bytes, cache_line);
  const std::size_t step = std::max(std::bit_floor(bytes) / 8, cache_line);
  return (bytes + step - 1) / step * step;
}

void* system_allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
  const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, size);
  if (!block) {
    std::fprintf(stderr, "whorl: out of memory: the system refused %zu bytes more\n", bytes);
    std::_Exit(5);  // ErrorCode::resources
  }
  if (alignment == huge_page) madvise(block, size, MADV_HUGEPAGE);
  return block;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool recycle = false;  // so that the sanitizer sees a use after release
#else
constexpr bool recycle = true;
#endif

}  // namespace

MemoryPool::~MemoryPool() { drop_cached(); }

void* MemoryPool::allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  in_use_ += size;
  auto& blocks = cached_[size];
  if (!blocks.empty()) {
    void* block = blocks.back();
    blocks.pop_back();
    cached_bytes_ -= size;
    return block;
  }
  if (cached_bytes_ > in_use_ / 2) drop_cached();  // sizes have moved on: do not hoard
  peak_ = std::max(peak_, in_use_ + cached_bytes_);
  return system_allocate(size);
}

void MemoryPool::release(void* block, std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  in_use_ -= size;
  if (!recycle) return std::free(block);
  cached_[size].push_back(block);
  cached_bytes_ += size;
}

std::size_t MemoryPool::bytes_in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

std::size_t MemoryPool::peak_bytes() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

void MemoryPool::drop_cached() {
  for (auto& [size, blocks] : cached_)
    for (void* block : blocks) std::free(block);
  cached_.clear();
  cached_bytes_ = 0;
}

}  // namespace whorl
