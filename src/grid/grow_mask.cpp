#include "grid/grow_mask.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace whorl {

namespace {

// 64 cells at once: the last two axes of a tile, a byte a row, the first row lowest.
using Slab = std::uint64_t;
static_assert(std::endian::native == std::endian::little);

template <int D>
constexpr int slabs = tile_cells<D> / 64;
template <int D>
using TileSlabs = std::array<Slab, std::size_t(slabs<D>)>;

template <int D>
TileSlabs<D> load(const std::uint8_t* rows, int tile) {
  TileSlabs<D> found;
  std::memcpy(found.data(), rows + std::size_t(tile) * tile_rows<D>, sizeof(found));
  return found;
}

constexpr Slab in_every_row(unsigned bits) { return Slab(bits) * 0x0101010101010101u; }

// Moved up along the last axis, or the last but one, by 1 to 8 cells; what comes in is of the tile below.
Slab up_rows(Slab own, Slab below, int cells) {
  return ((own << cells) & in_every_row(0xffu << cells & 0xffu)) |
         ((below >> (tile_side - cells)) & in_every_row(0xffu >> (tile_side - cells)));
}
Slab down_rows(Slab own, Slab above, int cells) {
  return ((own >> cells) & in_every_row(0xffu >> cells)) |
         ((above << (tile_side - cells)) & in_every_row(0xffu << (tile_side - cells) & 0xffu));
}
Slab up_slab(Slab own, Slab below, int cells) {
  return cells == tile_side ? below : own << tile_side * cells | below >> tile_side * (tile_side - cells);
}
Slab down_slab(Slab own, Slab above, int cells) {
  return cells == tile_side ? above : own >> tile_side * cells | above << tile_side * (tile_side - cells);
}

// The tile's cells, and those of its neighbours along an axis.
template <int D>
struct Neighbours {
  TileSlabs<D> low, own, high;

  Neighbours(const std::uint8_t* rows, const TileSet<D>& tiles, int tile, int axis) {
    const int* near = tiles.neighbours + std::size_t(tile) * neighbourhood<D> + centre_of_neighbourhood<D>;
    low = load<D>(rows, near[-neighbour_step<D>(axis)]);
    own = load<D>(rows, tile);
    high = load<D>(rows, near[neighbour_step<D>(axis)]);
  }

  // Cells that have one of the mask's within 1 to `cells` along the axis.
  TileSlabs<D> reached(int axis, int cells) const {
    TileSlabs<D> out{};
    for (int k = 0; k < slabs<D>; ++k) {
      Slab& found = out[std::size_t(k)];
      for (int n = 1; n <= cells; ++n) {
        const std::size_t at = std::size_t(k);
        if (axis == D - 1)
          found |= up_rows(own[at], low[at], n) | down_rows(own[at], high[at], n);
        else if (axis == D - 2)
          found |= up_slab(own[at], low[at], n) | down_slab(own[at], high[at], n);
        else if constexpr (D == 3)
          found |= slab(k - n) | slab(k + n);
      }
    }
    return out;
  }

 private:
  Slab slab(int k) const {
    return k < 0           ? low[std::size_t(k + tile_side)]
           : k < tile_side ? own[std::size_t(k)]
                           : high[std::size_t(k - tile_side)];
  }
};

// out = what of_tile(tile) finds, for all tiles.
template <int D, class OfTile>
void store_tiles(Exec& ex, CellMask<D>& out, const OfTile& of_tile) {
  std::uint8_t* rows = out.rows.data();
  ex.parallel_for(out.topology->tile_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const TileSlabs<D> found = of_tile(tile);
      std::memcpy(rows + std::size_t(tile) * tile_rows<D>, found.data(), sizeof(found));
    }
  });
}

template <int D>
TileSlabs<D> joined(TileSlabs<D> x, const TileSlabs<D>& y) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] |= y[k];
  return x;
}

