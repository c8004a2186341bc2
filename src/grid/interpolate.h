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
  Real lo, hi;  // extremes of the samples that linear interpolation would use: what a limiter may not leave
};

namespace detail {

// Extremes of two neighbours along an axis, t of the way from x to y. The further one fades in over a part of
// the way: a point on a sample then has the same extremes seen from either side, so mirrored flows stay
// mirrored, and no rounding of t makes them jump.
template <class Real>
WHORL_INLINE void merge_extremes(Sampled<Real>& out, const Sampled<Real>& x, const Sampled<Real>& y, Real t) {
  const Real one(1.f), steep(8.f);
  const Real from_x = min(steep * t, one), from_y = min(steep * (one - t), one);
  out.lo = min(y.lo + from_y * (x.lo - y.lo), x.lo + from_x * (y.lo - x.lo));
  out.hi = max(y.hi + from_y * (x.hi - y.hi), x.hi + from_x * (y.hi - x.hi));
}

// Interpolates along axis A and those after it; with `extremes`, also over the 2^D nearest samples, which
// the offsets so far are among if `near`.
template <class Method, int A, bool extremes, int D, class Cursor, class Real>
WHORL_INLINE Sampled<Real> interpolate_from(const Cursor& cursor, Coord<D> offset, const Vec<Real, D>& t,
                                            bool near) {
  constexpr int width = Method::before + 1 + Method::after;
  Real v[width];
  Sampled<Real> out, nearest[2];
  if constexpr (A == D - 1) {
    offset[A] = -Method::before;
    cursor.template row<width>(offset, v);
    if (extremes && near)
      for (int k = 0; k < 2; ++k) nearest[k].lo = nearest[k].hi = v[Method::before + k];
  } else {
    for (int k = 0; k < width; ++k) {
      offset[A] = k - Method::before;
      const bool still_near = near && (offset[A] == 0 || offset[A] == 1);
      const Sampled<Real> s =
          interpolate_from<Method, A + 1, extremes, D, Cursor, Real>(cursor, offset, t, still_near);
      v[k] = s.value;
      if (extremes && still_near) nearest[offset[A]] = s;
    }
  }
  if (extremes && near) merge_extremes(out, nearest[0], nearest[1], t[A]);
  out.value = Method::eval(v, t[A]);
  return out;
}

}  // namespace detail

// A cursor stands at a cell and reads rows of samples round it:
//   cursor.row<width>(offset, out)   out[k] = sample at cell + offset + k · (last axis)
template <class Method, int D, class Cursor, class Real>
WHORL_INLINE Real interpolate(const Cursor& cursor, const Vec<Real, D>& t) {
  return detail::interpolate_from<Method, 0, false, D, Cursor, Real>(cursor, {}, t, true).value;
}

template <class Method, int D, class Cursor, class Real>
WHORL_INLINE Sampled<Real> interpolate_with_bounds(const Cursor& cursor, const Vec<Real, D>& t) {
  return detail::interpolate_from<Method, 0, true, D, Cursor, Real>(cursor, {}, t, true);
}

}  // namespace whorl
