// Masks that grow by some cells.
#pragma once

#include "grid/retile.h"

#include <span>
#include <vector>

namespace whorl {

// Cells within so many cells of one of the mask's along each axis: a cube round each. At most a tile's side.
template <int D>
CellMask<D> grown_cubes(Exec& ex, const CellMask<D>& mask, int cells);

// And the cells next to those of the mask, across their faces, so many times over.
template <int D>
CellMask<D> grown_across_faces(Exec& ex, const CellMask<D>& mask, int times);

// The tiles with a cell of the mask, in the order in which kernels visit them.
template <int D>
std::vector<int> tiles_with(const CellMask<D>& mask);

// Sets `next`, in some tiles, to the cells of `wanted` that are not of the mask but next to one of it, across
// a face. Returns those of the tiles that have any.
template <int D>
std::vector<int> find_next_to(Exec& ex, CellMask<D>& next, const CellMask<D>& mask, const CellMask<D>& wanted,
                              std::span<const int> tiles);

}  // namespace whorl
