// What a sampler needs of a field: where its tiles are, and what stands where none is.
#pragma once

#include "exec/tile_index.h"
#include "grid/boundary.h"

#include <cstddef>

namespace whorl {

template <int D>
struct SampleView {
  const float* data;
  const int* table;       // [tile of the kernel's topology][3^D] slots in the field's own
  int absent;             // the slot that stands for no tile
  float background;       // … and what it holds
  const Coord<D>* tiles;  // [tile of the kernel's topology] coordinates
  Boundary<D> boundary;

  // The field's value at an index of the kernel's; the background in a tile that it does not have.
  template <class Real, class Index>
  WHORL_INLINE Real own(const Index& i) const {
    const int slot = table[std::size_t(i.tile) * neighbourhood<D> + centre_of_neighbourhood<D>];
    if (slot == absent) return Real(background);
    return read<Real>(data + std::size_t(slot) * tile_cells<D> + i.offset());
  }
};

}  // namespace whorl
