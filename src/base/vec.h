// Small fixed vectors. T may be a number or a lane of numbers, so point kernels are written once.
#pragma once

#include "base/portable.h"

#include <cmath>
#include <ostream>

namespace whorl {

template <class T, int D>
struct Vec {
  T v[D];

  WHORL_INLINE constexpr T& operator[](int a) { return v[a]; }
  WHORL_INLINE constexpr const T& operator[](int a) const { return v[a]; }

  WHORL_INLINE static constexpr Vec filled(T x) {
    Vec r{};
    for (int a = 0; a < D; ++a) r.v[a] = x;
    return r;
  }
  WHORL_INLINE static constexpr Vec unit(int axis, T length = T(1)) {
    Vec r{};
    r.v[axis] = length;
    return r;
  }

  friend WHORL_INLINE constexpr Vec operator+(Vec x, const Vec& y) {
    for (int a = 0; a < D; ++a) x.v[a] = x.v[a] + y.v[a];
    return x;
  }
  friend WHORL_INLINE constexpr Vec operator-(Vec x, const Vec& y) {
    for (int a = 0; a < D; ++a) x.v[a] = x.v[a] - y.v[a];
    return x;
  }
  friend WHORL_INLINE constexpr Vec operator*(Vec x, T s) {
    for (int a = 0; a < D; ++a) x.v[a] = x.v[a] * s;
    return x;
  }

  friend constexpr bool operator==(const Vec& x, const Vec& y) {
    for (int a = 0; a < D; ++a)
      if (!(x.v[a] == y.v[a])) return false;
    return true;
  }
  // Lexicographic, the first axis slowest: the order of tiles in memory.
  friend constexpr bool operator<(const Vec& x, const Vec& y) {
    for (int a = 0; a < D; ++a)
      if (x.v[a] != y.v[a]) return x.v[a] < y.v[a];
    return false;
  }
  friend std::ostream& operator<<(std::ostream& out, const Vec& x) {
    out << '(';
    for (int a = 0; a < D; ++a) out << (a ? ", " : "") << x.v[a];
    return out << ')';
  }
};

template <class T, int D>
WHORL_INLINE constexpr T dot(const Vec<T, D>& x, const Vec<T, D>& y) {
  T sum(0);
  for (int a = 0; a < D; ++a) sum = sum + x[a] * y[a];
  return sum;
}
template <class T, int D>
WHORL_INLINE T length(const Vec<T, D>& x) {
  return std::sqrt(dot(x, x));
}
template <class T, int D>
WHORL_INLINE Vec<T, D> normalised(const Vec<T, D>& x) {
  return x * (T(1) / length(x));
}

template <class T>
WHORL_INLINE constexpr Vec<T, 3> cross(const Vec<T, 3>& x, const Vec<T, 3>& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

template <int D>
using Coord = Vec<int, D>;  // of a cell or of a tile

template <class To, class From, int D>
WHORL_INLINE constexpr Vec<To, D> convert(const Vec<From, D>& x) {
  Vec<To, D> y{};
  for (int a = 0; a < D; ++a) y[a] = To(x[a]);
  return y;
}

// The quotient rounded down, for y > 0.
WHORL_INLINE constexpr int floor_div(int x, int y) { return x >= 0 ? x / y : -((-x + y - 1) / y); }

// base^D for integers known at compile time.
template <int D>
WHORL_INLINE constexpr int ipow(int base) {
  int r = 1;
  for (int a = 0; a < D; ++a) r *= base;
  return r;
}

}  // namespace whorl
