// The pressure operator A = -div grad, matrix-free, 2·D + 1 points:
//
//   (A p)_i = 1/h² Σ_faces w_f (p_i - p_j)
//
// with w_f the open fraction of the face between cells i and j: 1 in the open, 0 at a wall.
// A cell without pressure (air) counts as p = 0, so an open face to air is a Dirichlet condition.
#pragma once

#include "grid/field_view.h"
#include "grid/topology.h"

namespace whorl {

// Every face open.
template <class T, int D>
struct LaplacianKernel {
  FieldView<const T, D> p;
  FieldView<T, D> out;
  T inv_h2;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    auto sum = p(i, 0, -1) + p(i, 0, +1);
    for (int a = 1; a < D; ++a) sum = sum + (p(i, a, -1) + p(i, a, +1));  // in pairs: mirrors exactly
    out.store(i, (T(2 * D) * p(i) - sum) * inv_h2);
  }
  WHORL_INLINE void prefetch(const auto& i) const { p.prefetch(i); }
};

// Faces with weights; the value at one place, for kernels that do more with it.
template <class T, int D>
struct WeightedLaplacian {
  FieldView<const T, D> p;
  MacView<const float, D> weight;
  T inv_h2;

  template <class Index>
  WHORL_INLINE auto operator()(const Index& i) const {
    const auto centre = p(i);
    using Value = std::remove_const_t<decltype(centre)>;
    Value sum(T(0));
    for (int a = 0; a < D; ++a)
      sum = sum + (convert<Value>(weight[a](i)) * (centre - p(i, a, -1)) +
                   convert<Value>(weight[a](i, a, +1)) * (centre - p(i, a, +1)));
    return sum * inv_h2;
  }
};

template <class T, int D>
struct WeightedLaplacianKernel {
  WeightedLaplacian<T, D> laplacian;
  FieldView<T, D> out;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    out.store(i, laplacian(i));
  }
  WHORL_INLINE void prefetch(const auto& i) const {
    laplacian.p.prefetch(i);
    for (int a = 0; a < D; ++a) {
      laplacian.weight[a].prefetch_own(i);
      laplacian.weight[a].prefetch_next(i, a);
    }
  }
};

}  // namespace whorl
