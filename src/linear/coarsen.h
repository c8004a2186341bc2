// The next coarser grid of a pressure system: each coarse cell from 2^D fine ones, each coarse tile from up
// to 2^D fine tiles.
//
// A coarse cell is an unknown if one of its fine cells is. The link between two coarse cells is the mean of
// the fine links across their common face, so a gap that is open on the fine grid stays open. Air stays where
// it is: a coarse cell's distance to it is the fine cell's, plus or minus half a fine cell.
#pragma once

#include "linear/pressure_system.h"

#include <vector>

namespace whorl {

// For each side of each cell of a stored tile (2 · axis + high), the open fraction towards air and that over
// the distance in cells; zero where there is no air.
template <int D>
struct AirSides {
  static constexpr int parts = 4 * D;
  Buffer<float> data;  // [slot][open sides, conductances][cell]
};

template <int D>
struct CoarseSystem {
  PressureSystem<D> system;
  std::vector<int> parent;    // [fine tile] coarse tile
  std::vector<int> children;  // [coarse tile][2^D] fine tiles, the fine grid's tile count where there is none
};

// `air`: of the fine grid, empty for the finest; becomes that of the coarse one.
template <int D>
CoarseSystem<D> coarsen(Exec& ex, const PressureSystem<D>& fine, AirSides<D>& air);

}  // namespace whorl
