// Bricks of cells far from the tile that samples them: where a long map leads, a tile's points still lie
// close together, and one brick holds what all of them read.
#pragma once

#include "grid/brick.h"
#include "grid/sampler.h"

namespace whorl {

// Copies the field into the brick, whose box is counted from the sampler's origin and may lie anywhere.
template <class Group, int D>
WHORL_INLINE void load_far_brick(const Group& group, const Brick<D>& brick, const HashSampler<D>& field) {
  const BrickBox<D>& box = brick.box;
  Coord<D> first, count;  // tiles that the box touches
  int tiles = 1;
  for (int a = 0; a < D; ++a) {
    first[a] = floor_div(field.origin[a] + box.lo[a], tile_side);
    count[a] = floor_div(field.origin[a] + box.hi[a] - 1, tile_side) - first[a] + 1;
    tiles *= count[a];
  }
  for (int k = 0; k < tiles; ++k) {
    Coord<D> tile, from, size, local;  // the part of the box in one tile
    for (int a = D - 1, rest = k; a >= 0; rest /= count[a], --a) {
      tile[a] = first[a] + rest % count[a];
      const int start = tile[a] * tile_side - field.origin[a];
      from[a] = max(box.lo[a], start);
      size[a] = min(box.hi[a], start + tile_side) - from[a];
      local[a] = from[a] - start;
    }
    const float* cells = field.cells_of(tile);
    group.for_each(D == 3 ? size[0] : 1, size[D - 2], [&](int i, int j) {
      Coord<D> step{};
      if (D == 3) step[0] = i;
      step[D - 2] = j;
      float* to = brick.at(from + step);
      const float* row = cells ? cells + cell_offset<D>(local + step) : nullptr;
      for (int c = 0; c < size[D - 1]; ++c) to[c] = row ? row[c] : field.field.background;
    });
  }
  group.sync();
  fill_beyond_sides(group, brick, field.field.boundary, field.origin);
}

// The box of all that points of a tile read which are moved by [lo, hi] cells from its samples, which it is
// counted from. It holds a valid cell of the field, for what lies beyond to be filled from.
template <class Stencil, int D>
WHORL_INLINE BrickBox<D> far_box(const Vec<float, D>& lo, const Vec<float, D>& hi,
                                 const Boundary<D>& boundary, const Coord<D>& origin) {
  BrickBox<D> box;
  for (int a = 0; a < D; ++a) {
    // A little more, for the rounding of positions.
    box.lo[a] = min(int(floor(lo[a] - 1e-3f)) - Stencil::before, boundary.hi[a] - 1 - origin[a]);
    box.hi[a] = max(tile_side + int(floor(hi[a] + 1e-3f)) + Stencil::after, boundary.lo[a] + 1 - origin[a]);
  }
  return box;
}

}  // namespace whorl
