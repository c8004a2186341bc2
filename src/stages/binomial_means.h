// Means over neighbours, as by a narrow Gaussian: weights 1/4, 1/2, 1/4 along every axis, again and again.
#pragma once

#include "exec/shapes.h"
#include "grid/field.h"
#include "grid/grow_mask.h"

#include <utility>
#include <vector>

namespace whorl {

// Each pass widens the Gaussian's variance by half a cell's. Rows that `wanted` does not want stay as they
// are, and so do those of other tiles; `beside(from, r, axis, step)` is what counts as the row's neighbours.
template <int D, class Wanted, class Beside>
void take_binomial_means(Exec& ex, Field<float, D>& q, const TileSet<D>& tiles, int passes,
                         const Wanted& wanted, const Beside& beside) {
  using Real = Lane<float>;
  Field<float, D> other = q.clone(ex);
  for (int k = 0; k < passes * D; ++k) {
    const int a = k % D;
    const FieldView<const float, D> from = std::as_const(q).view();
    const FieldView<float, D> to = other.view();
    for_rows(ex, tiles, [=](const RowIndex<D>& r) {
      if (!wanted(r)) return;
      to.store(r, Real(0.5f) * from(r) + Real(0.25f) * (beside(from, r, a, -1) + beside(from, r, a, +1)));
    });
    std::swap(q, other);
  }
}

// Of the rows of `where`. Neighbours that are not `known` are as the cell itself.
template <int D>
void take_binomial_means(Exec& ex, Field<float, D>& q, const CellMask<D>& where, const TopologyView<D>& known,
                         int passes) {
  using Real = Lane<float>;
  const std::vector<int> list = tiles_with(where);
  const TileSet<D> tiles{where.topology->tile_set().neighbours, int(list.size()), list.data()};
  take_binomial_means(
      ex, q, tiles, passes, [rows = where.view()](const RowIndex<D>& r) { return rows.active_bits(r) != 0; },
      [=](const FieldView<const float, D>& from, const RowIndex<D>& r, int a, int step) {
        return select(Real::mask_from_bits(known.active_bits(r, a, step)), from(r, a, step), from(r));
      });
}

}  // namespace whorl
