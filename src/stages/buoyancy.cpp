#include "stages/buoyancy.h"

namespace whorl {

namespace {

// How strongly gravity acts at a place, in multiples of it; nothing in cells that hold only ambient air.
template <int D>
struct GravityShare {
  FieldView<const float, D> density, temperature;
  TopologyView<D> cells;
  float smoke_weight, expansion, ambient;

  template <class Real>
  WHORL_INLINE Real of(unsigned active, Real s, Real t) const {
    const Real share = Real(smoke_weight) * s - Real(expansion) * (t - Real(ambient));
    return select(mask_of<Real>(active), share, Real(0.f));
  }
  template <class Index>
  WHORL_INLINE auto at_face(const Index& i, int axis) const {
    using Real = typename Index::Real;
    return Real(0.5f) *
           (of<Real>(cells.active_bits(i), density(i), temperature(i)) +
            of<Real>(cells.active_bits(i, axis, -1), density(i, axis, -1), temperature(i, axis, -1)));
  }
};

template <int D>
struct BuoyancyKernel {
  GravityShare<D> share;
  MacView<float, D> velocity;
  Vec<float, D> gravity_dt;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a)
      if (gravity_dt[a] != 0)
        velocity[a].store(i, velocity[a](i) + Real(gravity_dt[a]) * share.at_face(i, a));
  }
};

}  // namespace

template <int D>
void add_buoyancy(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& density,
                  const Field<float, D>& temperature, const BuoyancyParams<D>& params, double dt) {
  const Zone zone(ex.profile(), "add_buoyancy");
  const Topology<D>& topology = *velocity.topology();
  for_rows(ex, topology.tile_set(),
           BuoyancyKernel<D>{{density.view(), temperature.view(), topology.view(), params.smoke_weight,
                              params.expansion, temperature.background()},
                             velocity.view(),
                             params.gravity * float(dt)});
}

template void add_buoyancy(Exec&, MacField<float, 2>&, const Field<float, 2>&, const Field<float, 2>&,
                           const BuoyancyParams<2>&, double);
template void add_buoyancy(Exec&, MacField<float, 3>&, const Field<float, 3>&, const Field<float, 3>&,
                           const BuoyancyParams<3>&, double);

}  // namespace whorl
