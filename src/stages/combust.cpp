#include "stages/combust.h"

#include <cmath>
#include <numbers>

namespace whorl {

namespace {

using Lane64 = Lane<double>;

// e^x, a cell at a time: only rows that burn pay for it.
template <class Real>
WHORL_INLINE Real exp_of(const Real& x) {
  return from_elements<Real>([&](int k) { return expf(element(x, k)); });
}

// How much of its full rate fuel burns at: none below the ignition temperature.
template <class Real>
WHORL_INLINE Real burning_part(const Real& temperature, float ignition) {
  const Real above = (temperature - Real(ignition)) * Real(1 / ignition_range);
  return min(max(above, Real(0.f)), Real(1.f));
}

template <int D>
struct Burn {
  FieldView<float, D> fuel, temperature, density, flame, expansion;
  TopologyView<D> cells;
  CombustionParams params;
  float ambient, dt;

  // What heat makes of a temperature: dT/dH is 1 up to a knee and falls from there to nothing at the largest
  // temperature, so that many small portions do what one large one does.
  template <class Real>
  WHORL_INLINE Real heated(const Real& t, const Real& heat) const {
    const float soft = (1 - full_heat_part) * (params.max_temperature - ambient);
    const Real most(params.max_temperature);
    const Real in_full = min(heat, max(most - Real(soft) - t, Real(0.f)));
    const Real knee = t + in_full;
    const Real room = max(most - knee, Real(0.f));
    return knee + room * (Real(1.f) - exp_of((in_full - heat) * Real(1 / soft)));
  }

  // Returns what burnt.
  template <class Index>
  WHORL_INLINE auto operator()(const Index& i) const {
    using Real = typename Index::Real;
    const Real f = max(fuel(i), Real(0.f)), t = temperature(i), zero(0.f);
    const Real part =
        select(mask_of<Real>(cells.active_bits(i)), burning_part(t, params.ignition_temperature), zero);
    if (!any(part * f > zero)) return zero;
    const Real burnt = f * (Real(1.f) - exp_of(Real(-params.burn_rate * dt) * part));
    const Real released = Real(params.gas_release / dt) * burnt;
    fuel.store(i, fuel(i) - burnt);
    temperature.store(i, heated(t, Real(params.heat_release) * burnt));
    density.store(i, density(i) + Real(params.soot) * burnt);
    flame.store(i, max(flame(i), min(part * f * Real(1 / params.flame_fuel), Real(1.f))));
    expansion.store(i, expansion(i) + min(released, Real(params.max_expansion)));
    return burnt;
  }
};

// x' = -k x⁴ has the solution x = x₀ / (1 + 3 k t x₀³)^⅓.
template <int D>
struct Radiate {
  FieldView<float, D> temperature;
  float ambient, span, k_dt;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    const Real excess = temperature(i) - Real(ambient), zero(0.f);
    if (!any(excess > zero)) return;
    const Real x = max(excess, zero) * Real(1 / span);
    const Real cubed = Real(1.f) + Real(3 * k_dt) * x * x * x;
    const Real root = from_elements<Real>([&](int k) { return cbrtf(element(cubed, k)); });
    temperature.store(i, Real(ambient) + excess / root);
  }
};

}  // namespace

template <int D>
double combust(Exec& ex, const BurningGas<D>& gas, const CombustionParams& params, double h, double dt) {
  const Zone zone(ex.profile(), "combust");
  const Topology<D>& topology = *gas.fuel.topology();
  const Burn<D> burn{gas.fuel.view(),  gas.temperature.view(),       gas.density.view(),
                     gas.flame.view(), gas.expansion.view(),         topology.view(),
                     params,           gas.temperature.background(), float(dt)};
  return std::pow(h, D) * sum_rows<double>(ex, topology.active_tile_set(),
                                           [=](const RowIndex<D>& r) { return convert<Lane64>(burn(r)); });
}

template <int D>
void radiate(Exec& ex, Field<float, D>& temperature, const CombustionParams& params, double dt) {
  if (params.cooling == 0) return;
  const Zone zone(ex.profile(), "radiate");
  const float ambient = temperature.background(), span = params.max_temperature - ambient;
  for_rows(ex, temperature.topology()->active_tile_set(),
           Radiate<D>{temperature.view(), ambient, span, float(params.cooling * dt) / span});
}

template <int D>
ExpansionBounds expansion_bounds(Exec& ex, const Field<float, D>& fuel, const Field<float, D>& temperature,
                                 const CombustionParams& params, double h) {
  const FieldView<const float, D> f = fuel.view(), t = temperature.view();
  const TopologyView<D> cells = fuel.topology()->view();
  const auto rate = [=](const RowIndex<D>& r) {
    using Real = Lane<float>;
    const Real released = Real(params.gas_release * params.burn_rate) * max(f(r), Real(0.f)) *
                          burning_part(t(r), params.ignition_temperature);
    return select(Real::mask_from_bits(cells.active_bits(r)), min(released, Real(params.max_expansion)),
                  Real(0.f));
  };
  const TileSet<D> tiles = fuel.topology()->active_tile_set();
  const double most = max_rows<float>(ex, tiles, 0.f, rate);
  if (!(most > 0)) return {most, most};
  const double all = std::pow(h, D) * sum_rows<double>(ex, tiles, [=](const RowIndex<D>& r) {
                       return convert<Lane64>(rate(r));
                     });
  const double unit_ball = D == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  return {most, most * std::pow(all / most / unit_ball, 1. / D) / D};
}

#define WHORL_INSTANTIATE(D)                                                                       \
  template double combust(Exec&, const BurningGas<D>&, const CombustionParams&, double, double);   \
  template void radiate(Exec&, Field<float, D>&, const CombustionParams&, double);                 \
  template ExpansionBounds expansion_bounds(Exec&, const Field<float, D>&, const Field<float, D>&, \
                                            const CombustionParams&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
