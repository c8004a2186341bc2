#include "stages/level_set_volume.h"

#include "exec/shapes.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;

template <int D>
struct CellPart {
  Real part;    // of the cell that is liquid
  Real growth;  // of it, if the level moves out by a cell
};

// Of a row of cells.
template <int D>
struct CellParts {
  FieldView<const float, D> phi, solids;
  TopologyView<D> cells;
  float cells_a_metre;

  WHORL_INLINE CellPart<D> operator()(const RowIndex<D>& r) const {
    const Real zero(0.f), one(1.f), half(0.5f), scale(cells_a_metre);
    // The part below a plane at the distance d, in any direction, rises from 0 to 1 with the variance of a
    // ramp one cell wide: over many cells no volume is won or lost where the surface bends.
    const Real depth = half - phi(r) * scale;
    const Real room = select(Real::mask_from_bits(cells.active_bits(r)),
                             min(max(solids(r) * scale + half, zero), one), zero);
    return {min(max(depth, zero), one) * room, select((depth > zero) & (depth < one), room, zero)};
  }
};

template <int D>
CellParts<D> cell_parts(const Field<float, D>& phi, const Field<float, D>& solids, double h) {
  return {phi.view(), solids.view(), phi.topology()->view(), float(1 / h)};
}

}  // namespace

template <int D>
Field<float, D> liquid_part(Exec& ex, const Field<float, D>& phi, const Field<float, D>& solids, double h) {
  Field<float, D> part(ex, phi.topology());
  for_rows(ex, phi.topology()->tile_set(),
           [=, out = part.view(), parts = cell_parts(phi, solids, h)](const RowIndex<D>& r) {
             out.store(r, parts(r).part);
           });
  return part;
}

template <int D>
LevelSetVolume level_set_volume(Exec& ex, const Field<float, D>& phi, const Field<float, D>& solids,
                                double h) {
  const CellParts<D> parts = cell_parts(phi, solids, h);
  const TileSet<D> tiles = phi.topology()->tile_set();
  return {std::pow(h, D) *
              sum_rows<double>(ex, tiles,
                               [=](const RowIndex<D>& r) { return convert<Lane<double>>(parts(r).part); }),
          std::pow(h, D - 1) * sum_rows<double>(ex, tiles, [=](const RowIndex<D>& r) {
            return convert<Lane<double>>(parts(r).growth);
          })};
}

template <int D>
void set_volume(Exec& ex, Field<float, D>& phi, const Field<float, D>& solids, double h, double volume,
                double most) {
  const LevelSetVolume now = level_set_volume(ex, phi, solids, h);
  if (!(now.area > 0)) return;
  const Real out(float(std::clamp((volume - now.volume) / now.area, -most, most)));
  for_rows(ex, phi.topology()->tile_set(),
           [=, v = phi.view()](const RowIndex<D>& r) { v.store(r, v(r) - out); });
}

#define WHORL_INSTANTIATE(D)                                                                               \
  template Field<float, D> liquid_part(Exec&, const Field<float, D>&, const Field<float, D>&, double);     \
  template LevelSetVolume level_set_volume(Exec&, const Field<float, D>&, const Field<float, D>&, double); \
  template void set_volume(Exec&, Field<float, D>&, const Field<float, D>&, double, double, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
