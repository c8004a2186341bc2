#include "exec/memory_pool.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace whorl {

namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;
constexpr std::size_t cache_line = 64;

// Sixteen sizes an octave: a grid that grows by a few tiles finds its old blocks again, at most a
// sixteenth larger than it needs.
std::size_t rounded(std::size_t bytes) {
  bytes = std::max(bytes, cache_line);
  const std::size_t step = std::max(std::bit_floor(bytes) / 16, cache_line);
  return (bytes + step - 1) / step * step;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool recycle = false;  // so that the sanitizer sees a use after release
constexpr std::size_t mapped_from = ~std::size_t(0);
#else
constexpr bool recycle = true;
// From here on blocks are mappings of their own, which go back whole: the system's heap, cut up by blocks of
// ever other sizes, would keep most of them.
constexpr std::size_t mapped_from = std::size_t(256) << 10;
#endif

// Small ones: the end of a block, less than a huge page, need not fill one.
std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

// Begins with a huge page, if it is as large as one.
void* map_block(std::size_t bytes) {
  const std::size_t size = whole_pages(bytes), spare = bytes >= huge_page ? huge_page : 0;
  void* mapping = mmap(nullptr, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  if (!spare) return mapping;
  char* const first = static_cast<char*>(mapping);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
  if (before) munmap(first, before);
  if (before < spare) munmap(first + before + size, spare - before);
  madvise(first + before, size, MADV_HUGEPAGE);
  return first + before;
}

void* system_allocate(std::size_t bytes) {
  void* block = bytes >= mapped_from ? map_block(bytes) : std::aligned_alloc(cache_line, bytes);
  if (block) return block;
  std::fprintf(
      stderr,
      "whorl: out of memory: the system refused %zu bytes more; finished frames stay, and a run goes on "
      "from its last checkpoint\n",
      bytes);
  std::_Exit(5);  // ErrorCode::resources
}

void system_free(void* block, std::size_t bytes) {
  if (bytes >= mapped_from)
    munmap(block, whole_pages(bytes));
  else
    std::free(block);
}

}  // namespace

MemoryPool::~MemoryPool() { drop_cached(0); }

void* MemoryPool::allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(mutex_);
  // A block up to half as large again will do: a grid that moves wants another size every few steps.
  auto cached = cached_.lower_bound(size);
  while (cached != cached_.end() && cached->second.empty()) ++cached;
  if (cached != cached_.end() && cached->first <= size + size / 2) {
    void* block = cached->second.back().block;
    cached->second.pop_back();
    cached_bytes_ -= cached->first;
    in_use_ += cached->first;
    peak_in_use_ = std::max(peak_in_use_, in_use_);
    size_of_[block] = cached->first;
    return block;
  }
  in_use_ += size;
  peak_in_use_ = std::max(peak_in_use_, in_use_);
  // Sizes have moved on: do not hoard, beyond what will be in use again.
  drop_cached(std::max(in_use_ / 2, peak_in_use_ - in_use_));
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
  if (!recycle) return system_free(block, size);
  cached_[size].push_back({block, released_++});
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

std::size_t MemoryPool::peak_in_use() const {
  const std::lock_guard lock(mutex_);
  return peak_in_use_;
}

void MemoryPool::reset_peak() {
  const std::lock_guard lock(mutex_);
  peak_in_use_ = in_use_;
}

void MemoryPool::drop_cached(std::size_t keep) {
  while (cached_bytes_ > keep) {
    auto oldest = cached_.end();
    for (auto it = cached_.begin(); it != cached_.end();) {
      if (it->second.empty()) {
        it = cached_.erase(it);
        continue;
      }
      if (oldest == cached_.end() || it->second.front().since < oldest->second.front().since) oldest = it;
      ++it;
    }
    system_free(oldest->second.front().block, oldest->first);
    oldest->second.erase(oldest->second.begin());
    cached_bytes_ -= oldest->first;
  }
}

}  // namespace whorl
