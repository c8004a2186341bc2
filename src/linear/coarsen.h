// The next coarser grid of a pressure system: each coarse cell from 2^D fine ones, each coarse tile from up
// to 2^D fine tiles.
//
// A coarse cell is active if one of its fine cells is. The weight between two coarse cells is the mean of the
// fine weights across their common face, so a gap that is open on the fine grid stays open. Air stays where
// it is: a coarse cell's distance to it is the fine cell's, plus or minus half a fine cell.
#pragma once

#include "linear/pressure_system.h"

#include <array>
#include <optional>

namespace whorl {

// For each side of each cell (2 · axis + high), the open fraction towards air and that over the distance in
// cells; zero where there is no air.
template <int D>
struct AirSides {
  std::array<Field<float, D>, 2 * D> open, conductance;
};

template <int D>
struct CoarseSystem {
  PressureSystem<D> system;
  AirSides<D> air;
  std::vector<int> parent;    // [fine tile] coarse tile
  std::vector<int> children;  // [coarse tile][2^D] fine tiles, the fine grid's tile count where there is none
};

// `fine_air` of null: the finest grid, whose air is one cell away.
// Nothing where a periodic side does not allow for coarser tiles.
template <int D>
std::optional<CoarseSystem<D>> coarsen(Exec& ex, const PressureSystem<D>& fine, const AirSides<D>* fine_air);

// The coarse cells of a right side: four times the mean of the fine residual (h² has grown by four).
template <int D>
void restrict_residual(Exec& ex, Field<float, D>& coarse, const Field<float, D>& fine,
                       const CoarseSystem<D>& level);

// Adds each coarse value to its fine cells.
template <int D>
void prolong_add(Exec& ex, Field<float, D>& fine, const Field<float, D>& coarse,
                 const CoarseSystem<D>& level);

}  // namespace whorl
