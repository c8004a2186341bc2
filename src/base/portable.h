// The one place that knows which compiler reads a kernel: g++ for the CPU, nvcc for the GPU.
#pragma once

#ifdef __CUDACC__
#define WHORL_HD __host__ __device__
#define WHORL_INLINE __host__ __device__ __forceinline__
#define WHORL_INLINE_LAMBDA  // a lambda runs where the function round it runs
#else
#define WHORL_HD
#define WHORL_INLINE inline __attribute__((always_inline))
#define WHORL_INLINE_LAMBDA __attribute__((always_inline))
#endif
