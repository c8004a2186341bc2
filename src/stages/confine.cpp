#include "stages/confine.h"

namespace whorl {

namespace {

// A vorticity has three parts in 3D; in 2D one, about z.
template <int D>
inline constexpr int curl_parts = D == 3 ? 3 : 1;

template <int D>
struct CentredVelocity {
  MacView<const float, D> u;
  MacView<float, D> out;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) out[a].store(i, Real(0.5f) * (u[a](i) + u[a](i, a, +1)));
  }
};

// Zero where a neighbour is missing: a difference with nothing is no swirl.
template <int D>
struct Curl {
  MacView<const float, D> c;
  TopologyView<D> cells;
  MacView<float, D> out;
  float inv_2h;

  template <class Index>
  WHORL_INLINE auto slope(int component, const Index& i, int axis) const {
    return typename Index::Real(inv_2h) * (c[component](i, axis, +1) - c[component](i, axis, -1));
  }
  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    unsigned inner = cells.active_bits(i);
    for (int a = 0; a < D; ++a) inner &= cells.active_bits(i, a, -1) & cells.active_bits(i, a, +1);
    for (int k = 0; k < curl_parts<D>; ++k) {
      const int a = D == 3 ? (k + 1) % 3 : 0, b = D == 3 ? (k + 2) % 3 : 1;
      out[k].store(i, select(mask_of<Real>(inner), slope(b, i, a) - slope(a, i, b), Real(0.f)));
    }
  }
};

// ε h (N × ω) at cell centres.
template <int D>
struct ConfinementForce {
  MacView<const float, D> curl;
  MacView<float, D> out;
  float scale;  // ε h dt

  template <class Index>
  WHORL_INLINE auto strength(const Index& i, int axis, int step) const {
    using Real = typename Index::Real;
    Real sum(0.f);
    for (int k = 0; k < curl_parts<D>; ++k) sum += curl[k](i, axis, step) * curl[k](i, axis, step);
    return sqrt(sum);
  }
  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    Vec<Real, D> slope;
    Real length2(1e-20f);
    for (int a = 0; a < D; ++a) {
      slope[a] = strength(i, a, +1) - strength(i, a, -1);
      length2 += slope[a] * slope[a];
    }
    const Real part = Real(scale) / sqrt(length2);
    for (int a = 0; a < D; ++a) {
      if constexpr (D == 3) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        out[a].store(i, part * (slope[b] * curl[c](i) - slope[c] * curl[b](i)));
      } else {
        out[a].store(i, part * (a == 0 ? slope[1] : Real(0.f) - slope[0]) * curl[0](i));
      }
    }
  }
};

template <int D>
struct AddToFaces {
  MacView<const float, D> centred;
  TopologyView<D> cells;
  MacView<float, D> u;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      // Without a cell on both sides there is no force.
      const auto between = mask_of<Real>(cells.active_bits(i) & cells.active_bits(i, a, -1));
      const Real force = Real(0.5f) * (centred[a](i) + centred[a](i, a, -1));
      u[a].store(i, u[a](i) + select(between, force, Real(0.f)));
    }
  }
};

}  // namespace

template <int D>
void confine_vorticity(Exec& ex, MacField<float, D>& velocity, double strength, double h, double dt) {
  if (strength == 0) return;
  const Zone zone(ex.profile(), "confine_vorticity");
  const TopologyPtr<D>& topology = velocity.topology();
  const TopologyView<D> cells = topology->view();
  MacField<float, D> centred = MacField<float, D>::unfilled(ex, topology);
  MacField<float, D> curl = MacField<float, D>::unfilled(ex, topology);
  const MacView<const float, D> c = std::as_const(centred).view(), w = std::as_const(curl).view();
  for_rows(ex, topology->tile_set(), CentredVelocity<D>{std::as_const(velocity).view(), centred.view()});
  for_rows(ex, topology->tile_set(), Curl<D>{c, cells, curl.view(), float(0.5 / h)});
  for_rows(ex, topology->tile_set(), ConfinementForce<D>{w, centred.view(), float(strength * h * dt)});
  for_rows(ex, topology->tile_set(), AddToFaces<D>{c, cells, velocity.view()});
}

template void confine_vorticity(Exec&, MacField<float, 2>&, double, double, double);
template void confine_vorticity(Exec&, MacField<float, 3>&, double, double, double);

}  // namespace whorl
