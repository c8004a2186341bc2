#include "stages/dissipate.h"

#include <cmath>

namespace whorl {

template <int D>
void dissipate(Exec& ex, Field<float, D>& q, double rate, double dt) {
  if (rate == 0) return;
  const Zone zone(ex.profile(), "dissipate");
  const FieldView<float, D> value = q.view();
  const Lane<float> background(q.background()), kept(float(std::exp(-rate * dt)));
  for_rows(ex, q.topology()->active_tile_set(),
           [=](const RowIndex<D>& r) { value.store(r, background + kept * (value(r) - background)); });
}

template void dissipate(Exec&, Field<float, 2>&, double, double);
template void dissipate(Exec&, Field<float, 3>&, double, double);

}  // namespace whorl
