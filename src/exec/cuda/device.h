// The GPU, as host code sees it: memory and copies. No CUDA type leaves exec/cuda.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace whorl::cuda {

bool available();
std::string device_name();  // "" where there is none

void* allocate(std::size_t bytes);
void release(void* block);
void copy_in(void* device, const void* host, std::size_t bytes);
void copy_out(void* host, const void* device, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
void synchronize();  // waits for every launch, and stops the program if one of them failed

// An array in the device's memory.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size) : size_(size), data_(static_cast<T*>(allocate(size * sizeof(T)))) {}
  explicit DeviceBuffer(std::span<const T> host) : DeviceBuffer(host.size()) {
    copy_in(data_, host.data(), size_ * sizeof(T));
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_) release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void download(T* host) const { copy_out(host, data_, size_ * sizeof(T)); }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace whorl::cuda
