#include "stages/solids.h"

#include "stages/box_cells.h"
#include "stages/extrapolate.h"

namespace whorl {

namespace {

constexpr int layers_behind_walls = 3;  // cells that a sample next to a wall may reach

// Calls f(axis, index, place in metres) for the low faces whose centres a shape covers.
template <int D, class F>
void for_covered_faces(Exec& ex, const Topology<D>& topology, const Shape<D>& shape, double h, const F& f) {
  const Box<D> box = cells_round(shape.bounds(), h);
  for_cells_of_box(ex, topology, box, [&](const CellIndex<D>& i, const Coord<D>& cell) {
    for (int a = 0; a < D; ++a) {
      const Vec<double, D> x = sample_place(cell, a, h);
      if (shape.contains(x)) f(a, i, x);
    }
  });
}

}  // namespace

template <int D>
void close_faces(Exec& ex, MacField<float, D>& open, const Shape<D>& solid, double h) {
  const MacView<float, D> w = open.view();
  for_covered_faces(ex, *open.topology(), solid, h,
                    [&](int a, const CellIndex<D>& i, const Vec<double, D>&) { w[a].store(i, 0.f); });
}

template <int D>
void enforce_solids(Exec& ex, MacField<float, D>& velocity, std::span<const Solid<D>> solids, double h) {
  const Zone zone(ex.profile(), "enforce_solids");
  const MacView<float, D> u = velocity.view();
  const TopologyView<D> cells = velocity.topology()->view();
  for (const Solid<D>& solid : solids)
    for_covered_faces(ex, *velocity.topology(), solid.shape, h,
                      [&](int a, const CellIndex<D>& i, const Vec<double, D>& x) {
                        if (cells.live_face_bits(i, a)) u[a].store(i, float(solid.velocity.at(x)[a]));
                      });
}

template <int D>
CellMask<D> fluid_cells(Exec& ex, const MacField<float, D>& open) {
  const MacView<const float, D> w = open.view();
  return cells_where(ex, open.topology(), [=](const RowIndex<D>& r) {
    Lane<float> sum(0.f);
    for (int a = 0; a < D; ++a) sum += w[a](r) + w[a](r, a, +1);
    return sum > Lane<float>(0.f);
  });
}

template <int D>
void extend_into_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid) {
  CellMask<D> known = empty_mask(ex, q.topology()), wanted = empty_mask(ex, q.topology());
  const auto know = known.store(), want = wanted.store();
  const TopologyView<D> wet = fluid.view(), cells = q.topology()->view();
  for_rows(ex, q.topology()->tile_set(), [=](const RowIndex<D>& r) {
    know(r, wet.active_bits(r));
    want(r, cells.active_bits(r));
  });
  extrapolate(ex, q, std::move(known), wanted, layers_behind_walls);
}

template <int D>
void extend_into_solids(Exec& ex, MacField<float, D>& velocity, const CellMask<D>& fluid) {
  const TopologyPtr<D>& topology = velocity.topology();
  const TopologyView<D> wet = fluid.view(), cells = topology->view();
  for (int a = 0; a < D; ++a) {
    // Every face of a fluid cell has its value, those in the wall the wall's.
    CellMask<D> known = empty_mask(ex, topology), wanted = empty_mask(ex, topology);
    const auto know = known.store(), want = wanted.store();
    for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
      know(r, wet.live_face_bits(r, a));
      want(r, cells.live_face_bits(r, a));
    });
    extrapolate(ex, velocity[a], std::move(known), wanted, layers_behind_walls);
  }
}

template <int D>
void clear_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid) {
  const FieldView<float, D> value = q.view();
  const TopologyView<D> wet = fluid.view();
  const Lane<float> nothing(q.background());
  for_rows(ex, q.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    value.store(r, select(Lane<float>::mask_from_bits(wet.active_bits(r)), value(r), nothing));
  });
}

template void close_faces(Exec&, MacField<float, 2>&, const Shape<2>&, double);
template void close_faces(Exec&, MacField<float, 3>&, const Shape<3>&, double);
template void enforce_solids(Exec&, MacField<float, 2>&, std::span<const Solid<2>>, double);
template void enforce_solids(Exec&, MacField<float, 3>&, std::span<const Solid<3>>, double);
template CellMask<2> fluid_cells(Exec&, const MacField<float, 2>&);
template CellMask<3> fluid_cells(Exec&, const MacField<float, 3>&);
template void extend_into_solids(Exec&, Field<float, 2>&, const CellMask<2>&);
template void extend_into_solids(Exec&, Field<float, 3>&, const CellMask<3>&);
template void extend_into_solids(Exec&, MacField<float, 2>&, const CellMask<2>&);
template void extend_into_solids(Exec&, MacField<float, 3>&, const CellMask<3>&);
template void clear_solids(Exec&, Field<float, 2>&, const CellMask<2>&);
template void clear_solids(Exec&, Field<float, 3>&, const CellMask<3>&);

}  // namespace whorl
