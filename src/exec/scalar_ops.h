// The operations that a kernel may ask of its number type, for the scalar that a GPU thread holds.
// lane.h has the same names for the CPU's lane of eight, so one kernel text serves both.
#pragma once

#include "base/portable.h"

#include <cmath>

namespace whorl {

// What one element of T is, and how many cells a T covers.
template <class T>
struct LaneTraits {
  using Element = T;
  using Int = int;
  static constexpr int width = 1;
};

template <class T>
WHORL_INLINE T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
// From one bit an element, lowest first.
template <class Real>
WHORL_INLINE auto mask_of(unsigned bits) {
  if constexpr (LaneTraits<Real>::width == 1)
    return (bits & 1) != 0;
  else
    return Real::mask_from_bits(bits);
}
WHORL_INLINE bool any(bool condition) { return condition; }
WHORL_INLINE bool all(bool condition) { return condition; }

// A NaN in x gives y: kernels rely on it to keep indices inside their bricks.
template <class T>
WHORL_INLINE T max(T x, T y) {
  return x > y ? x : y;
}
template <class T>
WHORL_INLINE T min(T x, T y) {
  return x < y ? x : y;
}
// As max(), but a NaN on either side stays.
template <class T>
WHORL_INLINE T max_or_nan(T x, T y) {
  return select((x <= y) | !(y == y), y, x);
}
template <class T>
WHORL_INLINE T abs(T x) {
  return x < T(0) ? -x : x;
}

WHORL_INLINE int truncate(float x) { return int(x); }  // toward zero
WHORL_INLINE float to_float(int x) { return float(x); }
WHORL_INLINE float floor(float x) { return floorf(x); }
WHORL_INLINE float sqrt(float x) { return sqrtf(x); }

// One number, or a lane of neighbours, from and to memory.
template <class Real, class T>
WHORL_INLINE Real read(const T* p) {
  if constexpr (LaneTraits<Real>::width == 1)
    return *p;
  else
    return Real::load(p);
}
template <class Real, class T>
WHORL_INLINE void write(T* p, const Real& x) {
  if constexpr (LaneTraits<Real>::width == 1)
    *p = x;
  else
    x.store(p);
}

// How far each element stands along the row: 0, or 0 … 7.
template <class Real>
WHORL_INLINE Real row_steps() {
  if constexpr (LaneTraits<Real>::width == 1)
    return Real(0);
  else
    return Real::iota();
}

// Element k of a number or lane, and f(k) for each of them put together.
template <class Real>
WHORL_INLINE auto element(const Real& x, int k) {
  if constexpr (LaneTraits<Real>::width == 1)
    return x;
  else
    return x[k];
}
template <class Real, class F>
WHORL_INLINE Real from_elements(const F& f) {
  if constexpr (LaneTraits<Real>::width == 1) {
    return f(0);
  } else {
    Real r;
    for (int k = 0; k < LaneTraits<Real>::width; ++k) r.set(k, f(k));
    return r;
  }
}

template <class To, class From>
WHORL_INLINE To convert(From x) {
  return To(x);
}

template <class T>
WHORL_INLINE T gather(const T* base, int index) {
  return base[index];
}
// Two neighbours in memory: base[index] and base[index + 1].
template <class T>
WHORL_INLINE void gather_pair(const T* base, int index, T& first, T& second) {
  first = base[index];
  second = base[index + 1];
}

}  // namespace whorl
