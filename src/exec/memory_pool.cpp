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
  // A block up to half as large again will do: a grid that moves wants another size every few steps.
  auto cached = cached_.lower_bound(size);
  while (cached != cached_.end() && cached->second.empty()) ++cached;
  if (cached != cached_.end() && cached->first <= size + size / 2) {
    void* block = cached->second.back();
    cached->second.pop_back();
    cached_bytes_ -= cached->first;
    in_use_ += cached->first;
    size_of_[block] = cached->first;
    return block;
  }
  in_use_ += size;
  if (cached_bytes_ > in_use_ / 2) drop_cached();  // sizes have moved on: do not hoard
  peak_ = std::max(peak_, in_use_ + cached_bytes_);
  void* block = system_allocate(size);
  size_of_[block] = size;
  return block;
}

void MemoryPool::release(void* block) {
  const std::lock_guard lock(mutex_);
  const auto found = size_of_.find(block);
  const std::size_t size = found->second;
  size_of_.erase(found);
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
