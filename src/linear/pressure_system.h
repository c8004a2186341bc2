// The pressure equation on one grid, in the form that solvers and preconditioners share:
//
//   (A p)_i = 1/h² (d_i p_i - Σ_j w_ij p_j)      over active cells j next to i
//
// w_ij is the open fraction of the face between two cells. The diagonal d_i is the sum of i's
// weights, and w/θ for each face to air, whose pressure is zero θ cells away from the centre of i.
#pragma once

#include "grid/field.h"

namespace whorl {

template <int D>
struct PressureSystem {
  TopologyPtr<D> topology;
  MacField<float, D> weight;  // open fraction of each face; towards air it may be set, p is zero there
  Field<float, D> diagonal;   // zero on cells that are not active, or are closed on every side
  bool touches_air = false;   // somewhere; if nowhere, A takes no notice of a constant
};

// From the open fraction of every face; air, where it is, begins at the centre of the next cell (θ = 1).
template <int D>
PressureSystem<D> pressure_system(Exec& ex, MacField<float, D> open);

// A p at an index, without the 1/h².
template <class T, int D>
struct ApplySystem {
  FieldView<const T, D> p;
  MacView<const float, D> weight;
  FieldView<const float, D> diagonal;

  template <class Index>
  WHORL_INLINE auto operator()(const Index& i) const {
    const auto centre = p(i);
    using Value = std::remove_const_t<decltype(centre)>;
    Value sum = convert<Value>(diagonal(i)) * centre;
    for (int a = 0; a < D; ++a)
      sum = sum -
            (convert<Value>(weight[a](i)) * p(i, a, -1) + convert<Value>(weight[a](i, a, +1)) * p(i, a, +1));
    return sum;
  }
};

template <class T, int D>
ApplySystem<T, D> apply_system(const PressureSystem<D>& system, const Field<T, D>& p) {
  return {p.view(), system.weight.view(), system.diagonal.view()};
}

}  // namespace whorl
