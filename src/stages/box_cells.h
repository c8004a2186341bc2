// The cells of a topology that a shape may touch, with their places in space.
#pragma once

#include "exec/shapes.h"
#include "geometry/shape.h"
#include "grid/topology.h"
#include "grid/trace.h"

#include <algorithm>
#include <cmath>

namespace whorl {

// Cells with a sample in the bounds, or within `reach` cells of them. Metres are counted from the low corner
// of cell 0.
template <int D>
Box<D> cells_round(const Bounds<D>& bounds, double h, int reach = 1) {
  constexpr double far_away = Domain<D>::far_away;
  Box<D> cells;
  for (int a = 0; a < D; ++a) {
    cells.lo[a] = int(std::clamp(std::floor(bounds.lo[a] / h) - reach, -far_away, far_away));
    cells.hi[a] = int(std::clamp(std::ceil(bounds.hi[a] / h) + reach, -far_away, far_away));
  }
  return cells;
}

// Where the sample of a cell at `location` is, in metres.
template <int D>
Vec<double, D> sample_place(const Coord<D>& cell, int location, double h) {
  Vec<double, D> x;
  for (int a = 0; a < D; ++a) x[a] = h * (cell[a] + double(sample_offset(location, a)));
  return x;
}

// A place in metres, back in the period of a periodic domain.
template <int D>
Vec<double, D> wrapped(Vec<double, D> x, const Domain<D>& domain, double h) {
  for (int a = 0; a < D; ++a) {
    if (!domain.periodic(a)) continue;
    const double lo = domain.cells.lo[a] * h, period = domain.extent(a) * h;
    x[a] -= period * std::floor((x[a] - lo) / period);
  }
  return x;
}

// Whether a cell is active; in a periodic domain, whether the one that it is an image of is.
template <int D>
bool is_active(const Topology<D>& topology, const Coord<D>& cell) {
  Coord<D> tile, at;
  for (int a = 0; a < D; ++a) {
    at[a] = cell[a] & (tile_side - 1);
    tile[a] = (cell[a] - at[a]) / tile_side;
  }
  const int slot = topology.map().find(topology.domain().wrap_tile(tile));
  return slot >= 0 && topology.view().active_bits(CellIndex<D>{slot, nullptr, at});
}

// Calls f(index, cell) for every stored cell of a box; cells of one tile in order, by one thread.
template <int D, class F>
void for_cells_of_box(Exec& ex, const Topology<D>& topology, const Box<D>& box, const F& f) {
  const TileSet<D> tiles = topology.tile_set();
  ex.parallel_for(tiles.count, tiles_per_chunk<D> / 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const Coord<D> first = topology.tiles()[std::size_t(tile)] * tile_side;
      const Box<D> own = Box<D>{first, first + Coord<D>::filled(tile_side)}.intersect(box);
      CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
      for_each_coord(own, [&](const Coord<D>& c) {
        i.at = c - first;
        f(static_cast<const CellIndex<D>&>(i), c);
      });
    }
  });
}

}  // namespace whorl
