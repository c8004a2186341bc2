// Turns in space: by angles, as scenes say them; as a quaternion, to go from one to another at an even pace;
// and as a matrix, to turn points. In 2D there is one axis, z.
#pragma once

#include "base/vec.h"

namespace whorl {

// Turns about the coordinate axes, in degrees, anticlockwise seen from the axis's tip: about x first,
// then y, then z. In 2D there is one, about z.
template <int D>
using Angles = Vec<double, D*(D - 1) / 2>;

// The columns are where the axes go.
template <int D>
struct Rotation {
  Vec<double, D> column[D];

  Vec<double, D> apply(const Vec<double, D>& x) const {
    Vec<double, D> y{};
    for (int a = 0; a < D; ++a) y = y + column[a] * x[a];
    return y;
  }
  Vec<double, D> apply_inverse(const Vec<double, D>& x) const {
    Vec<double, D> y;
    for (int a = 0; a < D; ++a) y[a] = dot(column[a], x);
    return y;
  }
};

// Of unit length: the cosine of half the angle, and the axis times its sine.
struct Quaternion {
  double w = 1;
  Vec<double, 3> v{};

  Quaternion operator*(const Quaternion& first) const;  // `first` is the turn that comes first
  Quaternion inverse() const { return {w, Vec<double, 3>{} - v}; }
};

template <int D>
Quaternion quaternion(const Angles<D>& degrees);
template <int D>
Rotation<D> rotation(const Quaternion& q);
template <int D>
Rotation<D> rotation(const Angles<D>& degrees) {
  return rotation<D>(quaternion<D>(degrees));
}

// The part t of the shortest way from one to the other, about a fixed axis at an even pace (Shoemake 1985).
Quaternion slerp(const Quaternion& from, const Quaternion& to, double t);

// The turn about a fixed axis that leads from one to the other: its axis times its angle in radians.
Vec<double, 3> turn_between(const Quaternion& from, const Quaternion& to);

}  // namespace whorl
