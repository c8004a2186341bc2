#include "base/check.h"
#include "exec/cuda/device.h"
#include "exec/cuda/launch.h"

#include <cuda_runtime.h>

namespace whorl::cuda {

namespace {

void check(cudaError_t status, const char* what) {
  CHECK(status == cudaSuccess, what, ": ", cudaGetErrorString(status));
}

}  // namespace

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string device_name() {
  cudaDeviceProp properties;
  return available() && cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "";
}

std::size_t max_scratch_bytes() {
  int bytes = 0;
  const bool known = available() && cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                                           0) == cudaSuccess;
  return known ? std::size_t(bytes) : 0;
}

void* allocate(std::size_t bytes) {
  void* block = nullptr;
  check(cudaMalloc(&block, bytes), "cudaMalloc");
  return block;
}

void release(void* block) { check(cudaFree(block), "cudaFree"); }

void copy_in(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

void copy_out(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

void copy_on_device(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy on the device");
}

void synchronize() {
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
}

}  // namespace whorl::cuda
