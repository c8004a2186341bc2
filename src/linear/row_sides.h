// What lies on each side of the cells of a row, on the finest grid.
#pragma once

#include "linear/pressure_system.h"

namespace whorl {

inline constexpr float least_theta = 1e-6f;  // a surface any nearer to a cell's centre counts as that near

// The distance to the surface from an unknown whose neighbour is air, in cells.
WHORL_INLINE Lane<float> ghost_theta(Lane<float> inside, Lane<float> outside) {
  const Lane<float> theta = inside / (inside - outside);
  return min(max(theta, Lane<float>(least_theta)), Lane<float>(1.f));
}

template <int D>
struct RowSides {
  using Real = Lane<float>;
  MacView<const float, D> open;
  TopologyView<D> unknowns;
  FieldView<const float, D> surface;  // null without one

  // Calls f(side, link, open fraction to air, that over the distance) for each side, 2 · axis + high.
  template <class F>
  WHORL_INLINE void for_each(const RowIndex<D>& i, const F& f) const {
    const unsigned own = unknowns.active_bits(i);
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) {
        const unsigned other = unknowns.active_bits(i, a, step);
        const Real w = step < 0 ? open[a](i) : open[a](i, a, +1);
        const Real link = select(Real::mask_from_bits(own & other), w, Real(0.f));
        const int side = 2 * a + (step > 0);
        if ((own & ~other) == 0) {
          f(side, link, Real(0.f), Real(0.f));
          continue;
        }
        const Real air = select(Real::mask_from_bits(own & ~other), w, Real(0.f));
        f(side, link, air,
          surface.data ? air / ghost_theta(surface(i), max(surface(i, a, step), Real(0.f))) : air);
      }
  }
};

// The cells that may be unknowns: the active ones or, with a surface, those of them inside it.
template <int D>
CellMask<D> candidate_unknowns(Exec& ex, const PressureSystem<D>& system);

template <int D>
RowSides<D> row_sides(const PressureSystem<D>& system, const CellMask<D>& candidates);

}  // namespace whorl
