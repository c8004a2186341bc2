#include "linear/coarsen.h"

namespace whorl {

namespace {

constexpr int half_tile = tile_side / 2;

int floor_half(int x) { return x >> 1; }

// The domain in coarse cells. Only periods matter to a pyramid: elsewhere the cells themselves say where
// the fluid ends.
template <int D>
std::optional<Domain<D>> coarse_domain(const Domain<D>& fine) {
  Domain<D> coarse;
  for (int a = 0; a < D; ++a) {
    if (!fine.periodic(a)) continue;
    if (fine.cells.lo[a] % (2 * tile_side) != 0 || fine.extent(a) % (2 * tile_side) != 0) return {};
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

// One coarse cell, looked at from its fine cells.
template <int D>
struct CoarsenKernel {
  TopologyView<D> fine_cells;
  MacView<const float, D> fine_weight;
  FieldView<const float, D> fine_open[2 * D], fine_conductance[2 * D];  // null on the finest grid
  const int* fine_neighbours;
  const int* children;
  int absent;

  MacView<float, D> weight;
  FieldView<float, D> diagonal, open[2 * D], conductance[2 * D];

  // Open fraction towards air on one side of an active fine cell, and that over its distance.
  void air_at(const CellIndex<D>& i, int axis, int high, float face_weight, float& w, float& c) const {
    const int side = 2 * axis + high;
    if (fine_open[side].data) {
      w = fine_open[side](i);
      c = fine_conductance[side](i);
    } else {
      w = c = fine_cells.active_bits(i, axis, high ? +1 : -1) ? 0.f : face_weight;
    }
  }

  void operator()(const CellIndex<D>& coarse) const {
    constexpr float share = 1.f / ipow<D - 1>(2);
    float link[D][2] = {}, air_open[2 * D] = {}, air_over_distance[2 * D] = {};
    for_each_coord(Box<D>{{}, Coord<D>::filled(2)}, [&](const Coord<D>& part) {
      CellIndex<D> i;
      int child = 0;
      for (int a = 0; a < D; ++a) {
        child = 2 * child + coarse.at[a] / half_tile;
        i.at[a] = 2 * (coarse.at[a] % half_tile) + part[a];
      }
      i.tile = children[std::size_t(coarse.tile) * ipow<D>(2) + std::size_t(child)];
      if (i.tile == absent) return;
      i.neighbours = fine_neighbours + std::size_t(i.tile) * neighbourhood<D>;
      if (!fine_cells.active_bits(i)) return;
      for (int a = 0; a < D; ++a)
        for (int high = 0; high < 2; ++high) {
          const bool outer = part[a] == high;
          const float face_weight = high ? fine_weight[a](i, a, +1) : fine_weight[a](i);
          if (outer && fine_cells.active_bits(i, a, high ? +1 : -1)) link[a][high] += share * face_weight;
          float w, c;
          air_at(i, a, high, face_weight, w, c);
          if (w <= 0) continue;
          const float distance = max(0.5f * (w / c + (outer ? 0.5f : -0.5f)), 0.125f);
          air_open[2 * a + high] += share * w;
          air_over_distance[2 * a + high] += share * w / distance;
        }
    });
    float sum = 0;
    for (int a = 0; a < D; ++a) {
      weight[a].store(coarse, link[a][0]);
      for (int high = 0; high < 2; ++high) {
        const int side = 2 * a + high;
        open[side].store(coarse, air_open[side]);
        conductance[side].store(coarse, air_over_distance[side]);
        sum += link[a][high] + air_over_distance[side];
      }
    }
    diagonal.store(coarse, sum);
  }
};

// Calls kernel(cell) for every cell of every tile.
template <int D, class Kernel>
void for_cells(Exec& ex, const TileSet<D>& tiles, const Kernel& kernel) {
  ex.parallel_for(tiles.count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const int tile = tiles.tile(k);
      CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        i.at = at;
        kernel(i);
      });
    }
  });
}

}  // namespace

