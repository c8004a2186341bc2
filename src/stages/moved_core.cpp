#include "stages/moved_core.h"

#include "grid/grow_mask.h"
#include "stages/advect.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr float rounding = 1e-3f;  // cells

}  // namespace

template <int D>
CellMask<D> put_on(Exec& ex, const CellMask<D>& mask, const TopologyPtr<D>& topology) {
  CellMask<D> moved = empty_mask(ex, topology);
  ex.parallel_for(topology->tile_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int from = mask.topology->map().find(topology->tiles()[std::size_t(tile)]);
      if (from >= 0)
        std::copy_n(&mask.rows[std::size_t(from) * tile_rows<D>], tile_rows<D>,
                    &moved.rows[std::size_t(tile) * tile_rows<D>]);
    }
  });
  return moved;
}

template <int D>
CellMask<D> grown_with_flow(Exec& ex, const CellMask<D>& mask, const MacField<float, D>& velocity,
                            float step) {
  const Topology<D>& topology = *mask.topology;
  std::vector<std::int8_t> reach(std::size_t(topology.tile_count()), -1);
  const Buffer<float> fastest = fastest_in_tiles(ex, velocity, topology);
  const int* neighbours = topology.tile_set().neighbours;
  for (const int tile : tiles_with(mask)) {
    float most = 0;
    for (int n = 0; n < neighbourhood<D>; ++n)
      most = std::max(
          most, fastest[std::size_t(neighbours[std::size_t(tile) * neighbourhood<D> + std::size_t(n)])]);
    reach[std::size_t(tile)] = std::int8_t(std::ceil(std::min(most * step + rounding, float(tile_side))));
  }
  CellMask<D> all = empty_mask(ex, mask.topology), some = empty_mask(ex, mask.topology);
  for (int cells = 1; cells <= tile_side; ++cells) {
    if (std::find(reach.begin(), reach.end(), cells) == reach.end()) continue;
    std::fill(some.rows.begin(), some.rows.end(), std::uint8_t(0));
    for (std::size_t tile = 0; tile < reach.size(); ++tile)
      if (reach[tile] == cells)
        std::copy_n(&mask.rows[tile * tile_rows<D>], tile_rows<D>, &some.rows[tile * tile_rows<D>]);
    const CellMask<D> grown = grown_cubes(ex, some, cells);
    for (std::size_t row = 0; row < all.rows.size(); ++row) all.rows[row] |= grown.rows[row];
  }
  return all;
}

template <int D>
Field<float, D> moved_core(Exec& ex, const CellMask<D>& core, const Crossing<D>& crossing,
                           const MacField<float, D>& velocity, const Inflow<D>& inflow, float step) {
  const Zone zone(ex.profile(), "moved_core");
  const TopologyPtr<D>&from = crossing.from(), &to = crossing.to();
  Field<float, D> part = Field<float, D>::unfilled(ex, from);
  const FieldView<float, D> in = part.view();
  const TopologyView<D> inside = core.view(), cells = to->view();
  for_rows(ex, from->tile_set(), [=](const RowIndex<D>& r) {
    in.store(r, select(Real::mask_from_bits(inside.active_bits(r)), Real(1.f), Real(0.f)));
  });
  // Only round its edge does anything change.
  const CellMask<D> here = put_on(ex, core, to);
  CellMask<D> beside = grown_cubes(ex, here, 1);
  for (std::size_t row = 0; row < beside.rows.size(); ++row)
    beside.rows[row] = std::uint8_t(beside.rows[row] & ~here.rows[row]);
  CellMask<D> round = grown_with_flow(ex, beside, velocity, step);
  const TopologyView<D> kept = here.view(), found = round.view();
  const auto store_round = round.store();
  for_rows(ex, to->tile_set(),
           [=](const RowIndex<D>& r) { store_round(r, cells.active_bits(r) & found.active_bits(r)); });
  Field<float, D> moved;
  const Carried<D> carried{&part, &moved, at_centres, scalar_boundary(to->domain(), 0.f, 0.f)};
  advect<D>(ex, crossing, {&velocity, inflow}, std::span(&carried, 1), step,
            {.scheme = AdvectionScheme::semi_lagrangian}, {.wanted = &round});
  const FieldView<float, D> out = moved.view();
  const TopologyView<D> edge = round.view();
  for_rows(ex, to->tile_set(), [=](const RowIndex<D>& r) {
    const unsigned deep = kept.active_bits(r) & ~edge.active_bits(r);
    if (deep) out.store(r, select(Real::mask_from_bits(deep), Real(1.f), out(r)));
  });
  return moved;
}

#define WHORL_INSTANTIATE(D)                                                                         \
  template CellMask<D> put_on(Exec&, const CellMask<D>&, const TopologyPtr<D>&);                     \
  template CellMask<D> grown_with_flow(Exec&, const CellMask<D>&, const MacField<float, D>&, float); \
  template Field<float, D> moved_core(Exec&, const CellMask<D>&, const Crossing<D>&,                 \
                                      const MacField<float, D>&, const Inflow<D>&, float);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
