#include "linear/pressure_system.h"

#include "linear/fill_system.h"
#include "linear/row_sides.h"

namespace whorl {

template <int D>
void assign_slots(Exec& ex, PressureSystem<D>& system, const std::vector<TileKind>& kinds) {
  const Topology<D>& topology = *system.topology;
  system.slot.assign(std::size_t(topology.tile_count()) + 1, plain_tile);
  const auto visited = [&](int tile) { return system.every_tile || topology.has_active(tile); };
  int count = 0;
  for (int tile = 0; tile < topology.tile_count(); ++tile) {
    if (!visited(tile) || kinds[std::size_t(tile)] == TileKind::plain) continue;
    const bool dry = kinds[std::size_t(tile)] == TileKind::dry;
    system.slot[std::size_t(tile)] = dry ? dry_tile : count++;
  }
  const int* table = topology.tile_set().neighbours;
  std::vector<int> deep;
  for (int tile = 0; tile < topology.tile_count(); ++tile) {
    if (system.slot[std::size_t(tile)] != plain_tile || !visited(tile)) continue;
    const int* near = table + std::size_t(tile) * neighbourhood<D> + centre_of_neighbourhood<D>;
    bool all_plain = true;
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1})
        all_plain = all_plain && system.slot[std::size_t(near[step * neighbour_step<D>(a)])] < 0;
    if (all_plain) deep.push_back(tile);
  }
  for (const int tile : deep) system.slot[std::size_t(tile)] = deep_tile;
  system.kinds.assign(std::size_t(count), {});
  system.open_bits = ex.buffer<std::uint8_t>(std::size_t(count) * 2 * D * tile_rows<D>);
  system.stored = ex.buffer<float>(std::size_t(count) * StoredTile<D>::parts * tile_cells<D>);
}

template <int D>
void store_row(PressureSystem<D>& system, const RowIndex<D>& i, const Lane<float>* links,
               const Lane<float>* to_air) {
  using Real = Lane<float>;
  const Real zero(0.f), one(1.f);
  const bool finest = system.open.topology() != nullptr;  // air is then no unknown, and zero
  const std::size_t slot = std::size_t(system.slot[std::size_t(i.tile)]);
  float* const row = system.stored.data() + slot * StoredTile<D>::parts * tile_cells<D> + i.offset();
  std::uint8_t* const open = system.open_bits.data() + slot * 2 * D * tile_rows<D> + i.offset() / tile_side;
  Real diagonal(0.f), air(0.f);
  bool plain = true, masked = true;
  for (int side = 0; side < 2 * D; ++side) {
    const auto linked = links[side] == one, through_air = to_air[side] == one;
    const auto closed = (links[side] == zero) & (to_air[side] == zero);
    plain = plain && all(linked);
    masked = masked &&
             all((linked & (to_air[side] == zero)) | closed | ((links[side] == zero) & through_air)) &&
             (finest || !any(through_air));
    open[side * tile_rows<D>] = std::uint8_t(bits(linked | through_air));
    links[side].store(row + (StoredTile<D>::links + side) * tile_cells<D>);
    diagonal += links[side];
    air += to_air[side];
  }
  diagonal += air;
  air.store(row + StoredTile<D>::air * tile_cells<D>);
  select(diagonal > zero, one / diagonal, zero).store(row + StoredTile<D>::inverse * tile_cells<D>);
  const std::uint64_t bit = std::uint64_t(1) << i.offset() / tile_side;
  if (plain) system.kinds[slot].plain |= bit;
  if (masked) system.kinds[slot].masked |= bit;
}

template <int D>
CellMask<D> candidate_unknowns(Exec& ex, const PressureSystem<D>& system) {
  if (!system.surface.topology()) return {};
  return cells_where(ex, system.topology, [phi = system.surface.view()](const RowIndex<D>& i) {
    return phi(i) < Lane<float>(0.f);
  });
}

template <int D>
RowSides<D> row_sides(const PressureSystem<D>& system, const CellMask<D>& candidates) {
  if (!system.surface.topology()) return {system.open.view(), system.topology->view(), {}};
  return {system.open.view(), candidates.view(), system.surface.view()};
}

template <int D>
PressureSystem<D> pressure_system(Exec& ex, MacField<float, D> open, Field<float, D> surface) {
  const Zone zone(ex.profile(), "pressure_system");
  PressureSystem<D> system;
  system.topology = open.topology();
  system.open = std::move(open);
  system.surface = std::move(surface);
  const CellMask<D> candidates = candidate_unknowns(ex, system);
  fill_system(ex, system, row_sides(system, candidates));
  return system;
}

#define WHORL_INSTANTIATE(D)                                                                               \
  template void assign_slots(Exec&, PressureSystem<D>&, const std::vector<TileKind>&);                     \
  template void store_row(PressureSystem<D>&, const RowIndex<D>&, const Lane<float>*, const Lane<float>*); \
  template CellMask<D> candidate_unknowns(Exec&, const PressureSystem<D>&);                                \
  template RowSides<D> row_sides(const PressureSystem<D>&, const CellMask<D>&);                            \
  template PressureSystem<D> pressure_system(Exec&, MacField<float, D>, Field<float, D>);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
