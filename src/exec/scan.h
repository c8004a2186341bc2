// Exclusive prefix sums.
#pragma once

#include "exec/exec.h"

#include <vector>

namespace whorl {

// out[i] = in[0] + … + in[i - 1]; returns the sum of all. `in` and `out` may be the same array.
template <class T>
T exclusive_scan(Exec& ex, const T* in, T* out, std::int64_t n) {
  constexpr std::int64_t chunk_size = 1 << 14;
  std::vector<T> start(std::size_t((n + chunk_size - 1) / chunk_size));
  ex.parallel_chunks(n, chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
    T total{};
    for (std::int64_t i = begin; i < end; ++i) total += in[i];
    start[std::size_t(chunk)] = total;
  });
  T sum{};
  for (T& s : start) {
    const T count = s;
    s = sum;
    sum += count;
  }
  ex.parallel_chunks(n, chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
    T running = start[std::size_t(chunk)];
    for (std::int64_t i = begin; i < end; ++i) {
      const T value = in[i];
      out[i] = running;
      running += value;
    }
  });
  return sum;
}

}  // namespace whorl
