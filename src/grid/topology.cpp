#include "grid/topology.h"

#include "base/check.h"
#include "exec/reduce.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace whorl {

namespace {

constexpr std::int64_t tiles_per_task = 64;
constexpr std::size_t max_tiles = (std::size_t(1) << 31) / 32;  // slots and their tables are counted in ints

template <int D>
Box<D> cells_of_tile(const Coord<D>& tile) {
  return {tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)};
}

// Where the tile's cells lie in the domain, a byte a row.
template <int D>
void mark_domain_cells(const Domain<D>& domain, const Coord<D>& tile, std::uint8_t* rows) {
  const Box<D> own = cells_of_tile(tile);
  const Box<D> inside = own.intersect(domain.cells);
  std::fill_n(rows, tile_rows<D>, std::uint8_t(0));
  for_each_coord(inside, [&](const Coord<D>& c) {
    const int offset = int(cell_offset<D>(c - own.lo));
    rows[offset / tile_side] = std::uint8_t(rows[offset / tile_side] | 1u << offset % tile_side);
  });
}

// Is some active cell of the tile its last one along the axis?
template <int D>
bool reaches_high_edge(const std::uint8_t* rows, int axis) {
  for (int row = 0; row < tile_rows<D>; ++row) {
    if (axis == D - 1) {
      if (rows[row] >> (tile_side - 1)) return true;
    } else if (rows[row] && row * tile_side / tile_stride<D>(axis) % tile_side == tile_side - 1) {
      return true;
    }
  }
  return false;
}

template <int D>
void sort_unique(std::vector<Coord<D>>& tiles) {
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
}

// [tile][3^D] slots of the tiles round each of `tiles` in a map.
template <int D>
std::vector<int> neighbour_table(Exec& ex, std::span<const Coord<D>> tiles, const Domain<D>& domain,
                                 const TileMap<D>& map, int absent) {
  std::vector<int> table(tiles.size() * neighbourhood<D>);
  const Box<D> steps{Coord<D>::filled(-1), Coord<D>::filled(2)};
  ex.parallel_for(std::int64_t(tiles.size()), tiles_per_task, [&](std::int64_t begin, std::int64_t end) {
    int* entry = table.data() + begin * neighbourhood<D>;
    for (std::int64_t tile = begin; tile < end; ++tile)
      for_each_coord(steps, [&](const Coord<D>& step) {
        *entry++ = map.find(domain.wrap_tile(tiles[std::size_t(tile)] + step), absent);
      });
  });
  return table;
}

}  // namespace

template <int D>
TopologyPtr<D> Topology<D>::of_cells(Exec& ex, const Domain<D>& domain, std::vector<Coord<D>> tiles,
                                     std::vector<std::uint8_t> active) {
  CHECK(validate(domain), validate(domain).error().message);
  CHECK(active.size() == tiles.size() * tile_rows<D>, active.size(), " rows for ", tiles.size(), " tiles");
  for (const Coord<D>& tile : tiles)
    CHECK(domain.wrap_tile(tile) == tile, "tile ", tile, " lies outside the period");

  std::vector<Coord<D>> all = tiles;
  for (std::size_t t = 0; t < tiles.size(); ++t)
    for (int a = 0; a < D; ++a) {
      const bool ends_here = (tiles[t][a] + 1) * tile_side >= domain.cells.hi[a];
      const bool closed = ends_here && domain.sides[std::size_t(a)][1] == Side::wall;
      if (!closed && reaches_high_edge<D>(&active[t * tile_rows<D>], a))
        all.push_back(domain.wrap_tile(tiles[t] + Coord<D>::unit(a)));
    }
  sort_unique(all);
  CHECK(all.size() < max_tiles, all.size(), " tiles are more than a topology holds");

  std::shared_ptr<Topology> topology(new Topology);
  topology->domain_ = domain;
  topology->tiles_ = std::move(all);
  topology->map_ = TileMap<D>(topology->tiles_);
  topology->active_.assign((topology->tiles_.size() + 1) * tile_rows<D>, 0);
  for (std::size_t t = 0; t < tiles.size(); ++t)
    std::copy_n(&active[t * tile_rows<D>], tile_rows<D>,
                &topology->active_[std::size_t(topology->map_.find(tiles[t])) * tile_rows<D>]);
  topology->finish(ex);
  return topology;
}

template <int D>
TopologyPtr<D> Topology<D>::of_tiles(Exec& ex, const Domain<D>& domain, std::vector<Coord<D>> active_tiles) {
  CHECK(validate(domain), validate(domain).error().message);
  for (Coord<D>& tile : active_tiles) tile = domain.wrap_tile(tile);
  std::erase_if(active_tiles,
                [&](const Coord<D>& tile) { return cells_of_tile(tile).intersect(domain.cells).empty(); });
  sort_unique(active_tiles);
  std::vector<std::uint8_t> active(active_tiles.size() * tile_rows<D>);
  ex.parallel_for(
      std::int64_t(active_tiles.size()), tiles_per_task, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
          mark_domain_cells(domain, active_tiles[std::size_t(t)], &active[std::size_t(t * tile_rows<D>)]);
      });
  return of_cells(ex, domain, std::move(active_tiles), std::move(active));
}

template <int D>
TopologyPtr<D> Topology<D>::of_box(Exec& ex, const Domain<D>& domain, const Box<D>& cells) {
  const Box<D> inside = cells.intersect(domain.cells);
  if (inside.empty()) return of_tiles(ex, domain, {});
  const Box<D> tiles = tiles_of(inside);
  CHECK(tiles.volume() < std::int64_t(max_tiles), "a box of ", tiles.volume(),
        " tiles is more than a topology holds; give a smaller box");
  std::vector<Coord<D>> list;
  for_each_coord(tiles, [&](const Coord<D>& tile) { list.push_back(tile); });
  return of_tiles(ex, domain, std::move(list));
}

namespace {

// Kernels visit tiles in bands along the first axes' neighbours: all of the first axis for a few tiles
// of the second, so that a tile's neighbours along both are still in a core's cache when it needs them.
template <int D>
std::vector<int> visiting_order(std::span<const Coord<D>> tiles) {
  constexpr int band = 4;
  std::vector<int> order(tiles.size());
  std::iota(order.begin(), order.end(), 0);
  if constexpr (D == 3)
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
      return floor_div(tiles[std::size_t(i)][1], band) < floor_div(tiles[std::size_t(j)][1], band);
    });
  return order;
}

}  // namespace

template <int D>
void Topology<D>::finish(Exec& ex) {
  order_ = visiting_order<D>(tiles_);
  neighbours_ = neighbour_table<D>(ex, tiles_, domain_, map_, tile_count());
  has_active_.resize(tiles_.size());
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    int cells = 0;
    for (int row = 0; row < tile_rows<D>; ++row)
      cells += std::popcount(active_[t * tile_rows<D> + std::size_t(row)]);
    has_active_[t] = cells > 0;
    active_cells_ += cells;
  }
  for (const int tile : order_)
    if (has_active(tile)) active_order_.push_back(tile);
}

template <int D>
bool Topology<D>::same_cells(const Topology& other) const {
  return domain_ == other.domain_ && tiles_ == other.tiles_ && active_ == other.active_;
}

template <int D>
std::vector<int> Topology<D>::table_into(Exec& ex, const Topology& source) const {
  if (this == &source) return neighbours_;
  return neighbour_table<D>(ex, tiles_, domain_, source.map_, source.tile_count());
}

template class Topology<2>;
template class Topology<3>;

}  // namespace whorl
