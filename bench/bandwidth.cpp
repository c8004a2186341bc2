#include "bandwidth.h"

#include "harness.h"

#include <algorithm>

namespace whorl::bench {

double bytes_per_second(Exec& ex) {
  const std::int64_t n = std::int64_t(1) << 25;
  Buffer<float> a = ex.buffer<float>(std::size_t(n)), b = ex.buffer<float>(std::size_t(n)),
                c = ex.buffer<float>(std::size_t(n));
  std::fill(b.begin(), b.end(), 1.f);
  std::fill(c.begin(), c.end(), 2.f);
  const auto triad = [&] {
    ex.parallel_for(n, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
      float* __restrict out = a.data();
      for (std::int64_t i = begin; i < end; ++i) out[i] = b[std::size_t(i)] + 3.f * c[std::size_t(i)];
    });
  };
  return 16 * double(n) / best_seconds(8, {triad})[0];
}

}  // namespace whorl::bench
