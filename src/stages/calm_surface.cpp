#include "stages/calm_surface.h"

#include "exec/shapes.h"

#include <utility>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr int passes = 2;  // of G: a standard deviation of one cell
constexpr float b = 3;     // moves waves of 16 cells by less than a hundredth of their height
constexpr float near = 1;  // cells from the surface: further away, its distance is noise for the most part
constexpr int thickness_passes = 3,
              thick_reach = 3;  // cells from outside of a surface to where liquid is thick
constexpr float least_thick = 0.9f, all_thick = 0.98f;  // of the mean round a cell, that is liquid

// A field anew from f(a cell, the one before it, the one after it), along one axis after the other.
// Neighbours beyond the domain's sides and in solids are as the cell itself.
template <int D, class F>
void pass_along(Exec& ex, Field<float, D>& q, const Field<float, D>& solids, int times, const F& f) {
  const FieldView<const float, D> distance = solids.view();
  const TopologyView<D> cells = solids.topology()->view();
  Field<float, D> other(ex, q.topology());
  for (int k = 0; k < times * D; ++k) {
    const int a = k % D;
    const FieldView<const float, D> from = std::as_const(q).view();
    const FieldView<float, D> to = other.view();
    for_rows(ex, q.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const Real here = from(r), none(0.f);
      const auto beside = [&](int step) {
        const unsigned known = cells.active_bits(r, a, step) & bits(distance(r, a, step) >= none);
        return select(Real::mask_from_bits(known), from(r, a, step), here);
      };
      to.store(r, f(here, beside(-1), beside(+1)));
    });
    std::swap(q, other);
  }
}

Real mean_of(Real here, Real low, Real high) { return Real(0.5f) * here + Real(0.25f) * (low + high); }
Real most_of(Real here, Real low, Real high) { return max(here, max(low, high)); }

// f(value, how far solids are) in the place of every value.
template <int D, class F>
void for_values(Exec& ex, Field<float, D>& q, const Field<float, D>& solids, const F& f) {
  const FieldView<float, D> value = q.view();
  const FieldView<const float, D> distance = solids.view();
  for_rows(ex, q.topology()->tile_set(),
           [=](const RowIndex<D>& r) { value.store(r, f(value(r), distance(r))); });
}

Real between(Real low, Real x, Real high) { return min(max(x, low), high); }

// 1 round the surface of liquid that is some cells thick, 0 round sheets and drops and next to solids.
template <int D>
Field<float, D> thick_parts(Exec& ex, const Field<float, D>& surface, const Field<float, D>& solids,
                            double h) {
  Field<float, D> part = surface.clone(ex);
  const Real none(0.f), one(1.f), cells_a_metre(float(1 / h));
  for_values(ex, part, solids,
             [=](Real phi, Real) { return between(none, Real(0.5f) - phi * cells_a_metre, one); });
  pass_along(ex, part, solids, thickness_passes, mean_of);
  pass_along(ex, part, solids, thick_reach, most_of);
  for_values(ex, part, solids, [=](Real filled, Real distance) {
    const Real thick = (filled - Real(least_thick)) * Real(1 / (all_thick - least_thick));
    return between(none, min(thick, distance * cells_a_metre), one);
  });
  return part;
}

}  // namespace

template <int D>
void calm_surface(Exec& ex, Field<float, D>& surface, const Field<float, D>& solids, double h) {
  const Zone zone(ex.profile(), "calm_surface");
  const Field<float, D> thick = thick_parts(ex, surface, solids, h);
  const Real band(near * float(h));
  Field<float, D> once = surface.clone(ex);
  for_values(ex, once, solids, [=](Real phi, Real) { return between(Real(0.f) - band, phi, band); });
  pass_along(ex, once, solids, passes, mean_of);
  Field<float, D> twice = once.clone(ex);
  pass_along(ex, twice, solids, passes, mean_of);
  const FieldView<float, D> q = surface.view();
  const FieldView<const float, D> g = std::as_const(once).view(), gg = std::as_const(twice).view(),
                                  part = thick.view();
  for_rows(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
    q.store(r, q(r) + part(r) * (Real(1 + b) * g(r) - Real(b) * gg(r) - q(r)));
  });
}

template void calm_surface(Exec&, Field<float, 2>&, const Field<float, 2>&, double);
template void calm_surface(Exec&, Field<float, 3>&, const Field<float, 3>&, double);

}  // namespace whorl
