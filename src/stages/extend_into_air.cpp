#include "stages/extend_into_air.h"

#include "exec/shapes.h"
#include "grid/retile.h"
#include "stages/extrapolate.h"

#include <array>

namespace whorl {

namespace {

template <int D>
void balance_next_to_liquid(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system) {
  using Real = Lane<float>;
  const TopologyPtr<D>& topology = velocity.topology();
  const FieldView<const float, D> phi = system.surface.view();
  const MacView<const float, D> open = system.open.view();
  const MacView<float, D> u = velocity.view();
  const TopologyView<D> cells = topology->view();
  const CellMask<D> liquid =
      cells_where(ex, topology, [=](const RowIndex<D>& r) { return phi(r) < Real(0.f); });
  CellMask<D> next = empty_mask(ex, topology);
  const TopologyView<D> wet = liquid.view(), beside = next.view();
  const auto store_next = next.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    unsigned found = 0;
    for (int a = 0; a < D; ++a) found |= wet.active_bits(r, a, -1) | wet.active_bits(r, a, +1);
    store_next(r, found & cells.active_bits(r) & ~wet.active_bits(r));
  });
  // Of the cells next to liquid, those whose low, or high, face along an axis leads away from it.
  const auto leads_away = [=](const RowIndex<D>& r, int a, int step) {
    const unsigned there = cells.active_bits(r, a, step);
    const unsigned free = bits((step < 0 ? open[a](r) : open[a](r, a, +1)) >= Real(1.f));
    return beside.active_bits(r) & there & ~wet.active_bits(r, a, step) & ~beside.active_bits(r, a, step) &
           free;
  };
  Field<float, D> out(ex, topology);  // m/s, what each such face lets out in addition
  const FieldView<float, D> more = out.view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    if (!beside.active_bits(r)) return;
    Real in(0.f), faces(0.f);
    for (int a = 0; a < D; ++a) {
      in = in + open[a](r) * u[a](r) - open[a](r, a, +1) * u[a](r, a, +1);
      for (const int step : {-1, +1})
        faces = faces + select(Real::mask_from_bits(leads_away(r, a, step)), Real(1.f), Real(0.f));
    }
    more.store(r, select(faces > Real(0.f), in / max(faces, Real(1.f)), Real(0.f)));
  });
  for (int a = 0; a < D; ++a)
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      // A face is the low one of its own cell, and the high one of the cell before.
      const unsigned low = leads_away(r, a, -1);
      const unsigned high = beside.active_bits(r, a, -1) & cells.active_bits(r) & ~wet.active_bits(r) &
                            ~beside.active_bits(r) & bits(open[a](r) >= Real(1.f));
      if (!(low | high)) return;
      const Real none(0.f);
      u[a].store(r, u[a](r) - select(Real::mask_from_bits(low), more(r), none) +
                        select(Real::mask_from_bits(high), more(r, a, -1), none));
    });
}

}  // namespace

template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const MacField<float, D>& weight, int layers) {
  const Zone zone(ex.profile(), "extend_into_air");
  const TopologyPtr<D>& topology = velocity.topology();
  const TopologyView<D> cells = topology->view();
  const FieldView<const float, D> phi = system.surface.view();
  std::array<CellMask<D>, D> known, wanted;
  for (int a = 0; a < D; ++a) {
    known[std::size_t(a)] = empty_mask(ex, topology);
    wanted[std::size_t(a)] = empty_mask(ex, topology);
    const auto store_known = known[std::size_t(a)].store(), store_wanted = wanted[std::size_t(a)].store();
    const FieldView<const float, D> open = system.open[a].view();
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      const Lane<float> none(0.f);
      const unsigned here = bits(phi(r) < none) & cells.active_bits(r);
      const unsigned below = bits(phi(r, a, -1) < none) & cells.active_bits(r, a, -1);
      store_known(r, (here | below) & bits(open(r) > none));
      store_wanted(r, cells.live_face_bits(r, a));
    });
    extrapolate(ex, velocity[a], known[std::size_t(a)], wanted[std::size_t(a)], 1);
  }
  balance_next_to_liquid(ex, velocity, system);
  for (int a = 0; a < D; ++a) {
    const auto store_known = known[std::size_t(a)].store();
    const TopologyView<D> so_far = known[std::size_t(a)].view();
    const FieldView<const float, D> open = system.open[a].view(), reached = weight[a].view();
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      const Lane<float> none(0.f);
      store_known(r, so_far.active_bits(r) | (bits(reached(r) > none) & bits(open(r) > none)));
    });
    extrapolate(ex, velocity[a], known[std::size_t(a)], wanted[std::size_t(a)], layers - 1);
  }
}

template void extend_into_air(Exec&, MacField<float, 2>&, const PressureSystem<2>&, const MacField<float, 2>&,
                              int);
template void extend_into_air(Exec&, MacField<float, 3>&, const PressureSystem<3>&, const MacField<float, 3>&,
                              int);

}  // namespace whorl
