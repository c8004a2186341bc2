// The values of a field at the cells of a finer grid, linear between the centres of its own.
#pragma once

#include "grid/field.h"
#include "stages/number_block.h"

#include <algorithm>

namespace whorl {

// For one tile of cells r times as fine.
class BetweenCells {
 public:
  BetweenCells(const Field<float, 3>& field, const Coord<3>& fine_tile, int r)
      : r_(r), box_(around(fine_tile * tile_side, r)), block_(box_.hi - box_.lo) {
    shift_ = fine_tile * tile_side - box_.lo * r;
    auto next = block_.values.begin();
    for_each_coord(box_, [&](const Coord<3>& c) { *next++ = field.get(c); });
  }

  float least() const { return *std::min_element(block_.values.begin(), block_.values.end()); }
  float most() const { return *std::max_element(block_.values.begin(), block_.values.end()); }

  // At a cell of the tile, counted from its first.
  float at(const Coord<3>& c) const {
    Coord<3> low;
    float t[3];
    for (int a = 0; a < 3; ++a) {
      const float x = (float(shift_[a] + c[a]) + 0.5f) / float(r_) - 0.5f;
      low[a] = int(x);
      t[a] = x - float(low[a]);
    }
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
      const Coord<3> step{k & 1, k >> 1 & 1, k >> 2 & 1};
      float w = 1;
      for (int a = 0; a < 3; ++a) w *= step[a] ? t[a] : 1 - t[a];
      sum += w * block_.at(low + step);
    }
    return sum;
  }

 private:
  static Box<3> around(const Coord<3>& lo, int r) {
    Box<3> box;
    for (int a = 0; a < 3; ++a) {
      box.lo[a] = floor_div(lo[a], r) - 1;
      box.hi[a] = floor_div(lo[a] + tile_side - 1, r) + 2;
    }
    return box;
  }

  int r_;
  Box<3> box_;
  Coord<3> shift_;
  NumberBlock block_;
};

}  // namespace whorl
