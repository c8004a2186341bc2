// Particles in any box of cells, with their images across the sides of the domain.
//
// Beyond a side lie the cells before it, mirrored, and beyond a periodic one those a period away: a surface
// made from these meets sides at right angles, and itself across a period.
#pragma once

#include "base/check.h"
#include "particles/particle_set.h"

#include <array>

namespace whorl {

// Cell `cell` along an axis is seen in place of another, with x where sign · x + shift was. Cells.
struct CellImage {
  int cell;
  int sign, shift;
};

template <int D>
CellImage image_along(const Domain<D>& domain, int axis, int cell) {
  const int lo = domain.cells.lo[axis], hi = domain.cells.hi[axis];
  CellImage image{cell, 1, 0};
  while (image.cell < lo || image.cell >= hi) {
    const bool low = image.cell < lo;
    if (domain.periodic(axis)) {
      const int step = low ? hi - lo : lo - hi;
      image.cell += step;
      image.shift -= image.sign * step;
    } else {
      const int mirror = low ? lo : hi;
      image.cell = 2 * mirror - 1 - image.cell;
      image.shift += image.sign * 2 * mirror;
      image.sign = -image.sign;
    }
  }
  return image;
}

// Calls f(cell, begin, end, sign, origin) for every cell of a box, the last axis fastest: particle i of
// begin … end lies at origin[a] + sign[a] · position[a][i], in cells from the low corner of the box.
template <int D, class F>
void for_cells_near(const ParticleSet<D>& p, const Box<D>& box, const F& f) {
  const Domain<D>& domain = p.topology->domain();
  constexpr int longest = 32;  // cells that a box has along an axis
  std::array<std::array<CellImage, longest>, D> images;
  for (int a = 0; a < D; ++a) {
    CHECK(box.hi[a] - box.lo[a] <= longest, "a box of ", box.hi[a] - box.lo[a], " cells");
    for (int c = box.lo[a]; c < box.hi[a]; ++c)
      images[std::size_t(a)][std::size_t(c - box.lo[a])] = image_along(domain, a, c);
  }
  Coord<D> last_tile = Coord<D>::filled(Domain<D>::far_away);  // no tile
  int slot = -1;
  for_each_coord(box, [&](const Coord<D>& cell) {
    Coord<D> tile, at;
    Vec<float, D> sign, origin;
    for (int a = 0; a < D; ++a) {
      const CellImage& image = images[std::size_t(a)][std::size_t(cell[a] - box.lo[a])];
      at[a] = image.cell & (tile_side - 1);
      tile[a] = (image.cell - at[a]) / tile_side;
      sign[a] = float(image.sign);
      origin[a] = float(image.sign * tile[a] * tile_side + image.shift - box.lo[a]);
    }
    if (!(tile == last_tile)) slot = p.topology->map().find(last_tile = tile);
    const std::uint32_t* first =
        slot < 0 ? nullptr
                 : p.first.data() + std::size_t(slot) * tile_cells<D> + std::size_t(cell_offset<D>(at));
    f(cell, first ? first[0] : 0u, first ? first[1] : 0u, sign, origin);
  });
}

}  // namespace whorl
