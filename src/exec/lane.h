// A lane: the eight cells of one row of a tile, in one vector register (two for doubles).
// Written with the compiler's vector types, so it builds for any target; only loads that are not
// contiguous use intrinsics, because compilers do not find those by themselves.
#pragma once

#include "exec/scalar_ops.h"

#include <cmath>
#include <cstdint>
#include <type_traits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace whorl {

inline constexpr int lane_width = 8;

template <class T>
struct LaneVector {
  typedef T type __attribute__((vector_size(lane_width * sizeof(T))));
  typedef T in_memory __attribute__((vector_size(lane_width * sizeof(T)), aligned(alignof(T))));
};

// A truth value a cell; -1 for true in an integer as wide as T, as vector comparisons yield it.
template <class T>
struct LaneMask {
  using Int = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using Vector = typename LaneVector<Int>::type;
  Vector v;

  friend WHORL_INLINE LaneMask operator&(LaneMask x, LaneMask y) { return {x.v & y.v}; }
  friend WHORL_INLINE LaneMask operator|(LaneMask x, LaneMask y) { return {x.v | y.v}; }
  friend WHORL_INLINE LaneMask operator!(LaneMask x) { return {~x.v}; }
  WHORL_INLINE bool operator[](int i) const { return v[i] != 0; }
};

template <class T>
struct Lane {
  using Vector = typename LaneVector<T>::type;
  using Mask = LaneMask<T>;
  Vector v;

  Lane() = default;
  WHORL_INLINE Lane(T x) : v(Vector{x, x, x, x, x, x, x, x}) {}
  WHORL_INLINE explicit Lane(Vector x) : v(x) {}

  WHORL_INLINE static Lane load(const T* p) {
    return Lane(*reinterpret_cast<const typename LaneVector<T>::in_memory*>(p));
  }
  // A typed store: the compiler may then keep tile tables in registers across it.
  WHORL_INLINE void store(T* p) const { *reinterpret_cast<typename LaneVector<T>::in_memory*>(p) = v; }
  WHORL_INLINE static Lane iota() { return Lane(Vector{0, 1, 2, 3, 4, 5, 6, 7}); }

  WHORL_INLINE static Mask mask_from_bits(unsigned b) {
    const typename Mask::Vector bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return {(Lane<typename Mask::Int>(typename Mask::Int(b)).v & bit) == bit};
  }

  WHORL_INLINE T operator[](int i) const { return v[i]; }
  WHORL_INLINE void set(int i, T x) { v[i] = x; }

  friend WHORL_INLINE Lane operator+(Lane x, Lane y) { return Lane(x.v + y.v); }
  friend WHORL_INLINE Lane operator-(Lane x, Lane y) { return Lane(x.v - y.v); }
  friend WHORL_INLINE Lane operator*(Lane x, Lane y) { return Lane(x.v * y.v); }
  friend WHORL_INLINE Lane operator/(Lane x, Lane y) { return Lane(x.v / y.v); }
  friend WHORL_INLINE Lane operator-(Lane x) { return Lane(-x.v); }
  WHORL_INLINE Lane& operator+=(Lane x) { return v += x.v, *this; }
  WHORL_INLINE Lane& operator-=(Lane x) { return v -= x.v, *this; }
  WHORL_INLINE Lane& operator*=(Lane x) { return v *= x.v, *this; }

  friend WHORL_INLINE Mask operator<(Lane x, Lane y) { return {x.v < y.v}; }
  friend WHORL_INLINE Mask operator>(Lane x, Lane y) { return {x.v > y.v}; }
  friend WHORL_INLINE Mask operator<=(Lane x, Lane y) { return {x.v <= y.v}; }
  friend WHORL_INLINE Mask operator>=(Lane x, Lane y) { return {x.v >= y.v}; }
  friend WHORL_INLINE Mask operator==(Lane x, Lane y) { return {x.v == y.v}; }
};

template <class T>
struct LaneTraits<Lane<T>> {
  using Element = T;
  using Int = Lane<int>;
  static constexpr int width = lane_width;
};

