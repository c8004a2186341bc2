// Solids, as the grid sees them: how much of each face is open, how fast the rest of it moves, and which
// cells hold fluid.
#pragma once

#include "geometry/shape.h"
#include "grid/field.h"
#include "grid/retile.h"

#include <array>
#include <optional>
#include <span>

namespace whorl {

// A rigid motion's velocity at a place x: at_origin + Σ_a x_a · gradient[a].
template <int D>
struct RigidVelocity {
  Vec<double, D> at_origin{};
  std::array<Vec<double, D>, D> gradient{};

  Vec<double, D> at(const Vec<double, D>& x) const {
    Vec<double, D> u = at_origin;
    for (int a = 0; a < D; ++a) u = u + gradient[std::size_t(a)] * x[a];
    return u;
  }
  bool operator==(const RigidVelocity&) const = default;
};

// In metres from the low corner of cell 0.
template <int D>
struct Solid {
  Shape<D> before;  // where it is at the start of a step …
  Shape<D> shape;   // … and at its end
  RigidVelocity<D> velocity;
  std::optional<Shape<D>> halfway = {};  // where it is in the middle of the step, if it moves
};

enum class WallMode {
  cut,    // a face is as open as the solids leave it (face fractions: Ng, Min & Gibou 2009)
  voxel,  // a cell whose centre lies in a solid has closed faces: stairs, to compare with
};

// A face less open than this is closed.
inline constexpr double least_open_part = 1e-3;

template <int D>
struct CutFaces {
  MacField<float, D> open;   // the open fraction of each face
  MacField<float, D> walls;  // the velocity of its covered part; empty where no solid moves
};

// What the domain's sides and the solids leave open.
template <int D>
CutFaces<D> cut_faces(Exec& ex, const TopologyPtr<D>& topology, std::span<const Solid<D>> solids,
                      Shape<D> Solid<D>::*place, double h, WallMode mode);

// How far each cell's centre is from the nearest solid, negative inside one, in metres. Tiles that no solid
// comes near have the distance of a tile's side.
template <int D>
Field<float, D> solid_distance(Exec& ex, const TopologyPtr<D>& topology, std::span<const Solid<D>> solids,
                               Shape<D> Solid<D>::*place, double h);

// Gives the faces that are closed the velocity of their wall. Those on the domain's sides are for
// enforce_sides().
template <int D>
void enforce_solids(Exec& ex, MacField<float, D>& velocity, const CutFaces<D>& faces);

// The active cells with an open face.
template <int D>
CellMask<D> fluid_cells(Exec& ex, const MacField<float, D>& open);

// The background in active cells that are not fluid.
template <int D>
void clear_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid);

}  // namespace whorl
