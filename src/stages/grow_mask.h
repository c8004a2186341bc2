// A mask with the cells next to it.
#pragma once

#include "exec/shapes.h"
#include "grid/retile.h"

#include <utility>

namespace whorl {

// Adds the cells across the faces of those that a mask has, so many times over.
template <int D>
void grow(Exec& ex, CellMask<D>& mask, int cells = 1) {
  for (int k = 0; k < cells; ++k) {
    CellMask<D> grown = empty_mask(ex, mask.topology);
    const TopologyView<D> from = mask.view();
    const auto store = grown.store();
    for_rows(ex, mask.topology->tile_set(), [=](const RowIndex<D>& r) {
      unsigned found = from.active_bits(r);
      for (int a = 0; a < D; ++a) found |= from.active_bits(r, a, -1) | from.active_bits(r, a, +1);
      store(r, found);
    });
    mask = std::move(grown);
  }
}

}  // namespace whorl
