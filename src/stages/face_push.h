// What kernels that push the air at its faces share: where a face is, and which faces there are to push.
#pragma once

#include "grid/field.h"
#include "grid/trace.h"

namespace whorl {

// From a point to the low faces along `axis` of the cells at an index, in metres; all is counted from the low
// corner of cell 0. In double up to the difference: a float knows a cell from the next only near the point.
template <int D, class Index>
WHORL_INLINE Vec<typename Index::Real, D> face_from(const Vec<double, D>& point, const TopologyView<D>& cells,
                                                    const Index& i, int axis, double h) {
  using Real = typename Index::Real;
  Vec<Real, D> d;
  for (int b = 0; b < D; ++b) {
    const double place = cells.tiles[i.tile][b] * tile_side + i.at[b] + double(sample_offset(axis, b));
    d[b] = Real(float(h * place - point[b]));
  }
  d[D - 1] = d[D - 1] + row_steps<Real>() * Real(float(h));
  return d;
}

// A rotation has three parts in 3D; in 2D one, about z.
template <class T, int D>
using Turn = Vec<T, D*(D - 1) / 2>;

// Component a of w × d.
template <int D, class Real>
WHORL_INLINE Real cross_component(const Turn<float, D>& w, const Vec<Real, D>& d, int a) {
  if constexpr (D == 3) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    return Real(w[b]) * d[c] - Real(w[c]) * d[b];
  } else {
    return a == 0 ? Real(-w[0]) * d[1] : Real(w[0]) * d[0];
  }
}

// Adds to the velocity at live faces, and there as much as a mask says.
template <int D>
struct FacePush {
  MacView<float, D> velocity;
  MacView<const float, D> mask;  // null: 1 everywhere
  TopologyView<D> cells;
  float dt;

  template <class Index>
  WHORL_INLINE auto share(const Index& i, int axis) const {
    using Real = typename Index::Real;
    return select(mask_of<Real>(cells.live_face_bits(i, axis)), mask[axis].data ? mask[axis](i) : Real(1.f),
                  Real(0.f));
  }
  template <class Index>
  WHORL_INLINE void add(const Index& i, int axis, typename Index::Real acceleration) const {
    using Real = typename Index::Real;
    velocity[axis].store(i, velocity[axis](i) + Real(dt) * share(i, axis) * acceleration);
  }
};

}  // namespace whorl
