// The zero level of a field, piece by piece: one for each cell that has a neighbour on the other side of it.
//
// A piece is the point of the surface nearest to the cell's centre, on the tensor product of cubics through
// the cells around (after Chopp 2001, who has bicubics a cell), and how the surface bends there.
#pragma once

#include "exec/exec.h"
#include "grid/field.h"

namespace whorl {

// The quadric n · w + ½ wᵀ B w = 0 for w = x - point, all in cells.
template <int D>
struct SurfacePiece {
  Coord<D> cell;
  int tile;              // that it is in
  Vec<float, D> point;   // from the cell's centre
  Vec<float, D> normal;  // towards positive values
  float bend[D][D];      // B, the second derivatives over the slope
};

template <int D>
struct SurfacePieces {
  Buffer<SurfacePiece<D>> list;  // in the order of tiles and cells
  Field<int, D> at;              // [cell] place in the list, -1 where the surface is not next to it
};

inline constexpr int no_piece = -1;

// Cells that are not active, such as those beyond walls, tell nothing: what is known goes on straight there.
// `phi` is in metres and negative inside, zero counts as outside; its slope may be anything but zero.
template <int D>
SurfacePieces<D> surface_pieces(Exec& ex, const Field<float, D>& phi, double h);

// The sum of the principal curvatures of the surface near a cell, in 1/m and no more than one a cell;
// positive where the inside is convex. Of fourth order where `phi` is a distance, of second where it is
// merely smooth and both cells next to a crossing are asked and weighed. Beyond walls of the domain is the
// mirror image of what is before them: the surface wants to meet them at right angles.
template <int D>
double surface_curvature(const Field<float, D>& phi, const CellIndex<D>& cell, double h);

}  // namespace whorl
