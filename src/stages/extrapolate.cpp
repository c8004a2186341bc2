#include "stages/extrapolate.h"

#include <algorithm>

namespace whorl {

namespace {

// The tiles with a place in a mask, in the order in which kernels visit them.
template <int D>
std::vector<int> tiles_with(const CellMask<D>& mask) {
  const TileSet<D> all = mask.topology->tile_set();
  std::vector<int> list;
  for (std::int64_t k = 0; k < all.count; ++k) {
    const std::uint8_t* rows = mask.rows.data() + std::size_t(all.tile(k)) * tile_rows<D>;
    if (std::any_of(rows, rows + tile_rows<D>, [](std::uint8_t row) { return row != 0; }))
      list.push_back(all.tile(k));
  }
  return list;
}

}  // namespace

template <int D>
int extrapolate(Exec& ex, Field<float, D>& q, CellMask<D>& known, const CellMask<D>& wanted, int layers) {
  using Real = Lane<float>;
  const std::vector<int> list = tiles_with(wanted);
  const TileSet<D> tiles{q.topology()->tile_set().neighbours, int(list.size()), list.data()};
  const TopologyView<D> want = wanted.view(), know = known.view();
  const auto learn = known.store();
  const FieldView<float, D> value = q.view();
  // A layer is written aside first: its own cells must not be taken for known while it is.
  CellMask<D> found_mask = empty_mask(ex, q.topology());
  Field<float, D> aside = Field<float, D>::unfilled(ex, q.topology());
  const auto store_found = found_mask.store();
  const TopologyView<D> found_here = found_mask.view();
  const FieldView<float, D> out = aside.view();
  for (int layer = 0; layer < layers; ++layer) {
    const float filled = max_rows<float>(ex, tiles, 0.f, [=](const RowIndex<D>& r) {
      const unsigned missing = want.active_bits(r) & ~know.active_bits(r);
      Real sum(0.f), count(0.f);
      for (int a = 0; a < D && missing; ++a)
        for (const int step : {-1, +1}) {
          const auto there = Real::mask_from_bits(know.active_bits(r, a, step));
          sum += select(there, value(r, a, step), Real(0.f));
          count += select(there, Real(1.f), Real(0.f));
        }
      const unsigned found = missing & bits(count > Real(0.f));
      if (found) out.store(r, sum / count);
      store_found(r, found);
      return found ? Real(1.f) : Real(0.f);
    });
    if (filled == 0) return layer;
    for_rows(ex, tiles, [=](const RowIndex<D>& r) {
      const unsigned found = found_here.active_bits(r);
      if (!found) return;
      value.store(r, select(Real::mask_from_bits(found), out(r), value(r)));
      learn(r, know.active_bits(r) | found);
    });
  }
  return layers;
}

template int extrapolate(Exec&, Field<float, 2>&, CellMask<2>&, const CellMask<2>&, int);
template int extrapolate(Exec&, Field<float, 3>&, CellMask<3>&, const CellMask<3>&, int);

}  // namespace whorl
