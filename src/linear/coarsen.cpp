#include "linear/coarsen.h"

#include "linear/row_sides.h"

#include <algorithm>

namespace whorl {

namespace {

using Real = Lane<float>;
constexpr int half_tile = tile_side / 2;

int floor_half(int x) { return x >> 1; }

// The domain in coarse cells. Only periods matter to a pyramid: elsewhere the cells themselves say where the
// fluid ends. One that coarse tiles do not fit into is cut open, as if air were on the other side: still a
// good cycle.
template <int D>
Domain<D> coarse_domain(const Domain<D>& fine) {
  Domain<D> coarse;
  for (int a = 0; a < D; ++a) {
    if (!fine.periodic(a)) continue;
    if (fine.cells.lo[a] % (2 * tile_side) != 0 || fine.extent(a) % (2 * tile_side) != 0) continue;
    coarse.cells.lo[a] = fine.cells.lo[a] / 2;
    coarse.cells.hi[a] = fine.cells.hi[a] / 2;
    coarse.sides[std::size_t(a)] = {Side::periodic, Side::periodic};
  }
  return coarse;
}

template <int D>
TopologyPtr<D> coarse_topology(Exec& ex, const Topology<D>& fine, const Domain<D>& domain) {
  std::vector<Coord<D>> tiles;
  for (int t = 0; t < fine.tile_count(); ++t) {
    if (!fine.has_active(t)) continue;
    Coord<D> tile = fine.tiles()[std::size_t(t)];
    for (int a = 0; a < D; ++a) tile[a] = floor_half(tile[a]);
    tiles.push_back(tile);
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  const TileMap<D> map(tiles);
  std::vector<std::uint8_t> active(tiles.size() * tile_rows<D>);
  for (int t = 0; t < fine.tile_count(); ++t) {
    if (!fine.has_active(t)) continue;
    Coord<D> tile = fine.tiles()[std::size_t(t)], corner;
    for (int a = 0; a < D; ++a) {
      corner[a] = (tile[a] & 1) * half_tile;
      tile[a] = floor_half(tile[a]);
    }
    std::uint8_t* coarse_rows = &active[std::size_t(map.find(tile)) * tile_rows<D>];
    for (int row = 0; row < tile_rows<D>; ++row) {
      unsigned bits = fine.active()[std::size_t(t) * tile_rows<D> + std::size_t(row)];
      if (!bits) continue;
      bits = (bits | bits >> 1) & 0x55;  // a pair of fine cells in every other bit …
      bits = (bits | bits >> 1) & 0x33;
      bits = (bits | bits >> 2) & 0x0f;  // … moved together
      Coord<D> at{};
      for (int a = D - 2, rest = row; a >= 0; --a, rest /= tile_side)
        at[a] = corner[a] + rest % tile_side / 2;
      std::uint8_t& target = coarse_rows[cell_offset<D>(at) / tile_side];
      target = std::uint8_t(target | bits << corner[D - 1]);
    }
  }
  return Topology<D>::of_cells(ex, domain, std::move(tiles), std::move(active));
}

// What the fine cells of a row have on each side (2 · axis + high): links, open fractions towards air, and
// those over the distance.
template <int D>
struct Sides {
  Real link[2 * D], open[2 * D], conductance[2 * D];

  Sides() {
    for (int side = 0; side < 2 * D; ++side) link[side] = open[side] = conductance[side] = Real(0.f);
  }
};

// Reads the sides of a row of the fine grid.
template <int D>
struct FineSides {
  SystemView<D> system;
  const RowSides<D>* finest;  // null on coarser grids, where …
  const float* air;           // … this is [slot][open sides, conductances][cell]

  Sides<D> at(const RowIndex<D>& i) const {
    Sides<D> sides;
    const int slot = system.slot[i.tile];
    if (slot == dry_tile) return sides;
    if (slot < 0 || system.kinds[slot].plain >> (i.offset() / tile_side) & 1) {
      for (Real& link : sides.link) link = Real(1.f);
      return sides;
    }
    if (finest) {
      finest->for_each(i, [&](int side, Real link, Real open, Real conductance) {
        sides.link[side] = link;
        sides.open[side] = open;
        sides.conductance[side] = conductance;
      });
      return sides;
    }
    const float* parts = air + std::size_t(slot) * AirSides<D>::parts * tile_cells<D> + i.offset();
    for (int side = 0; side < 2 * D; ++side) {
      sides.link[side] = system.stored_tile(i.tile).part(StoredTile<D>::links + side, i);
      sides.open[side] = Real::load(parts + side * tile_cells<D>);
      sides.conductance[side] = Real::load(parts + (2 * D + side) * tile_cells<D>);
    }
    return sides;
  }
};

// Adds a fine row to the sums of its coarse one; pairs of cells are added up later.
template <int D>
void add_row(Sides<D>& sums, const Sides<D>& row, const Coord<D>& at) {
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const int side = 2 * a + high;
      // Which of the cells are on the outside of their coarse cell.
      const unsigned outer_bits = a == D - 1 ? (high ? 0xaa : 0x55) : (at[a] & 1) == high ? 0xff : 0;
      const auto outer = Real::mask_from_bits(outer_bits);
      sums.link[side] += select(outer, row.link[side], Real(0.f));
      const Real w = row.open[side];
      const auto has_air = w > Real(0.f);
      if (!any(has_air)) continue;
      const Real moved = w / row.conductance[side] + select(outer, Real(0.5f), Real(-0.5f));
      const Real distance = max(Real(0.5f) * moved, Real(0.125f));
      sums.open[side] += w;
      sums.conductance[side] += select(has_air, w / distance, Real(0.f));
    }
}

// One stored coarse tile, half a row of children at a time.
template <int D>
void coarsen_tile(CoarseSystem<D>& c, AirSides<D>& coarse_air, const FineSides<D>& fine,
                  const TileSet<D>& fine_tiles, int absent, int tile) {
  constexpr int half_rows = ipow<D - 1>(half_tile);
  const Real share(1.f / ipow<D - 1>(2));
  const std::size_t slot = std::size_t(c.system.slot[std::size_t(tile)]);
  float* const air = coarse_air.data.data() + slot * AirSides<D>::parts * tile_cells<D>;
  for (int part = 0; part < ipow<D - 1>(2); ++part) {
    Sides<D> sums[2][half_rows];
    for (int end = 0; end < 2; ++end) {
      const int child = c.children[std::size_t(tile) * ipow<D>(2) + std::size_t(2 * part + end)];
      if (child == absent) continue;
      for_rows_of_tile<D>(fine_tiles, child, [&](const RowIndex<D>& i) {
        int row = 0;
        for (int a = 0; a < D - 1; ++a) row = row * half_tile + i.at[a] / 2;
        add_row(sums[end][row], fine.at(i), i.at);
      });
    }
    for (int row = 0; row < half_rows; ++row) {
      RowIndex<D> i{tile, nullptr, {}};
      for (int a = D - 2, rest = row, corner = part; a >= 0; --a, rest /= half_tile, corner /= 2)
        i.at[a] = corner % 2 * half_tile + rest % half_tile;
      const Sides<D>&low = sums[0][row], &high = sums[1][row];
      Real links[2 * D], to_air[2 * D];
      for (int side = 0; side < 2 * D; ++side) {
        links[side] = share * add_pairs(low.link[side], high.link[side]);
        to_air[side] = share * add_pairs(low.conductance[side], high.conductance[side]);
        (share * add_pairs(low.open[side], high.open[side])).store(air + side * tile_cells<D> + i.offset());
        to_air[side].store(air + (2 * D + side) * tile_cells<D> + i.offset());
      }
      store_row(c.system, i, links, to_air);
    }
  }
}

// Who is made of whom.
template <int D>
void relate(CoarseSystem<D>& c, const Topology<D>& from) {
  const Topology<D>& to = *c.system.topology;
  c.parent.assign(std::size_t(from.tile_count()), to.tile_count());
  c.children.assign(std::size_t(to.tile_count()) * ipow<D>(2), from.tile_count());
  for (int t = 0; t < from.tile_count(); ++t) {
    if (!from.has_active(t)) continue;
    Coord<D> tile = from.tiles()[std::size_t(t)];
    int child = 0;
    for (int a = 0; a < D; ++a) {
      child = 2 * child + (tile[a] & 1);
      tile[a] = floor_half(tile[a]);
    }
    const int parent = to.map().find(tile);
    c.parent[std::size_t(t)] = parent;
    c.children[std::size_t(parent) * ipow<D>(2) + std::size_t(child)] = t;
  }
}

}  // namespace

template <int D>
CoarseSystem<D> coarsen(Exec& ex, const PressureSystem<D>& fine, AirSides<D>& air) {
  const Zone zone(ex.profile(), "coarsen");
  const Topology<D>& from = *fine.topology;
  CoarseSystem<D> c;
  c.system.topology = coarse_topology(ex, from, coarse_domain(from.domain()));
  const Topology<D>& to = *c.system.topology;
  relate(c, from);

  std::vector<TileKind> kinds(std::size_t(to.tile_count()), TileKind::stored);
  for (std::size_t tile = 0; tile < kinds.size(); ++tile) {
    int plain = 0, dry = 0;
    for (int k = 0; k < ipow<D>(2); ++k) {
      const int child = c.children[tile * ipow<D>(2) + std::size_t(k)];
      const bool absent = child == from.tile_count();
      const int slot = fine.slot[std::size_t(child)];
      dry += absent || slot == dry_tile;
      plain += !absent && slot < 0 && slot != dry_tile;
    }
    if (plain == ipow<D>(2)) kinds[tile] = TileKind::plain;
    if (dry == ipow<D>(2)) kinds[tile] = TileKind::dry;
  }
  assign_slots(ex, c.system, kinds);

  const bool is_finest = fine.open.topology() != nullptr;
  const CellMask<D> candidates = is_finest ? candidate_unknowns(ex, fine) : CellMask<D>{};
  const RowSides<D> finest = is_finest ? row_sides(fine, candidates) : RowSides<D>{};
  const FineSides<D> sides{fine.view(), is_finest ? &finest : nullptr, air.data.data()};
  AirSides<D> coarse_air{ex.buffer<float>(c.system.stored_tiles() * AirSides<D>::parts * tile_cells<D>)};
  const TileSet<D> tiles = to.active_tile_set();
  ex.parallel_for(tiles.count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k)
      if (c.system.slot[std::size_t(tiles.tile(k))] >= 0)
        coarsen_tile(c, coarse_air, sides, from.tile_set(), from.tile_count(), tiles.tile(k));
  });
  air = std::move(coarse_air);
  return c;
}

template CoarseSystem<2> coarsen(Exec&, const PressureSystem<2>&, AirSides<2>&);
template CoarseSystem<3> coarsen(Exec&, const PressureSystem<3>&, AirSides<3>&);

}  // namespace whorl
