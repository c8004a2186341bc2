// Well-spread numbers for the paths of a picture, two at a time, which depend on (seed, pixel, sample) alone.
//
// Sobol's first two dimensions, shuffled and scrambled anew for every pair by a hash (Burley 2020: hash-based
// Owen scrambling; the hash is Laine and Karras's 2011 as he improves it). Any first 2^n samples of a pixel
// are spread evenly in each pair.
#pragma once

#include "base/rng.h"
#include "base/vec.h"

#include <cstdint>

namespace whorl {

class Sampler {
 public:
  Sampler(std::uint64_t seed, std::uint64_t pixel, std::uint32_t sample)
      : key_(mix64(mix64(seed + 1), pixel)), sample_(sample) {}

  // In [0, 1)².
  Vec<float, 2> pair() {
    const std::uint64_t bits = mix64(key_, pair_++);
    const std::uint32_t order = std::uint32_t(bits);
    const std::uint32_t index = scrambled(reversed(sample_), order);  // its bits reversed
    const std::uint32_t shuffled = reversed(index);
    return {unit(reversed(scrambled(shuffled, std::uint32_t(bits >> 32)))),
            unit(reversed(scrambled(reversed(second_dimension(shuffled)), std::uint32_t(mix64(bits)))))};
  }
  float one() { return pair()[0]; }

 private:
  static constexpr std::uint32_t reversed(std::uint32_t x) {
    x = x << 16 | x >> 16;
    x = (x & 0x00ff00ff) << 8 | (x & 0xff00ff00) >> 8;
    x = (x & 0x0f0f0f0f) << 4 | (x & 0xf0f0f0f0) >> 4;
    x = (x & 0x33333333) << 2 | (x & 0xcccccccc) >> 2;
    return (x & 0x55555555) << 1 | (x & 0xaaaaaaaa) >> 1;
  }
  // Each bit is changed by what the bits below it say: of a number with its bits reversed, those above.
  static constexpr std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
    x ^= x * 0x3d20adea;
    x += seed;
    x *= (seed >> 16) | 1;
    x ^= x * 0x05526c56;
    return x ^ x * 0x53a22864;
  }
  // Of Sobol's sequence: the columns of Pascal's triangle modulo 2.
  static constexpr std::uint32_t second_dimension(std::uint32_t index) {
    std::uint32_t x = 0;
    for (std::uint32_t column = 0x80000000; index != 0; index >>= 1, column ^= column >> 1)
      if (index & 1) x ^= column;
    return x;
  }
  static constexpr float unit(std::uint32_t x) { return float(x >> 8) * 0x1p-24f; }

  std::uint64_t key_, pair_ = 0;
  std::uint32_t sample_;
};

}  // namespace whorl