template <int D>
std::optional<CoarseSystem<D>> coarsen(Exec& ex, const PressureSystem<D>& fine, const AirSides<D>* fine_air) {
  const Topology<D>& from = *fine.topology;
  const std::optional<Domain<D>> domain = coarse_domain(from.domain());
  if (!domain) return {};
  const TopologyPtr<D> to = coarse_topology(ex, from, *domain);

  CoarseSystem<D> c;
  c.parent.assign(std::size_t(from.tile_count()), to->tile_count());
  c.children.assign(std::size_t(to->tile_count()) * ipow<D>(2), from.tile_count());
  for (int t = 0; t < from.tile_count(); ++t) {
    Coord<D> tile = from.tiles()[std::size_t(t)];
    int child = 0;
    for (int a = 0; a < D; ++a) {
      child = 2 * child + (tile[a] & 1);
      tile[a] = floor_half(tile[a]);
    }
    const int parent = to->map().find(tile);
    if (parent < 0) continue;
    c.parent[std::size_t(t)] = parent;
    c.children[std::size_t(parent) * ipow<D>(2) + std::size_t(child)] = t;
  }

  c.system = {to, MacField<float, D>(ex, to), Field<float, D>(ex, to), fine.touches_air};
  CoarsenKernel<D> kernel{};
  kernel.fine_cells = from.view();
  kernel.fine_weight = fine.weight.view();
  kernel.fine_neighbours = from.tile_set().neighbours;
  kernel.children = c.children.data();
  kernel.absent = from.tile_count();
  kernel.weight = c.system.weight.view();
  kernel.diagonal = c.system.diagonal.view();
  for (int side = 0; side < 2 * D; ++side) {
    c.air.open[std::size_t(side)] = Field<float, D>(ex, to);
    c.air.conductance[std::size_t(side)] = Field<float, D>(ex, to);
    kernel.open[side] = c.air.open[std::size_t(side)].view();
    kernel.conductance[side] = c.air.conductance[std::size_t(side)].view();
    if (!fine_air) continue;
    kernel.fine_open[side] = fine_air->open[std::size_t(side)].view();
    kernel.fine_conductance[side] = fine_air->conductance[std::size_t(side)].view();
  }
  for_cells(ex, to->tile_set(), kernel);
  return c;
}

template <int D>
void restrict_residual(Exec& ex, Field<float, D>& coarse, const Field<float, D>& fine,
                       const CoarseSystem<D>& level) {
  using Real = Lane<float>;
  const FieldView<float, D> out = coarse.view();
  const float* in = fine.data();
  const int* children = level.children.data();
  const Real scale(4.f / ipow<D>(2));
  for_rows(ex, coarse.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    int child = 0;  // of the low half of the row
    Coord<D> first{};
    for (int a = 0; a < D - 1; ++a) {
      child = 2 * child + r.at[a] / half_tile;
      first[a] = 2 * (r.at[a] % half_tile);
    }
    Real half[2] = {Real(0.f), Real(0.f)};
    for (int k = 0; k < 2; ++k) {
      // A child that does not exist is the tile of zeros.
      const float* tile =
          in + std::size_t(children[std::size_t(r.tile) * ipow<D>(2) + std::size_t(2 * child + k)]) *
                   tile_cells<D>;
      for_each_coord(Box<D>{first, first + Coord<D>::filled(2) - Coord<D>::unit(D - 1)},
                     [&](const Coord<D>& at) { half[k] += Real::load(tile + cell_offset<D>(at)); });
    }
    out.store(r, scale * add_pairs(half[0], half[1]));
  });
}

template <int D>
void prolong_add(Exec& ex, Field<float, D>& fine, const Field<float, D>& coarse,
                 const CoarseSystem<D>& level) {
  using Real = Lane<float>;
  const FieldView<float, D> out = fine.view();
  const TopologyView<D> cells = fine.topology()->view();
  const float* in = coarse.data();
  const int* parent = level.parent.data();
  for_rows(ex, fine.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    Coord<D> at{};
    for (int a = 0; a < D - 1; ++a) at[a] = (cells.tiles[r.tile][a] & 1) * half_tile + r.at[a] / 2;
    const Real row = Real::load(in + std::size_t(parent[r.tile]) * tile_cells<D> + cell_offset<D>(at));
    const Real value = cells.tiles[r.tile][D - 1] & 1 ? repeat_high_half(row) : repeat_low_half(row);
    out.store(r, select(Real::mask_from_bits(cells.active_bits(r)), out(r) + value, Real(0.f)));
  });
}

template std::optional<CoarseSystem<2>> coarsen(Exec&, const PressureSystem<2>&, const AirSides<2>*);
template std::optional<CoarseSystem<3>> coarsen(Exec&, const PressureSystem<3>&, const AirSides<3>*);
template void restrict_residual(Exec&, Field<float, 2>&, const Field<float, 2>&, const CoarseSystem<2>&);
template void restrict_residual(Exec&, Field<float, 3>&, const Field<float, 3>&, const CoarseSystem<3>&);
template void prolong_add(Exec&, Field<float, 2>&, const Field<float, 2>&, const CoarseSystem<2>&);
template void prolong_add(Exec&, Field<float, 3>&, const Field<float, 3>&, const CoarseSystem<3>&);

}  // namespace whorl
