// Which tiles exist and which of their cells carry pressure (docs/adr/0001-tiles.md).
//
// Tiles stand in lexicographic order. An *active* cell has all its 2·D faces stored, or closed off by
// a wall of the domain: where the high face of an active cell lies in a tile without active cells of
// its own, that tile is there all the same, to hold the face.
#pragma once

#include "exec/exec.h"
#include "exec/tile_index.h"
#include "grid/domain.h"
#include "grid/tile_map.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace whorl {

template <int D>
class Topology;
template <int D>
using TopologyPtr = std::shared_ptr<const Topology<D>>;

// The tiles that a box of cells touches.
template <int D>
Box<D> tiles_of(const Box<D>& cells) {
  Box<D> tiles;
  for (int a = 0; a < D; ++a) {
    tiles.lo[a] = floor_div(cells.lo[a], tile_side);
    tiles.hi[a] = floor_div(cells.hi[a] - 1, tile_side) + 1;
  }
  return tiles;
}

// What kernels see of a topology.
template <int D>
struct TopologyView {
  const std::uint8_t* active;  // [tile][row] one bit a cell
  const Coord<D>* tiles;       // [tile]

  // Which cells of the row are active, and which of the cells one step away along an axis: bit k for
  // cell k. For a single cell, bit 0.
  WHORL_INLINE unsigned active_bits(const RowIndex<D>& r) const { return rows(r.tile)[row(r.at)]; }
  WHORL_INLINE unsigned active_bits(const RowIndex<D>& r, int axis, int step) const {
    if (axis < D - 1) return *stepped_row(r, axis, step);
    const unsigned own = active_bits(r), other = *stepped_row(r, axis, step);
    return (step < 0 ? own << 1 | other >> 7 : own >> 1 | other << 7) & 0xff;
  }
  WHORL_INLINE unsigned active_bits(const CellIndex<D>& i) const {
    return rows(i.tile)[row(i.at)] >> i.at[D - 1] & 1;
  }
  WHORL_INLINE unsigned active_bits(const CellIndex<D>& i, int axis, int step) const {
    const int last = (i.at[D - 1] + (axis == D - 1 ? step : 0)) & (tile_side - 1);
    const bool own_row = axis == D - 1 && unsigned(i.at[axis] + step) < unsigned(tile_side);
    return (own_row ? rows(i.tile)[row(i.at)] : *stepped_row(i, axis, step)) >> last & 1;
  }

  // Low faces along an axis that belong to an active cell on either side.
  template <class Index>
  WHORL_INLINE unsigned live_face_bits(const Index& i, int axis) const {
    return active_bits(i) | active_bits(i, axis, -1);
  }

 private:
  WHORL_INLINE const std::uint8_t* rows(int slot) const { return active + std::size_t(slot) * tile_rows<D>; }
  // The row one step away; along the last axis, the same row of the next tile.
  template <class Index>
  WHORL_INLINE const std::uint8_t* stepped_row(const Index& i, int axis, int step) const {
    const bool inside = axis < D - 1 && unsigned(i.at[axis] + step) < unsigned(tile_side);
    if (inside) return rows(i.tile) + row(i.at) + step * tile_stride<D>(axis) / tile_side;
    const int next = i.neighbours[centre_of_neighbourhood<D> + step * neighbour_step<D>(axis)];
    const int wrapped = axis < D - 1 ? step * (tile_side - 1) * tile_stride<D>(axis) / tile_side : 0;
    return rows(next) + row(i.at) - wrapped;
  }
  WHORL_INLINE static int row(const Coord<D>& at) { return int(cell_offset<D>(at) / tile_side); }
};

template <int D>
class Topology {
 public:
  // Every cell of these tiles that lies in the domain is active. Duplicates and tiles outside the
  // domain are dropped, periodic ones wrapped.
  static TopologyPtr<D> of_tiles(Exec& ex, const Domain<D>& domain, std::vector<Coord<D>> active_tiles);
  // Every cell of the domain, or of the tiles that a box within it touches.
  static TopologyPtr<D> of_box(Exec& ex, const Domain<D>& domain, const Box<D>& cells);
  static TopologyPtr<D> of_box(Exec& ex, const Domain<D>& domain) { return of_box(ex, domain, domain.cells); }
  // Any set of active cells within the domain: `active` has one byte a row for each of `tiles`, which are
  // all different.
  static TopologyPtr<D> of_cells(Exec& ex, const Domain<D>& domain, std::vector<Coord<D>> tiles,
                                 std::vector<std::uint8_t> active);

  int tile_count() const { return int(tiles_.size()); }
  std::int64_t active_cells() const { return active_cells_; }
  int active_tiles() const { return int(active_order_.size()); }
  std::span<const Coord<D>> tiles() const { return tiles_; }
  std::span<const std::uint8_t> active() const { return {active_.data(), tiles_.size() * tile_rows<D>}; }
  const Domain<D>& domain() const { return domain_; }
  const TileMap<D>& map() const { return map_; }
  bool has_active(int tile) const { return has_active_[std::size_t(tile)] != 0; }

  TopologyView<D> view() const { return {active_.data(), tiles_.data()}; }
  // Every tile, for kernels that write faces; and those with an active cell, for the rest.
  TileSet<D> tile_set() const { return {neighbours_.data(), tile_count(), order_.data()}; }
  TileSet<D> active_tile_set() const { return {neighbours_.data(), active_tiles(), active_order_.data()}; }

  bool same_cells(const Topology& other) const;

  // [tile of this][3^D] slots in `source`, `source.tile_count()` where it has none: lets a kernel
  // over this topology read fields that live on that one.
  std::vector<int> table_into(Exec& ex, const Topology& source) const;

 private:
  Topology() = default;
  void finish(Exec& ex);

  Domain<D> domain_;
  std::vector<Coord<D>> tiles_;
  std::vector<std::uint8_t> active_;  // one tile more than exist, all zero
  std::vector<std::uint8_t> has_active_;
  std::vector<int> neighbours_;
  TileMap<D> map_;
  std::vector<int> order_, active_order_;  // in which kernels visit all tiles, and those with active cells
  std::int64_t active_cells_ = 0;
};

}  // namespace whorl
