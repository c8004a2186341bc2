// From the coordinate of a tile to its slot: open addressing, built once, then only read.
#pragma once

#include "base/rng.h"
#include "base/vec.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace whorl {

// Plain arrays, so that a kernel on either side can look tiles up.
template <int D>
struct TileMapView {
  struct Entry {
    Coord<D> tile;
    int slot;  // -1: free
  };
  const Entry* entries;
  std::uint32_t mask;  // entries less one, a power of two less one

  WHORL_INLINE static std::uint64_t hash(const Coord<D>& tile) {
    std::uint64_t h = 0;
    for (int a = 0; a < D; ++a) h = (h ^ std::uint32_t(tile[a])) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 32);
  }

  // The slot of a tile, or `absent`.
  WHORL_INLINE int find(const Coord<D>& tile, int absent) const {
    for (std::uint64_t i = hash(tile);; ++i) {
      const Entry& e = entries[i & mask];
      if (e.slot < 0) return absent;
      if (e.tile == tile) return e.slot;
    }
  }
};

template <int D>
class TileMap {
 public:
  using Entry = typename TileMapView<D>::Entry;

  TileMap() : TileMap(std::span<const Coord<D>>{}) {}
  explicit TileMap(std::span<const Coord<D>> tiles)
      : entries_(std::bit_ceil(2 * tiles.size() + 2), Entry{{}, -1}) {
    const TileMapView<D> v = view();
    for (std::size_t slot = 0; slot < tiles.size(); ++slot) {
      std::uint64_t i = v.hash(tiles[slot]);
      while (entries_[i & v.mask].slot >= 0) ++i;
      entries_[i & v.mask] = {tiles[slot], int(slot)};
    }
  }

  TileMapView<D> view() const { return {entries_.data(), std::uint32_t(entries_.size() - 1)}; }
  int find(const Coord<D>& tile, int absent = -1) const { return view().find(tile, absent); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace whorl
