// Sampling faces for particles of one tile, eight at a time.
#pragma once

#include "grid/brick.h"
#include "grid/trace.h"

namespace whorl {

// Corners of a cell are numbered by bits, bit b for axis b.
template <int D>
inline constexpr int corners = 1 << D;

// Where a particle is among the samples of a component: the one below it, and how far it is from there.
template <int D, class Real>
WHORL_INLINE void split(const Vec<Real, D>& x, int component, Vec<Real, D>& whole, Vec<Real, D>& t) {
  for (int b = 0; b < D; ++b) {
    const Real s = x[b] - Real(sample_offset(component, b));
    whole[b] = floor(s);
    t[b] = s - whole[b];
  }
}

// Indices into a brick of a tile's samples, which must hold all corners.
template <int D>
WHORL_INLINE Lane<int> index_in(const BrickBox<D>& box, const Vec<Lane<float>, D>& whole) {
  Lane<float> steps(0.f);  // whole numbers far below 2^24: exact
  for (int b = 0; b < D; ++b)
    steps = steps + (whole[b] - Lane<float>(float(box.lo[b]))) * Lane<float>(float(box.stride(b)));
  return truncate(steps);
}

template <int D>
WHORL_INLINE void corner_values(const Brick<D>& brick, Lane<int> index, Lane<float>* f) {
  constexpr int last = 1 << (D - 1);  // along which samples are neighbours in memory
  for (int k = 0; k < last; ++k) {
    int offset = 0;
    for (int b = 0; b < D - 1; ++b) offset += (k >> b & 1) * brick.box.stride(b);
    gather_pair(brick.data + offset, index, f[k], f[k | last]);
  }
}

// A component at eight places, in cells from the tile's low corner.
template <int D>
WHORL_INLINE Lane<float> sample_component(const Brick<D>& brick, int component,
                                          const Vec<Lane<float>, D>& x) {
  Vec<Lane<float>, D> whole, t;
  split<D>(x, component, whole, t);
  Lane<float> f[corners<D>];
  corner_values(brick, index_in(brick.box, whole), f);
  for (int b = D - 1; b >= 0; --b)
    for (int k = 0; k < 1 << b; ++k) f[k] = f[k] + t[b] * (f[k | 1 << b] - f[k]);
  return f[0];
}

// The first `count` values of a lane, where the particles of a tile may end before the lane does.
WHORL_INLINE Lane<float> read_some(const float* from, int count) {
  return count == lane_width ? Lane<float>::load(from) : load_some(from, count);
}
WHORL_INLINE void write_some(Lane<float> x, float* to, int count) {
  if (count == lane_width) return x.store(to);
  store_some(x, to, count);
}

}  // namespace whorl
