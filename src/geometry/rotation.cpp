#include "geometry/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl {

Quaternion Quaternion::operator*(const Quaternion& first) const {
  return {w * first.w - dot(v, first.v), first.v * w + v * first.w + cross(v, first.v)};
}

template <int D>
Quaternion quaternion(const Angles<D>& degrees) {
  constexpr int turns = D * (D - 1) / 2;
  Quaternion q;
  for (int i = 0; i < turns; ++i) {
    const int axis = i + 3 - turns;  // 2D turns about z alone
    const double half = degrees[i] * std::numbers::pi / 360;
    q = Quaternion{std::cos(half), Vec<double, 3>::unit(axis, std::sin(half))} * q;
  }
  return q;
}

template <int D>
Rotation<D> rotation(const Quaternion& q) {
  Rotation<D> r;
  for (int a = 0; a < D; ++a) {
    // x + 2 w (v × x) + 2 v × (v × x), of each axis
    const Vec<double, 3> axis = Vec<double, 3>::unit(a), once = cross(q.v, axis);
    const Vec<double, 3> turned = axis + once * (2 * q.w) + cross(q.v, once) * 2.;
    for (int b = 0; b < D; ++b) r.column[a][b] = turned[b];
  }
  return r;
}

Vec<double, 3> turn_between(const Quaternion& from, const Quaternion& to) {
  Quaternion q = to * from.inverse();
  if (q.w < 0) q = {-q.w, Vec<double, 3>{} - q.v};  // the shorter way
  const double sine = length(q.v);
  return sine > 0 ? q.v * (2 * std::atan2(sine, q.w) / sine) : Vec<double, 3>{};
}

Quaternion slerp(const Quaternion& from, const Quaternion& to, double t) {
  const Vec<double, 3> turn = turn_between(from, to);
  const double half = 0.5 * length(turn);
  if (half == 0) return from;
  return Quaternion{std::cos(half * t), turn * (std::sin(half * t) / (2 * half))} * from;
}

template Quaternion quaternion<2>(const Angles<2>&);
template Quaternion quaternion<3>(const Angles<3>&);
template Rotation<2> rotation<2>(const Quaternion&);
template Rotation<3> rotation<3>(const Quaternion&);

}  // namespace whorl
