#include "stages/buoyancy.h"

#include "stages/measure.h"

#include <algorithm>
#include <cmath>

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
GravityShare<D> gravity_share(const Field<float, D>& density, const Field<float, D>& temperature,
                              const BuoyancyParams<D>& params) {
  return {density.view(),      temperature.view(), density.topology()->view(),
          params.smoke_weight, params.expansion,   temperature.background()};
}

template <int D>
struct BuoyancyKernel {
  GravityShare<D> share;
  MacView<float, D> velocity;
  Vec<float, D> gravity;
  MacView<const float, D> gravity_at;  // null: `gravity` everywhere
  float dt;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      if (!gravity_at[a].data && gravity[a] == 0) continue;
      const Real g = gravity_at[a].data ? gravity_at[a](i) : Real(gravity[a]);
      velocity[a].store(i, velocity[a](i) + Real(dt) * g * share.at_face(i, a));
    }
  }
};

template <int D>
MacField<float, D> gravity_field(Exec& ex, const TopologyPtr<D>& topology, const BuoyancyParams<D>& params) {
  MacField<float, D> gravity(ex, topology);
  params.gravity_at(gravity);
  return gravity;
}

}  // namespace

template <int D>
void add_buoyancy(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& density,
                  const Field<float, D>& temperature, const BuoyancyParams<D>& params, double dt) {
  const Zone zone(ex.profile(), "add_buoyancy");
  MacField<float, D> gravity;
  if (params.gravity_at) gravity = gravity_field(ex, velocity.topology(), params);
  for_rows(ex, velocity.topology()->tile_set(),
           BuoyancyKernel<D>{gravity_share(density, temperature, params), velocity.view(), params.gravity,
                             params.gravity_at ? std::as_const(gravity).view() : MacView<const float, D>(),
                             float(dt)});
}

template <int D>
double max_buoyancy(Exec& ex, const Field<float, D>& density, const Field<float, D>& temperature,
                    const BuoyancyParams<D>& params) {
  const GravityShare<D> share = gravity_share(density, temperature, params);
  const double most =
      max_rows<float>(ex, density.topology()->active_tile_set(), 0.f, [=](const RowIndex<D>& r) {
        return abs(share.of(share.cells.active_bits(r), share.density(r), share.temperature(r)));
      });
  if (params.gravity_at) return most * max_component(ex, gravity_field(ex, density.topology(), params));
  float strongest = 0;
  for (int a = 0; a < D; ++a) strongest = std::max(strongest, std::abs(params.gravity[a]));
  return most * strongest;
}

template void add_buoyancy(Exec&, MacField<float, 2>&, const Field<float, 2>&, const Field<float, 2>&,
                           const BuoyancyParams<2>&, double);
template void add_buoyancy(Exec&, MacField<float, 3>&, const Field<float, 3>&, const Field<float, 3>&,
                           const BuoyancyParams<3>&, double);
template double max_buoyancy(Exec&, const Field<float, 2>&, const Field<float, 2>&, const BuoyancyParams<2>&);
template double max_buoyancy(Exec&, const Field<float, 3>&, const Field<float, 3>&, const BuoyancyParams<3>&);

}  // namespace whorl
