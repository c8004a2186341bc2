#include "stages/ivock.h"

#include "grid/retile.h"
#include "linear/solve.h"
#include "stages/vorticity.h"

namespace whorl {

namespace {

// (ω · grad) u at cell centres, from centred velocity and vorticity.
template <int D>
struct Stretching {
  MacView<const float, D> c, curl;
  MacView<float, D> out;
  float inv_2h;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      Real sum(0.f);
      for (int b = 0; b < D; ++b) sum += curl[b](i) * (c[a](i, b, +1) - c[a](i, b, -1));
      out[a].store(i, Real(inv_2h) * sum);
    }
  }
};

// From samples to the places half a cell below them along an axis.
template <int D>
Field<float, D> averaged(Exec& ex, const Field<float, D>& q, int axis) {
  Field<float, D> out = Field<float, D>::unfilled(ex, q.topology());
  const FieldView<const float, D> from = q.view();
  const FieldView<float, D> to = out.view();
  for_rows(ex, q.topology()->tile_set(),
           [=](const RowIndex<D>& r) { to.store(r, Lane<float>(0.5f) * (from(r) + from(r, axis, -1))); });
  return out;
}

// Cells (or edges) whose low neighbour along an axis is one of them, too.
template <int D>
CellMask<D> with_low_neighbour(Exec& ex, const CellMask<D>& mask, int axis) {
  CellMask<D> out = empty_mask(ex, mask.topology);
  const TopologyView<D> cells = mask.view();
  const auto store = out.store();
  for_rows(ex, mask.topology->tile_set(),
           [=](const RowIndex<D>& r) { store(r, cells.active_bits(r) & cells.active_bits(r, axis, -1)); });
  return out;
}

// The edges of part k that lie among active cells, two cells deep on either side alike.
template <int D>
CellMask<D> inner_edges(Exec& ex, const TopologyPtr<D>& topology, int k) {
  CellMask<D> deep = empty_mask(ex, topology);
  const TopologyView<D> cells = topology->view();
  const auto store = deep.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    unsigned inner = cells.active_bits(r);
    for (int a = 0; a < D; ++a) inner &= cells.active_bits(r, a, -1) & cells.active_bits(r, a, +1);
    store(r, inner);
  });
  return with_low_neighbour(ex, with_low_neighbour(ex, deep, curl_from<D>(k)), curl_to<D>(k));
}

// -Δψ = δ on those edges, zero on the others.
template <int D>
Field<double, D> potential(Exec& ex, const Field<float, D>& wanted, const Field<float, D>& found,
                           const CellMask<D>& edges, double h) {
  const TopologyPtr<D>& topology = wanted.topology();
  Field<double, D> psi(ex, topology), lack(ex, topology);
  // A surface on the last edges makes them air: the potential is zero there.
  Field<float, D> outside(ex, topology);
  const FieldView<double, D> b = lack.view();
  const FieldView<float, D> phi = outside.view();
  const FieldView<const float, D> w = wanted.view(), v = found.view();
  const TopologyView<D> inside = edges.view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    using Wide = Lane<double>;
    const unsigned in = inside.active_bits(r);
    b.store(r, select(Wide::mask_from_bits(in), convert<Wide>(w(r) - v(r)), Wide(0.)));
    phi.store(r, select(Lane<float>::mask_from_bits(in), Lane<float>(-1.f), Lane<float>(0.f)));
  });
  MacField<float, D> all_open(ex, topology);
  for (int a = 0; a < D; ++a) all_open[a].fill(ex, 1);
  const PressureSystem<D> system = pressure_system(ex, std::move(all_open), std::move(outside));
  // The lack is a small part of the flow: a hundredth of it is below every other error.
  constexpr SolveTarget enough{
      .relative = 1e-2, .absolute = 0, .max_iterations = 50, .norm = ResidualNorm::two};
  (void)solve(ex, psi, lack, system, find_regions(ex, system), PressureSolver::multigrid_pcg, h, enough);
  return psi;
}

}  // namespace

template <int D>
std::vector<Field<float, D>> stretched_vorticity(Exec& ex, const MacField<float, D>& velocity, double h,
                                                 double dt) {
  const Zone zone(ex.profile(), "stretched_vorticity");
  std::vector<Field<float, D>> curl = edge_vorticity(ex, velocity, h);
  if constexpr (D == 3) {  // in 2D vortices do not stretch
    const MacField<float, D> centred = centred_velocity(ex, velocity);
    const MacField<float, D> swirl = centred_vorticity(ex, centred, h);
    MacField<float, D> stretching = MacField<float, D>::unfilled(ex, velocity.topology());
    for_rows(ex, velocity.topology()->tile_set(),
             Stretching<D>{centred.view(), swirl.view(), stretching.view(), float(0.5 / h)});
    for (int k = 0; k < curl_parts<D>; ++k) {
      const Field<float, D> on_edges =
          averaged(ex, averaged(ex, stretching[k], curl_from<D>(k)), curl_to<D>(k));
      const FieldView<float, D> w = curl[std::size_t(k)].view();
      const FieldView<const float, D> s = on_edges.view();
      const Lane<float> step{float(dt)};
      for_rows(ex, velocity.topology()->tile_set(),
               [=](const RowIndex<D>& r) { w.store(r, w(r) + step * s(r)); });
    }
  }
  return curl;
}

template <int D>
void restore_vorticity(Exec& ex, MacField<float, D>& velocity, const std::vector<Field<float, D>>& wanted,
                       double h) {
  const Zone zone(ex.profile(), "restore_vorticity");
  const std::vector<Field<float, D>> found = edge_vorticity(ex, velocity, h);
  std::vector<Field<double, D>> psi;
  for (int k = 0; k < curl_parts<D>; ++k)
    psi.push_back(potential(ex, wanted[std::size_t(k)], found[std::size_t(k)],
                            inner_edges<D>(ex, velocity.topology(), k), h));
  add_curl(ex, velocity, psi, h);
}

template std::vector<Field<float, 2>> stretched_vorticity(Exec&, const MacField<float, 2>&, double, double);
template std::vector<Field<float, 3>> stretched_vorticity(Exec&, const MacField<float, 3>&, double, double);
template void restore_vorticity(Exec&, MacField<float, 2>&, const std::vector<Field<float, 2>>&, double);
template void restore_vorticity(Exec&, MacField<float, 3>&, const std::vector<Field<float, 3>>&, double);

}  // namespace whorl
