#include "stages/confine.h"

#include "stages/vorticity.h"

namespace whorl {

namespace {

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
  MacField<float, D> centred = centred_velocity(ex, velocity);
  const MacField<float, D> curl = centred_vorticity(ex, centred, h);
  const MacView<const float, D> c = std::as_const(centred).view(), w = curl.view();
  for_rows(ex, topology->tile_set(), ConfinementForce<D>{w, centred.view(), float(strength * h * dt)});
  for_rows(ex, topology->tile_set(), AddToFaces<D>{c, cells, velocity.view()});
}

template void confine_vorticity(Exec&, MacField<float, 2>&, double, double, double);
template void confine_vorticity(Exec&, MacField<float, 3>&, double, double, double);

}  // namespace whorl
