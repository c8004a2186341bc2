#include "exec/sort.h"

#include "base/check.h"
#include "exec/reduce.h"
#include "exec/scan.h"

namespace whorl {

namespace {

constexpr int digit_bits = 8;
constexpr std::int64_t digits = 1 << digit_bits;
constexpr std::int64_t chunk_size = 1 << 14;

std::int64_t digit(std::uint64_t key, int shift) { return std::int64_t(key >> shift) & (digits - 1); }

}  // namespace

void sort_by_key(Exec& ex, Buffer<std::uint64_t>& keys, Buffer<std::uint32_t>& values) {
  CHECK(keys.size() == values.size(), keys.size(), " keys, ", values.size(), " values");
  const std::int64_t n = std::int64_t(keys.size());
  if (n < 2) return;

  const std::uint64_t varying = reduce(
      ex, n, chunk_size, std::uint64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::uint64_t difference = 0;
        for (std::int64_t i = begin; i < end; ++i) difference |= keys[i] ^ keys[0];
        return difference;
      },
      [](std::uint64_t x, std::uint64_t y) { return x | y; });

  const std::int64_t chunks = (n + chunk_size - 1) / chunk_size;
  auto sorted_keys = ex.buffer<std::uint64_t>(keys.size());
  auto sorted_values = ex.buffer<std::uint32_t>(values.size());
  auto place = ex.buffer<std::int64_t>(std::size_t(digits * chunks));  // [digit][chunk]

  for (int shift = 0; shift < 64; shift += digit_bits) {
    if (digit(varying, shift) == 0) continue;
    ex.parallel_chunks(n, chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
      std::int64_t count[digits] = {};
      for (std::int64_t i = begin; i < end; ++i) ++count[digit(keys[i], shift)];
      for (std::int64_t d = 0; d < digits; ++d) place[std::size_t(d * chunks + chunk)] = count[d];
    });
    exclusive_scan(ex, place.data(), place.data(), digits * chunks);
    ex.parallel_chunks(n, chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
      std::int64_t next[digits];
      for (std::int64_t d = 0; d < digits; ++d) next[d] = place[std::size_t(d * chunks + chunk)];
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t to = next[digit(keys[i], shift)]++;
        sorted_keys[to] = keys[i];
        sorted_values[to] = values[i];
      }
    });
    std::swap(keys, sorted_keys);
    std::swap(values, sorted_values);
  }
}

}  // namespace whorl
