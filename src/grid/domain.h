// The box a scene may put round its fluid, and what each of its 2·D sides does.
#pragma once

#include "base/box.h"
#include "whorl/error.h"

#include <array>

namespace whorl {

enum class Side {
  open,      // air at rest outside, at zero pressure
  wall,      // nothing passes
  inflow,    // a given velocity passes
  periodic,  // what leaves enters on the other side; always both sides of an axis
  water,     // of liquids: more of it outside, at rest up to a level
};

// No domain at all is the default: a box that no fluid reaches the end of.
template <int D>
struct Domain {
  static constexpr int far_away = 1 << 29;

  Box<D> cells{Coord<D>::filled(-far_away), Coord<D>::filled(far_away)};
  std::array<std::array<Side, 2>, D> sides{};  // [axis][0: low, 1: high]

  bool periodic(int axis) const { return sides[std::size_t(axis)][0] == Side::periodic; }
  int extent(int axis) const { return cells.hi[axis] - cells.lo[axis]; }
  bool operator==(const Domain& other) const {
    return cells.lo == other.cells.lo && cells.hi == other.cells.hi && sides == other.sides;
  }

  // The same tile inside the domain's period.
  Coord<D> wrap_tile(Coord<D> tile) const;
};

// A box with one kind of side all round.
template <int D>
Domain<D> box_domain(const Box<D>& cells, Side sides);

template <int D>
Result<void> validate(const Domain<D>& domain);

}  // namespace whorl