template <int D>
CellMask<D> copy_of(Exec& ex, const CellMask<D>& mask) {
  CellMask<D> copy = empty_mask(ex, mask.topology);
  std::copy(mask.rows.begin(), mask.rows.end(), copy.rows.begin());
  return copy;
}

}  // namespace

template <int D>
CellMask<D> grown_cubes(Exec& ex, const CellMask<D>& mask, int cells) {
  CHECK(cells >= 0 && cells <= tile_side, "masks grow by a tile's side at most, not by ", cells);
  CellMask<D> grown = copy_of(ex, mask), next = empty_mask(ex, mask.topology);
  const TileSet<D> tiles = mask.topology->tile_set();
  for (int a = 0; a < D; ++a) {
    const std::uint8_t* from = grown.rows.data();
    store_tiles(ex, next, [&](int tile) {
      const Neighbours<D> near(from, tiles, tile, a);
      return joined<D>(near.own, near.reached(a, cells));
    });
    std::swap(grown, next);
  }
  return grown;
}

template <int D>
CellMask<D> grown_across_faces(Exec& ex, const CellMask<D>& mask, int times) {
  CellMask<D> grown = copy_of(ex, mask), next = empty_mask(ex, mask.topology);
  const TileSet<D> tiles = mask.topology->tile_set();
  for (int k = 0; k < times; ++k) {
    const std::uint8_t* from = grown.rows.data();
    store_tiles(ex, next, [&](int tile) {
      TileSlabs<D> found = load<D>(from, tile);
      for (int a = 0; a < D; ++a) found = joined<D>(found, Neighbours<D>(from, tiles, tile, a).reached(a, 1));
      return found;
    });
    std::swap(grown, next);
  }
  return grown;
}

template <int D>
std::vector<int> tiles_with(const CellMask<D>& mask) {
  const TileSet<D> all = mask.topology->tile_set();
  std::vector<int> list;
  for (std::int64_t k = 0; k < all.count; ++k) {
    const TileSlabs<D> found = load<D>(mask.rows.data(), all.tile(k));
    if (std::any_of(found.begin(), found.end(), [](Slab slab) { return slab != 0; }))
      list.push_back(all.tile(k));
  }
  return list;
}

template <int D>
std::vector<int> find_next_to(Exec& ex, CellMask<D>& next, const CellMask<D>& mask, const CellMask<D>& wanted,
                              std::span<const int> tiles) {
  const TileSet<D> all = mask.topology->tile_set();
  std::vector<std::uint8_t> any(tiles.size());
  ex.parallel_for(std::int64_t(tiles.size()), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
      const int tile = tiles[k];
      const TileSlabs<D> known = load<D>(mask.rows.data(), tile), want = load<D>(wanted.rows.data(), tile);
      TileSlabs<D> beside{};
      for (int a = 0; a < D; ++a)
        beside = joined<D>(beside, Neighbours<D>(mask.rows.data(), all, tile, a).reached(a, 1));
      Slab some = 0;
      for (std::size_t n = 0; n < beside.size(); ++n) some |= beside[n] &= want[n] & ~known[n];
      std::memcpy(next.rows.data() + std::size_t(tile) * tile_rows<D>, beside.data(), sizeof(beside));
      any[k] = some != 0;
    }
  });
  std::vector<int> found;
  for (std::size_t k = 0; k < tiles.size(); ++k)
    if (any[k]) found.push_back(tiles[k]);
  return found;
}

#define WHORL_INSTANTIATE(D)                                                                          \
  template CellMask<D> grown_cubes(Exec&, const CellMask<D>&, int);                                   \
  template CellMask<D> grown_across_faces(Exec&, const CellMask<D>&, int);                            \
  template std::vector<int> tiles_with(const CellMask<D>&);                                           \
  template std::vector<int> find_next_to(Exec&, CellMask<D>&, const CellMask<D>&, const CellMask<D>&, \
                                         std::span<const int>);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