template <class T>
WHORL_INLINE Lane<T> select(LaneMask<T> condition, Lane<T> yes, Lane<T> no) {
  return Lane<T>(condition.v ? yes.v : no.v);
}
template <class T>
WHORL_INLINE Lane<T> max(Lane<T> x, Lane<T> y) {
  return select(x > y, x, y);
}
template <class T>
WHORL_INLINE Lane<T> min(Lane<T> x, Lane<T> y) {
  return select(x < y, x, y);
}
template <class T>
WHORL_INLINE Lane<T> abs(Lane<T> x) {
  return select(x < Lane<T>(T(0)), -x, x);
}

template <class T>
WHORL_INLINE Lane<T> sqrt(Lane<T> x) {
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) return Lane<T>(typename Lane<T>::Vector(_mm256_sqrt_ps((__m256)x.v)));
#endif
  for (int i = 0; i < lane_width; ++i) x.v[i] = std::sqrt(x.v[i]);
  return x;
}

// One bit a cell, bit i for cell i: the form in which active cells are stored.
template <class T>
WHORL_INLINE unsigned bits(LaneMask<T> m) {
  unsigned r = 0;
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) return unsigned(_mm256_movemask_ps((__m256)m.v));
#endif
  for (int i = 0; i < lane_width; ++i) r |= unsigned(m.v[i] != 0) << i;
  return r;
}
template <class T>
WHORL_INLINE bool any(LaneMask<T> m) {
  return bits(m) != 0;
}
template <class T>
WHORL_INLINE bool all(LaneMask<T> m) {
  return bits(m) == 0xff;
}

// The row moved by one cell, with the value that enters at the open end:
// {carry, x0 … x6}, the low neighbours, and {x1 … x7, carry}, the high ones.
template <class T>
WHORL_INLINE Lane<T> shift_in_low(Lane<T> x, T carry) {
  return Lane<T>(__builtin_shufflevector(Lane<T>(carry).v, x.v, 0, 8, 9, 10, 11, 12, 13, 14));
}
template <class T>
WHORL_INLINE Lane<T> shift_in_high(Lane<T> x, T carry) {
  return Lane<T>(__builtin_shufflevector(x.v, Lane<T>(carry).v, 1, 2, 3, 4, 5, 6, 7, 8));
}

// Between a row and the row of half as many, twice as large cells: sums of neighbours, the low row's in the
// low half; and either half with each value twice.
template <class T>
WHORL_INLINE Lane<T> add_pairs(Lane<T> low, Lane<T> high) {
  return Lane<T>(__builtin_shufflevector(low.v, high.v, 0, 2, 4, 6, 8, 10, 12, 14) +
                 __builtin_shufflevector(low.v, high.v, 1, 3, 5, 7, 9, 11, 13, 15));
}
template <class T>
WHORL_INLINE Lane<T> repeat_low_half(Lane<T> x) {
  return Lane<T>(__builtin_shufflevector(x.v, x.v, 0, 0, 1, 1, 2, 2, 3, 3));
}
template <class T>
WHORL_INLINE Lane<T> repeat_high_half(Lane<T> x) {
  return Lane<T>(__builtin_shufflevector(x.v, x.v, 4, 4, 5, 5, 6, 6, 7, 7));
}

// Of sixteen values, every other one, from the first or from the second on.
template <class T>
WHORL_INLINE Lane<T> even_ones(Lane<T> low, Lane<T> high) {
  return Lane<T>(__builtin_shufflevector(low.v, high.v, 0, 2, 4, 6, 8, 10, 12, 14));
}
template <class T>
WHORL_INLINE Lane<T> odd_ones(Lane<T> low, Lane<T> high) {
  return Lane<T>(__builtin_shufflevector(low.v, high.v, 1, 3, 5, 7, 9, 11, 13, 15));
}

template <class T>
WHORL_INLINE void store_low_half(Lane<T> x, T* p) {
  typedef T Half __attribute__((vector_size(lane_width / 2 * sizeof(T)), aligned(alignof(T))));
  *reinterpret_cast<Half*>(p) = __builtin_shufflevector(x.v, x.v, 0, 1, 2, 3);
}

// Sums and extremes over the eight cells, always in the same order.
template <class T>
WHORL_INLINE T sum(Lane<T> x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}
template <class T>
WHORL_INLINE T max_element(Lane<T> x) {
  T r = x[0];
  for (int i = 1; i < lane_width; ++i) r = max_or_nan(x[i], r);
  return r;
}
template <class T>
WHORL_INLINE T min_element(Lane<T> x) {
  T r = x[0];
  for (int i = 1; i < lane_width; ++i) r = min(x[i], r);
  return r;
}

