#include "stages/extrapolate.h"

namespace whorl {

template <int D>
int extrapolate(Exec& ex, Field<float, D>& q, CellMask<D> known, const CellMask<D>& wanted, int layers) {
  using Real = Lane<float>;
  const Topology<D>& topology = *q.topology();
  const TopologyView<D> want = wanted.view();
  CellMask<D> next = empty_mask(ex, q.topology());
  Field<float, D> other = Field<float, D>::unfilled(ex, q.topology(), q.background());
  for (int layer = 0; layer < layers; ++layer) {
    const TopologyView<D> know = known.view();
    const auto store = next.store();
    const FieldView<const float, D> value = std::as_const(q).view();
    const FieldView<float, D> out = other.view();
    const float filled = max_rows<float>(ex, topology.tile_set(), 0.f, [=](const RowIndex<D>& r) {
      const unsigned own = know.active_bits(r), missing = want.active_bits(r) & ~own;
      Real sum(0.f), count(0.f);
      for (int a = 0; a < D && missing; ++a)
        for (const int step : {-1, +1}) {
          const auto there = Real::mask_from_bits(know.active_bits(r, a, step));
          sum += select(there, value(r, a, step), Real(0.f));
          count += select(there, Real(1.f), Real(0.f));
        }
      const unsigned found = missing & bits(count > Real(0.f));
      out.store(r, select(Real::mask_from_bits(found), sum / count, value(r)));
      store(r, own | found);
      return found ? Real(1.f) : Real(0.f);
    });
    if (filled == 0) return layer;
    std::swap(known, next);
    std::swap(q, other);
  }
  return layers;
}

template int extrapolate(Exec&, Field<float, 2>&, CellMask<2>, const CellMask<2>&, int);
template int extrapolate(Exec&, Field<float, 3>&, CellMask<3>, const CellMask<3>&, int);

}  // namespace whorl
