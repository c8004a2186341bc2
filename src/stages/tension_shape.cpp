#include "stages/tension_shape.h"

#include "exec/shapes.h"
#include "geometry/redistance.h"
#include "grid/grow_mask.h"
#include "stages/binomial_means.h"
#include "stages/extend.h"

#include <utility>
#include <vector>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr int passes = 4;       // of G: a standard deviation of 1.4 cells
constexpr float b = 1;          // leaves what is of second order as it is
constexpr double width = 6;     // cells on each side of the surface that have a distance
constexpr float thick = 0.9f;   // cells under the surface, of what is thick enough to have a shape …
constexpr int thick_reach = 2,  // … so many cells away at most,
    thick_fading = 2;           // and those over which that ceases to count

// The liquid goes on into solids, but a film on one is not thicker for that.
template <int D>
Field<float, D> share_of(Exec& ex, const Field<float, D>& phi, const Field<float, D>& solids, double h) {
  const FieldView<const float, D> distance = phi.view(), free = solids.view();
  CellMask<D> mask = cells_where(ex, phi.topology(), [=](const RowIndex<D>& r) {
    return (distance(r) < Real(float(-double(thick) * h))) & (free(r) >= Real(0.f));
  });
  mask = grown_across_faces(ex, mask, thick_reach);
  Field<float, D> share(ex, phi.topology());
  const FieldView<float, D> part = share.view();
  for (int k = 0; k < thick_fading; ++k) {
    if (k > 0) mask = grown_across_faces(ex, mask, 1);
    const TopologyView<D> reached = mask.view();
    for_rows(ex, phi.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const unsigned found = reached.active_bits(r);
      if (found)
        part.store(r, part(r) + select(Real::mask_from_bits(found), Real(1.f / thick_fading), Real(0.f)));
    });
  }
  return share;
}

}  // namespace

template <int D>
TensionShape<D> tension_shape(Exec& ex, const Field<float, D>& surface, const Field<float, D>& solids,
                              double h) {
  const Zone zone(ex.profile(), "tension_shape");
  const TopologyPtr<D>& topology = surface.topology();
  TensionShape<D> shape{surface.clone(ex), {}};
  const FieldView<const float, D> free = solids.view();
  extend_into_solids(ex, shape.phi,
                     cells_where(ex, topology, [=](const RowIndex<D>& r) { return free(r) >= Real(0.f); }));
  redistance(ex, shape.phi, h, {.width = width});
  shape.share = share_of(ex, shape.phi, solids, h);

  const FieldView<float, D> phi = shape.phi.view();
  const CellMask<D> round =
      cells_where(ex, topology, [=](const RowIndex<D>& r) { return abs(phi(r)) < Real(float(width * h)); });
  Field<float, D> once = shape.phi.clone(ex);
  take_binomial_means(ex, once, round, topology->view(), passes);
  Field<float, D> twice = once.clone(ex);
  take_binomial_means(ex, twice, round, topology->view(), passes);
  const FieldView<const float, D> g = std::as_const(once).view(), gg = std::as_const(twice).view();
  for_rows(ex, topology->tile_set(),
           [=](const RowIndex<D>& r) { phi.store(r, Real(1 + b) * g(r) - Real(b) * gg(r)); });
  return shape;
}

template TensionShape<2> tension_shape(Exec&, const Field<float, 2>&, const Field<float, 2>&, double);
template TensionShape<3> tension_shape(Exec&, const Field<float, 3>&, const Field<float, 3>&, double);

}  // namespace whorl