template <class To, class From>
requires std::is_same_v<To, Lane<typename LaneTraits<To>::Element>> WHORL_INLINE To convert(Lane<From> x) {
  return To(__builtin_convertvector(x.v, typename To::Vector));
}
WHORL_INLINE Lane<int> truncate(Lane<float> x) { return convert<Lane<int>>(x); }
WHORL_INLINE Lane<float> to_float(Lane<int> x) { return convert<Lane<float>>(x); }
WHORL_INLINE Lane<float> floor(Lane<float> x) {
#if defined(__AVX2__)
  return Lane<float>((Lane<float>::Vector)_mm256_floor_ps((__m256)x.v));
#else
  return from_elements<Lane<float>>([&](int k) { return floor(x[k]); });
#endif
}

// The first `count` values from memory, which may end there; the rest are zero.
WHORL_INLINE Lane<float> load_some(const float* p, int count) {
#if defined(__AVX2__)
  const auto wanted = Lane<int>::iota() < Lane<int>(count);
  return Lane<float>((Lane<float>::Vector)_mm256_maskload_ps(p, (__m256i)wanted.v));
#else
  Lane<float> x(0.f);
  for (int i = 0; i < count; ++i) x.set(i, p[i]);
  return x;
#endif
}
// And the other way.
WHORL_INLINE void store_some(Lane<float> x, float* p, int count) {
#if defined(__AVX2__)
  const auto wanted = Lane<int>::iota() < Lane<int>(count);
  _mm256_maskstore_ps(p, (__m256i)wanted.v, (__m256)x.v);
#else
  for (int i = 0; i < count; ++i) p[i] = x[i];
#endif
}

template <class T>
WHORL_INLINE Lane<T> gather(const T* base, Lane<int> index) {
#if defined(__AVX2__)
  if constexpr (std::is_same_v<T, float>)
    return Lane<T>((typename Lane<T>::Vector)_mm256_i32gather_ps(base, (__m256i)index.v, 4));
#endif
  Lane<T> r;
  for (int i = 0; i < lane_width; ++i) r.set(i, base[index[i]]);
  return r;
}

// Eight 64-bit loads instead of sixteen 32-bit ones. Plain loads and inserts: on the processors
// measured (Zen 4) they beat the gather instruction, see bench/advect.cpp.
template <class T>
WHORL_INLINE void gather_pair(const T* base, Lane<int> index, Lane<T>& first, Lane<T>& second) {
#if defined(__AVX2__)
  if constexpr (std::is_same_v<T, float>) {
    const auto two = [&](int i, int j) {
      const __m128i low = _mm_loadu_si64(base + index[i]);
      return _mm_loadh_pi(_mm_castsi128_ps(low), reinterpret_cast<const __m64*>(base + index[j]));
    };
    const __m256 even = _mm256_set_m128(two(4, 5), two(0, 1));  // a0 b0 a1 b1 | a4 b4 a5 b5
    const __m256 odd = _mm256_set_m128(two(6, 7), two(2, 3));   // a2 b2 a3 b3 | a6 b6 a7 b7
    first.v = (typename Lane<T>::Vector)_mm256_shuffle_ps(even, odd, 0x88);
    second.v = (typename Lane<T>::Vector)_mm256_shuffle_ps(even, odd, 0xdd);
    return;
  }
#endif
  for (int i = 0; i < lane_width; ++i) {
    first.set(i, base[index[i]]);
    second.set(i, base[index[i] + 1]);
  }
}

// Indices that count up by one from lane to lane, from one start or with one jump on the way: what a row of
// points in a smooth flow asks for. Plain loads then do what gathers do.
struct IndexRuns {
  int first, second;         // index less lane
  LaneMask<float> in_first;  // the others are in the second
  bool one, two;             // how many runs there are; neither: more
};
WHORL_INLINE IndexRuns runs_of(Lane<int> index) {
  const Lane<int> start = index - Lane<int>::iota();
  IndexRuns r{start[0], start[lane_width - 1], {}, false, false};
  r.in_first = {(start == Lane<int>(r.first)).v};
  r.one = all(r.in_first);
  r.two = all(LaneMask<float>{r.in_first.v | (start == Lane<int>(r.second)).v});
  return r;
}

}  // namespace whorl
