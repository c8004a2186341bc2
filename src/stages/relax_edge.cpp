#include "stages/relax_edge.h"

#include "grid/retile.h"

namespace whorl {

namespace {

// Whether air may pass between a cell and the place next to it along an axis, which is not active.
template <int D>
bool open_beyond(const Domain<D>& domain, const Coord<D>& cell, int axis, int step) {
  const int next = cell[axis] + step;
  const bool inside = next >= domain.cells.lo[axis] && next < domain.cells.hi[axis];
  return inside || domain.sides[std::size_t(axis)][step > 0] == Side::open;
}

// The active cells with open air beside them.
template <int D>
CellMask<D> outermost(Exec& ex, const TopologyPtr<D>& topology) {
  CellMask<D> mask = empty_mask(ex, topology);
  const auto store = mask.store();
  const TopologyView<D> cells = topology->view();
  const Domain<D>& domain = topology->domain();
  for_rows(ex, topology->active_tile_set(), [=, &domain](const RowIndex<D>& r) {
    const Coord<D> first = cells.tiles[r.tile] * tile_side + r.at;
    unsigned found = 0;
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) {
        const unsigned missing = cells.active_bits(r) & ~cells.active_bits(r, a, step);
        for (int k = 0; k < tile_side && missing >> k; ++k)
          if (missing >> k & 1)
            found |= unsigned(open_beyond(domain, first + Coord<D>::unit(D - 1, k), a, step)) << k;
      }
    store(r, found);
  });
  return mask;
}

template <int D>
struct Relax {
  MacView<float, D> u;
  FieldView<const float, D> nearness;
  TopologyView<D> cells;
  Vec<float, D> wind;
  float rate_dt;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      const Real near = max(nearness(i), nearness(i, a, -1));
      const auto felt = mask_of<Real>(cells.live_face_bits(i, a)) & (near > Real(0.f));
      if (!any(felt)) continue;
      const Real kdt = Real(rate_dt) * near * near;
      const Real calmed = Real(wind[a]) + (u[a](i) - Real(wind[a])) / (Real(1.f) + kdt);
      u[a].store(i, select(felt, calmed, u[a](i)));
    }
  }
};

}  // namespace

template <int D>
void relax_edge(Exec& ex, MacField<float, D>& velocity, int layers, double rate, double dt) {
  if (rate == 0 || layers == 0) return;
  const Zone zone(ex.profile(), "relax_edge");
  using Real = Lane<float>;
  const TopologyPtr<D>& topology = velocity.topology();
  const TopologyView<D> cells = topology->view();
  Field<float, D> nearness(ex, topology);  // 1 in the outermost layer, 0 beyond the last
  const FieldView<float, D> near = nearness.view();
  CellMask<D> reached = outermost(ex, topology), next = empty_mask(ex, topology);
  for (int layer = 0; layer < layers; ++layer) {
    const Real value(1 - float(layer) / float(layers));
    const TopologyView<D> known = reached.view();
    const auto store = next.store();
    for_rows(ex, topology->active_tile_set(), [=](const RowIndex<D>& r) {
      const unsigned own = known.active_bits(r);
      if (own) near.store(r, select(Real::mask_from_bits(own) & (near(r) == Real(0.f)), value, near(r)));
      unsigned grown = own;
      for (int a = 0; a < D; ++a) grown |= known.active_bits(r, a, -1) | known.active_bits(r, a, +1);
      store(r, grown & cells.active_bits(r));
    });
    std::swap(reached.rows, next.rows);
  }
  for_rows(ex, topology->tile_set(),
           Relax<D>{velocity.view(), std::as_const(nearness).view(), cells, velocity.background(),
                    float(rate * dt)});
}

template void relax_edge(Exec&, MacField<float, 2>&, int, double, double);
template void relax_edge(Exec&, MacField<float, 3>&, int, double, double);

}  // namespace whorl
