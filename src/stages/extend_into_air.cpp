#include "stages/extend_into_air.h"

#include "base/check.h"
#include "exec/shapes.h"
#include "grid/grow_mask.h"
#include "stages/extrapolate.h"

#include <algorithm>
#include <vector>

namespace whorl {

namespace {

// In some tiles, and those that have their high faces.
template <int D>
std::vector<int> tiles_round(const CellMask<D>& mask) {
  const TileSet<D> all = mask.topology->tile_set();
  std::vector<std::uint8_t> chosen(std::size_t(all.count) + 1);
  for (const int tile : tiles_with(mask)) {
    chosen[std::size_t(tile)] = 1;
    for (int a = 0; a < D; ++a)
      chosen[std::size_t(all.neighbours[std::size_t(tile) * neighbourhood<D> +
                                        std::size_t(centre_of_neighbourhood<D> + neighbour_step<D>(a))])] = 1;
  }
  std::vector<int> list;
  for (std::int64_t k = 0; k < all.count; ++k)
    if (chosen[std::size_t(all.tile(k))]) list.push_back(all.tile(k));
  return list;
}

template <int D>
void balance_next_to_liquid(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                            const AirRound<D>& air) {
  using Real = Lane<float>;
  const TopologyPtr<D>& topology = velocity.topology();
  const MacView<const float, D> open = system.open.view();
  const MacView<float, D> u = velocity.view();
  const TopologyView<D> cells = topology->view(), wet = air.liquid.view(), beside = air.next.view(),
                        drops = air.drops.view();
  // Of the cells next to liquid, those whose low, or high, face along an axis leads away from it.
  const auto leads_away = [=](const RowIndex<D>& r, int a, int step) {
    const unsigned there = cells.active_bits(r, a, step);
    const unsigned free = bits((step < 0 ? open[a](r) : open[a](r, a, +1)) >= Real(1.f));
    return beside.active_bits(r) & there & free &
           ~(wet.active_bits(r, a, step) | beside.active_bits(r, a, step) | drops.active_bits(r, a, step));
  };
  // m/s, what each such face lets out in addition; only where it is read is anything written
  Field<float, D> out = Field<float, D>::unfilled(ex, topology);
  const FieldView<float, D> more = out.view();
  const std::vector<int> list = tiles_round(air.next);
  const TileSet<D> tiles{topology->tile_set().neighbours, int(list.size()), list.data()};
  for_rows(ex, tiles, [=](const RowIndex<D>& r) {
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
    for_rows(ex, tiles, [=](const RowIndex<D>& r) {
      // A face is the low one of its own cell, and the high one of the cell before.
      const unsigned low = leads_away(r, a, -1);
      const unsigned high = beside.active_bits(r, a, -1) & cells.active_bits(r) &
                            bits(open[a](r) >= Real(1.f)) &
                            ~(wet.active_bits(r) | beside.active_bits(r) | drops.active_bits(r));
      if (!(low | high)) return;
      const Real none(0.f);
      u[a].store(r, u[a](r) - select(Real::mask_from_bits(low), more(r), none) +
                        select(Real::mask_from_bits(high), more(r, a, -1), none));
    });
}

}  // namespace

template <int D>
AirRound<D> find_air(Exec& ex, const PressureSystem<D>& system, const CellMask<D>& occupied,
                     const MacField<float, D>& weight) {
  const Zone zone(ex.profile(), "find_air");
  CHECK(occupied.topology == system.surface.topology(), "the particles are on another topology");
  using Real = Lane<float>;
  const TopologyPtr<D>& topology = system.surface.topology();
  const TopologyView<D> cells = topology->view();
  const FieldView<const float, D> phi = system.surface.view();
  AirRound<D> air;
  air.liquid = cells_where(ex, topology, [=](const RowIndex<D>& r) { return phi(r) < Real(0.f); });
  air.next = empty_mask(ex, topology);
  air.drops = empty_mask(ex, topology);
  const TopologyView<D> wet = air.liquid.view(), with_particles = occupied.view();
  const auto store_next = air.next.store(), store_drops = air.drops.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    unsigned found = 0;
    for (int a = 0; a < D; ++a) found |= wet.active_bits(r, a, -1) | wet.active_bits(r, a, +1);
    const unsigned dry = cells.active_bits(r) & ~wet.active_bits(r);
    store_next(r, found & dry);
    store_drops(r, with_particles.active_bits(r) & dry & ~found);
  });
  const TopologyView<D> drops = air.drops.view();
  for (std::size_t k = 0; k < D; ++k) {
    const int a = int(k);
    for (auto* masks : {&air.by_liquid, &air.by_drops, &air.by_particles, &air.wanted})
      (*masks)[k] = empty_mask(ex, topology);
    const auto by_liquid = air.by_liquid[k].store(), by_drops = air.by_drops[k].store(),
               by_particles = air.by_particles[k].store(), wanted = air.wanted[k].store();
    const FieldView<const float, D> open = system.open[a].view(), reached = weight[a].view();
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      const Real none(0.f);
      const unsigned free = bits(open(r) > none);
      const unsigned found = bits(reached(r) > none) & free;
      by_liquid(r, wet.live_face_bits(r, a) & free);
      by_drops(r, drops.live_face_bits(r, a) & found);
      by_particles(r, found);
      wanted(r, cells.live_face_bits(r, a));
    });
  }
  return air;
}

template <int D>
void extend_into_air(Exec& ex, MacField<float, D>& velocity, const PressureSystem<D>& system,
                     const AirRound<D>& air, int layers) {
  const Zone zone(ex.profile(), "extend_into_air");
  std::array<CellMask<D>, D> known;
  for (std::size_t a = 0; a < D; ++a) {
    known[a] = empty_mask(ex, velocity.topology());
    std::copy(air.by_liquid[a].rows.begin(), air.by_liquid[a].rows.end(), known[a].rows.begin());
    CellMask<D> others = empty_mask(ex, velocity.topology());
    for (std::size_t row = 0; row < others.rows.size(); ++row)
      others.rows[row] = std::uint8_t(air.wanted[a].rows[row] & ~air.by_drops[a].rows[row]);
    extrapolate(ex, velocity[int(a)], known[a], others, 1);
  }
  balance_next_to_liquid(ex, velocity, system, air);
  for (std::size_t a = 0; a < D; ++a) {
    for (std::size_t row = 0; row < known[a].rows.size(); ++row)
      known[a].rows[row] |= air.by_particles[a].rows[row];
    extrapolate(ex, velocity[int(a)], known[a], air.wanted[a], layers - 1);
  }
}

#define WHORL_INSTANTIATE(D)                                                                              \
  template AirRound<D> find_air(Exec&, const PressureSystem<D>&, const CellMask<D>&,                      \
                                const MacField<float, D>&);                                               \
  template void extend_into_air(Exec&, MacField<float, D>&, const PressureSystem<D>&, const AirRound<D>&, \
                                int);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
