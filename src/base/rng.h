// Counter-based random numbers: a value depends on (seed, id, step) alone, never on who asks first.
#pragma once

#include "base/portable.h"

#include <cstdint>

namespace whorl {

// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): a bijection that mixes every bit.
WHORL_INLINE constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Folds one more value into a running hash; the order matters.
WHORL_INLINE constexpr std::uint64_t mix64(std::uint64_t hash, std::uint64_t value) {
  return mix64(hash * 0x9e3779b97f4a7c15ull + mix64(value + 0x9e3779b97f4a7c15ull));
}

class Rng {
 public:
  WHORL_HD constexpr Rng(std::uint64_t seed, std::uint64_t id, std::uint64_t step = 0)
      : key_(mix64(mix64(mix64(seed + 1), id), step)) {}

  WHORL_HD constexpr std::uint64_t bits() { return mix64(key_ += 0x9e3779b97f4a7c15ull); }
  WHORL_HD constexpr float uniform() { return float(bits() >> 40) * 0x1p-24f; }  // in [0, 1)
  WHORL_HD constexpr float uniform(float lo, float hi) { return lo + (hi - lo) * uniform(); }

 private:
  std::uint64_t key_;
};

}  // namespace whorl
