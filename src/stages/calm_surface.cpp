#include "stages/calm_surface.h"

#include "exec/shapes.h"
#include "grid/grow_mask.h"
#include "stages/binomial_means.h"

#include <utility>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr int passes = 2;  // of G: a standard deviation of one cell
// Raises waves of more than 8 cells by up to a thirtieth, which is about what the surface from particles has
// lost of them: with b = 2, which leaves them as they are, standing waves are 2 to 3 % too slow and fade.
constexpr float b = 3;
constexpr float near = 1;     // cells from the surface: further away, its distance is noise for the most part
constexpr float deep = 1.5f;  // cells under the surface that thick liquid has …
constexpr int deep_reach = 4,
              fading = 3;  // … so many cells away at most, and those over which that ceases to count

}  // namespace

template <int D>
void calm_surface(Exec& ex, Field<float, D>& surface, const Field<float, D>& solids, double h) {
  const Zone zone(ex.profile(), "calm_surface");
  const TopologyPtr<D>& topology = surface.topology();
  const FieldView<float, D> phi = surface.view();
  const FieldView<const float, D> distance = solids.view();
  const float size = float(h);
  const CellMask<D> known =
      cells_where(ex, topology, [=](const RowIndex<D>& r) { return distance(r) >= Real(0.f); });
  CellMask<D> round =
      cells_where(ex, topology, [=](const RowIndex<D>& r) { return abs(phi(r)) < Real(near * size); });
  round = grown_across_faces(ex, round, 2 * passes);

  const auto in_band = [=](const Real& x) { return min(max(x, Real(-near * size)), Real(near * size)); };
  Field<float, D> once(ex, topology);
  const FieldView<float, D> band = once.view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) { band.store(r, in_band(phi(r))); });
  take_binomial_means(ex, once, round, known.view(), passes);
  Field<float, D> twice = once.clone(ex);
  take_binomial_means(ex, twice, round, known.view(), passes);

  // A whole share within the reach of what is deep, less further away, and none in and next to solids.
  CellMask<D> thick =
      cells_where(ex, topology, [=](const RowIndex<D>& r) { return phi(r) < Real(-deep * size); });
  thick = grown_across_faces(ex, thick, deep_reach);
  Field<float, D> share(ex, topology);
  const FieldView<float, D> part = share.view();
  for (int k = 0; k < fading; ++k) {
    const TopologyView<D> reached = thick.view();
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      const unsigned found = reached.active_bits(r);
      if (found) part.store(r, part(r) + select(Real::mask_from_bits(found), Real(1.f / fading), Real(0.f)));
    });
    thick = grown_across_faces(ex, thick, 1);
  }
  const FieldView<const float, D> g = std::as_const(once).view(), gg = std::as_const(twice).view();
  const TopologyView<D> calmed = round.view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const unsigned here = calmed.active_bits(r);
    if (!here) return;
    const Real taken = min(part(r), max(distance(r) * Real(1 / size), Real(0.f)));
    const Real change = taken * (Real(1 + b) * g(r) - Real(b) * gg(r) - in_band(phi(r)));
    phi.store(r, phi(r) + select(Real::mask_from_bits(here), change, Real(0.f)));
  });
}

template void calm_surface(Exec&, Field<float, 2>&, const Field<float, 2>&, double);
template void calm_surface(Exec&, Field<float, 3>&, const Field<float, 3>&, double);

}  // namespace whorl
