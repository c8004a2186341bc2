// Writes the coefficients of a system from what lies on each side of its cells.
#pragma once

#include "linear/pressure_system.h"

#include <vector>

namespace whorl {

// sides.for_each(index, f) calls f(side, link, open fraction to air, that over the distance) for each side of
// a row, 2 · axis + high. The system has its topology and nothing else yet.
template <int D, class Sides>
void fill_system(Exec& ex, PressureSystem<D>& system, const Sides& sides) {
  using Real = Lane<float>;
  const TileSet<D> tiles = system.tile_set();
  const bool may_be_dry = system.surface.topology() != nullptr;
  std::vector<TileKind> kinds(std::size_t(system.topology->tile_count()), TileKind::stored);
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      Real least(1.f), most(0.f), air(0.f);
      for_rows_of_tile<D>(tiles, tiles.tile(k), [&](const RowIndex<D>& i) {
        sides.for_each(i, [&](int, Real link, Real, Real to_air) {
          least = min(least, link);
          most = max(most, link);
          air = max(air, to_air);
        });
      });
      const Real none(0.f), one(1.f);
      TileKind& kind = kinds[std::size_t(tiles.tile(k))];
      if (all((least == one) & (most == one))) kind = TileKind::plain;
      if (may_be_dry && all((most == none) & (air == none))) kind = TileKind::dry;
    }
  });
  assign_slots(ex, system, kinds);

  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      if (system.slot[std::size_t(tiles.tile(k))] < 0) continue;
      for_rows_of_tile<D>(tiles, tiles.tile(k), [&](const RowIndex<D>& i) {
        Real links[2 * D], to_air[2 * D];
        sides.for_each(i, [&](int side, Real link, Real, Real conductance) {
          links[side] = link;
          to_air[side] = conductance;
        });
        store_row(system, i, links, to_air);
      });
    }
  });
}

}  // namespace whorl
