// Interpolation from samples at whole numbers: the formulas along one axis, and their product over D.
#pragma once

#include "base/vec.h"
#include "exec/scalar_ops.h"

namespace whorl {

// Each method reads the samples at -before … +after round the interval that holds the point, and
// evaluates at t in [0, 1] within it.
struct Linear {
  static constexpr int before = 0, after = 1;
  template <class Real>
  WHORL_INLINE static Real eval(const Real* v, Real t) {
    return v[0] + t * (v[1] - v[0]);
  }
};

// Cubic Hermite with central-difference slopes (Catmull & Rom 1974).
struct CatmullRom {
  static constexpr int before = 1, after = 2;
  template <class Real>
  WHORL_INLINE static Real eval(const Real* v, Real t) {
    const Real d0 = Real(0.5f) * (v[2] - v[0]), d1 = Real(0.5f) * (v[3] - v[1]);
    return hermite(v[1], v[2], d0, d1, t);
  }
  template <class Real>
  WHORL_INLINE static Real hermite(Real f0, Real f1, Real d0, Real d1, Real t) {
    const Real rise = f1 - f0;
    const Real a = d0 + d1 - Real(2.f) * rise, b = Real(3.f) * rise - Real(2.f) * d0 - d1;
    return ((a * t + b) * t + d0) * t + f0;
  }
};

// The same with each slope set to zero where it points against the rise (Fedkiw, Stam & Jensen 2001,
// app. B). A slope of more than three times the rise may still overshoot a little; limiting those too
// (Fritsch & Carlson 1980) clips every crest and costs a third more error (V-B1), so it is not done.
struct MonotoneCubic {
  static constexpr int before = 1, after = 2;
  template <class Real>
  WHORL_INLINE static Real eval(const Real* v, Real t) {
    const Real zero(0.f), half(0.5f), rise = v[2] - v[1];
    const Real d0 = half * (v[2] - v[0]), d1 = half * (v[3] - v[1]);
    return CatmullRom::hermite(v[1], v[2], select(d0 * rise > zero, d0, zero),
                               select(d1 * rise > zero, d1, zero), t);
  }
};

template <class Real>
struct Sampled {
  Real value;
  Real lo, hi;  // extremes of the 2^D samples nearest to the point: what a limiter may not leave
};

namespace detail {

// Interpolates along axis A and those after it. `near` says whether the offsets so far are among
// the two nearest; only then do the samples count towards the extremes.
template <class Method, int A, int D, class Cursor, class Real>
WHORL_INLINE Real interpolate_from(const Cursor& cursor, Coord<D> offset, const Vec<Real, D>& t, bool near,
                                   Sampled<Real>* extremes) {
  constexpr int width = Method::before + 1 + Method::after;
  Real v[width];
  if constexpr (A == D - 1) {
    offset[A] = -Method::before;
    cursor.template row<width>(offset, v);
    if (extremes && near) {
      const Real &x = v[Method::before], &y = v[Method::before + 1];
      extremes->lo = min(extremes->lo, min(x, y));
      extremes->hi = max(extremes->hi, max(x, y));
    }
  } else {
    for (int k = 0; k < width; ++k) {
      offset[A] = k - Method::before;
      const bool nearest = near && (offset[A] == 0 || offset[A] == 1);
      v[k] = interpolate_from<Method, A + 1, D>(cursor, offset, t, nearest, extremes);
    }
  }
  return Method::eval(v, t[A]);
}

}  // namespace detail

// A cursor stands at a cell and reads rows of samples round it:
//   cursor.row<width>(offset, out)   out[k] = sample at cell + offset + k · (last axis)
template <class Method, int D, class Cursor, class Real>
WHORL_INLINE Real interpolate(const Cursor& cursor, const Vec<Real, D>& t) {
  return detail::interpolate_from<Method, 0, D, Cursor, Real>(cursor, {}, t, false, nullptr);
}

template <class Method, int D, class Cursor, class Real>
WHORL_INLINE Sampled<Real> interpolate_with_bounds(const Cursor& cursor, const Vec<Real, D>& t) {
  Sampled<Real> s;
  s.lo = Real(3e38f);
  s.hi = Real(-3e38f);
  s.value = detail::interpolate_from<Method, 0, D, Cursor, Real>(cursor, {}, t, true, &s);
  return s;
}

}  // namespace whorl
