// Recycles the large, short-lived buffers of a step: asking the system for fresh pages each time
// would cost more than many of the kernels that fill them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace whorl {

class MemoryPool {
 public:
  MemoryPool() = default;
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // 64-byte aligned, from 2 MiB up in huge pages where the system grants them. Not initialised.
  void* allocate(std::size_t bytes);
  void release(void* block);

  std::size_t bytes_in_use() const;
  std::size_t peak_bytes() const;   // in use and cached, at its largest
  std::size_t peak_in_use() const;  // in use alone, since …
  void reset_peak();                // … this

 private:
  struct Cached {
    void* block;
    std::uint64_t since;  // counts releases
  };

  void drop_cached(std::size_t keep);  // the oldest first, down to so many bytes

  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<Cached>> cached_;  // by rounded size, the oldest first
  std::unordered_map<void*, std::size_t> size_of_;     // of blocks in use
  std::uint64_t released_ = 0;                         // blocks so far
  std::size_t in_use_ = 0, cached_bytes_ = 0, peak_ = 0, peak_in_use_ = 0;
};

// An array from a pool. Move-only; trivially copyable elements alone, and not initialised.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(std::shared_ptr<MemoryPool> pool, std::size_t size)
      : pool_(std::move(pool)), size_(size), data_(static_cast<T*>(pool_->allocate(size * sizeof(T)))) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_) pool_->release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  std::shared_ptr<MemoryPool> pool_;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace whorl
