#include "stages/expand.h"

#include "stages/box_cells.h"

namespace whorl {

namespace {

// How much of a cell's face is wall.
template <int D>
struct ClosedPart {
  MacView<const float, D> open;
  const Domain<D>& domain;

  double operator()(const CellIndex<D>& i, const Coord<D>& cell, int axis, int high) const {
    const bool on_side = cell[axis] == (high ? domain.cells.hi[axis] - 1 : domain.cells.lo[axis]);
    if (on_side && domain.sides[std::size_t(axis)][std::size_t(high)] == Side::inflow) return 0;
    return 1 - double(high ? open[axis](i, axis, +1) : open[axis](i));
  }
};

}  // namespace

template <int D>
Field<float, D> expansion_of(Exec& ex, const MacField<float, D>& open, const TopologyView<D>& fluid,
                             std::span<const SmokeSource<D>> sources, double h, double dt) {
  const Zone zone(ex.profile(), "expansion_of");
  Field<float, D> expansion;
  const ClosedPart<D> closed{open.view(), open.topology()->domain()};
  for (const SmokeSource<D>& source : sources) {
    if (source.expansion.zero() && !source.vent) continue;
    if (!expansion.topology()) expansion = Field<float, D>(ex, open.topology());
    const FieldView<float, D> e = expansion.view();
    const std::vector<SourceMoment<D>> moments = moments_of(source, 0, h, dt);
    for_cells_of_box(ex, *open.topology(), source.cells, [&](const CellIndex<D>& i, const Coord<D>& cell) {
      if (!fluid.active_bits(i)) return;
      double part = 0;
      for (const SourceMoment<D>& moment : moments)
        part += moment.weight / dt * moment.coverage(sample_place(cell, at_centres, h), h);
      if (part == 0) return;
      double divergence = source.expansion.at(cell);
      for (int a = 0; source.vent && a < D; ++a)
        for (const int high : {0, 1})
          divergence += closed(i, cell, a, high) * (high ? -1 : 1) *
                        double((*source.vent)[std::size_t(a)].at(cell)) / h;
      e.store(i, float(e(i) + part * divergence));
    });
  }
  return expansion;
}

template <int D>
void leave_out(Exec& ex, Field<double, D>& growth, const Field<float, D>& expansion) {
  if (!expansion.topology()) return;
  const FieldView<double, D> g = growth.view();
  const FieldView<const float, D> e = expansion.view();
  for_rows(ex, growth.topology()->tile_set(),
           [=](const RowIndex<D>& r) { g.store(r, g(r) - convert<Lane<double>>(e(r))); });
}

template void leave_out(Exec&, Field<double, 2>&, const Field<float, 2>&);
template void leave_out(Exec&, Field<double, 3>&, const Field<float, 3>&);
template Field<float, 2> expansion_of(Exec&, const MacField<float, 2>&, const TopologyView<2>&,
                                      std::span<const SmokeSource<2>>, double, double);
template Field<float, 3> expansion_of(Exec&, const MacField<float, 3>&, const TopologyView<3>&,
                                      std::span<const SmokeSource<3>>, double, double);

}  // namespace whorl
