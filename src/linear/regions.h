// Connected regions of a pressure system's unknowns. In one that touches no air a constant pressure does
// nothing: its right side must add up to zero, and its answer is known but for a constant. Each such
// *floating* region is handled by itself.
#pragma once

#include "linear/pressure_system.h"

#include <vector>

namespace whorl {

// Some cells of a row, row counting through all tiles of a topology.
struct RowPart {
  std::int32_t row;
  std::uint8_t bits;
};

struct FloatingRegion {
  std::vector<RowPart> rows;  // in order
  std::int64_t cells = 0;
};

template <int D>
struct Regions {
  int count = 0;  // of all regions
  std::vector<FloatingRegion> floating;
};

template <int D>
Regions<D> find_regions(Exec& ex, const PressureSystem<D>& system);

// Takes each floating region's mean off; returns the means.
template <class T, int D>
std::vector<double> remove_means(Exec& ex, Field<T, D>& field, const Regions<D>& regions);

}  // namespace whorl
