// Means over neighbours, as by a narrow Gaussian: weights 1/4, 1/2, 1/4 along every axis, again and again.
#pragma once

#include "exec/shapes.h"
#include "grid/field.h"

#include <utility>

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

}  // namespace whorl
