// Where a kernel stands: a tile, and inside it a row (CPU) or a cell (GPU).
#pragma once

#include "base/vec.h"

#include <cstddef>
#include <cstdint>

namespace whorl {

inline constexpr int tile_side = 1 << 3;
template <int D>
inline constexpr int tile_cells = 1 << 3 * D;  // not by ipow(): GCC 13 takes it for undefined in some places
template <int D>
inline constexpr int tile_rows = 1 << 3 * (D - 1);

// Distance in memory between neighbours along an axis of a tile; the last axis is contiguous.
template <int D>
WHORL_INLINE constexpr int tile_stride(int axis) {
  return 1 << 3 * (D - 1 - axis);
}

// A sum of 64-bit terms, so that what is known of one coordinate folds into the address.
template <int D>
WHORL_INLINE constexpr std::ptrdiff_t cell_offset(const Coord<D>& at) {
  std::ptrdiff_t offset = 0;
  for (int a = 0; a < D; ++a) offset += std::ptrdiff_t(at[a]) * tile_stride<D>(a);
  return offset;
}

// The 3^D tiles round a tile, itself in the middle, the last axis fastest.
template <int D>
inline constexpr int neighbourhood = ipow<D>(3);
template <int D>
inline constexpr int centre_of_neighbourhood = neighbourhood<D> / 2;
// Place in the neighbourhood of the tile one step along an axis.
template <int D>
WHORL_INLINE constexpr int neighbour_step(int axis) {
  return axis == D - 1 ? 1 : axis == D - 2 ? 3 : 9;
}

// The tiles a kernel runs over.
template <int D>
struct TileSet {
  const int* neighbours;      // [tile][3^D] slots
  int count;                  // of tiles to visit
  const int* list = nullptr;  // which ones; null: 0 … count - 1

  WHORL_INLINE int tile(std::int64_t k) const { return list ? list[k] : int(k); }
};

template <class T>
struct Lane;

// Eight cells along the last axis; at[D - 1] is 0.
template <int D>
struct RowIndex {
  using Real = Lane<float>;  // what a kernel computes with here
  int tile;
  const int* neighbours;  // the tile's own 3^D
  Coord<D> at;
  WHORL_INLINE std::ptrdiff_t offset() const { return cell_offset<D>(at); }
};

template <int D>
struct CellIndex {
  using Real = float;
  int tile;
  const int* neighbours;
  Coord<D> at;
  WHORL_INLINE std::ptrdiff_t offset() const { return cell_offset<D>(at); }
};

}  // namespace whorl
