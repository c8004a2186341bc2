#include "linear/pressure_system.h"

namespace whorl {

template <int D>
PressureSystem<D> pressure_system(Exec& ex, MacField<float, D> open) {
  const Zone zone(ex.profile(), "pressure_system");
  using Real = Lane<float>;
  const TopologyPtr<D> topology = open.topology();
  PressureSystem<D> system{topology, std::move(open), Field<float, D>::unfilled(ex, topology), false};
  const TopologyView<D> cells = topology->view();
  const MacView<const float, D> w = std::as_const(system.weight).view();
  const FieldView<float, D> diagonal = system.diagonal.view();
  const float widest_to_air = max_rows<float>(ex, topology->tile_set(), 0.f, [=](const RowIndex<D>& r) {
    const unsigned own = cells.active_bits(r);
    Real sum(0.f), to_air(0.f);
    for (int a = 0; a < D; ++a) {
      const unsigned below = cells.active_bits(r, a, -1), above = cells.active_bits(r, a, +1);
      sum += w[a](r) + w[a](r, a, +1);
      to_air = max(select(Real::mask_from_bits(own & ~below), w[a](r), Real(0.f)), to_air);
      to_air = max(select(Real::mask_from_bits(own & ~above), w[a](r, a, +1), Real(0.f)), to_air);
    }
    diagonal.store(r, select(Real::mask_from_bits(own), sum, Real(0.f)));
    return to_air;
  });
  system.touches_air = widest_to_air > 0;
  return system;
}

template PressureSystem<2> pressure_system(Exec&, MacField<float, 2>);
template PressureSystem<3> pressure_system(Exec&, MacField<float, 3>);

}  // namespace whorl
