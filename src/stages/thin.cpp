#include "stages/thin.h"

#include <cmath>

namespace whorl {

namespace {

using Lane64 = Lane<double>;

// e^(±growth dt) - 1, a cell at a time.
template <int D>
struct Growth {
  FieldView<const double, D> growth;
  TopologyView<D> cells;
  double dt;

  WHORL_INLINE Lane64 operator()(const RowIndex<D>& r) const {
    const Lane64 x = select(Lane64::mask_from_bits(cells.active_bits(r)), Lane64(dt) * growth(r), Lane64(0.));
    return from_elements<Lane64>([&](int k) { return std::expm1(x[k]); });
  }
};

}  // namespace

template <int D>
void thin(Exec& ex, Field<float, D>& q, const Field<double, D>& growth, double dt) {
  const Zone zone(ex.profile(), "thin");
  const FieldView<float, D> value = q.view();
  const Growth<D> less{growth.view(), q.topology()->view(), -dt};
  const Lane<float> clear(q.background());
  for_rows(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    if (!any(!(value(r) == clear))) return;
    value.store(r, value(r) + (value(r) - clear) * convert<Lane<float>>(less(r)));
  });
}

template <int D>
double amount_grown(Exec& ex, const Field<float, D>& q, const Field<double, D>& growth, double dt) {
  const FieldView<const float, D> value = q.view();
  const Growth<D> more{growth.view(), q.topology()->view(), dt};
  const Lane<float> clear(q.background());
  return sum_rows<double>(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    const Lane<float> held = value(r) - clear;
    return any(!(held == Lane<float>(0.f))) ? convert<Lane64>(held) * more(r) : Lane64(0.);
  });
}

template void thin(Exec&, Field<float, 2>&, const Field<double, 2>&, double);
template void thin(Exec&, Field<float, 3>&, const Field<double, 3>&, double);
template double amount_grown(Exec&, const Field<float, 2>&, const Field<double, 2>&, double);
template double amount_grown(Exec&, const Field<float, 3>&, const Field<double, 3>&, double);

}  // namespace whorl
