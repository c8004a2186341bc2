#include "linear/cg.h"

#include "linear/laplacian.h"

#include <chrono>
#include <cmath>

namespace whorl {

namespace {

using Lane64 = Lane<double>;

// Keeps values on active cells, zero elsewhere.
template <int D>
WHORL_INLINE Lane64 on_active(const TopologyView<D>& topology, const RowIndex<D>& r, Lane64 x) {
  return select(Lane64::mask_from_bits(topology.active_bits(r)), x, Lane64(0.));
}

// Does some active cell have an open face to a cell without pressure?
template <int D>
bool touches_air(Exec& ex, const Topology<D>& topology, const MacField<float, D>& weight) {
  const TopologyView<D> cells = topology.view();
  const MacView<const float, D> w = weight.view();
  return max_rows<float>(ex, topology.tile_set(), 0.f, [=](const RowIndex<D>& r) {
           Lane<float> widest(0.f);
           for (int a = 0; a < D; ++a) {
             const unsigned edge = cells.active_bits(r) ^ cells.active_bits(r, a, -1);
             widest = max(select(Lane<float>::mask_from_bits(edge), w[a](r), Lane<float>(0.f)), widest);
           }
           return widest;
         }) > 0;
}

template <int D>
void remove_mean(Exec& ex, Field<double, D>& field) {
  const Topology<D>& topology = *field.topology();
  const TopologyView<D> cells = topology.view();
  const FieldView<double, D> f = field.view();
  const double mean =
      sum_rows<double>(ex, topology.active_tile_set(), [=](const RowIndex<D>& r) { return f(r); }) /
      double(topology.active_cells());
  for_rows(ex, topology.active_tile_set(),
           [=](const RowIndex<D>& r) { f.store(r, on_active(cells, r, f(r) - Lane64(mean))); });
}

template <int D>
double worst(Exec& ex, const Field<double, D>& field) {
  const FieldView<const double, D> f = field.view();
  return max_rows<double>(ex, field.topology()->active_tile_set(), 0.,
                          [=](const RowIndex<D>& r) { return abs(f(r)); });
}

}  // namespace

template <int D>
SolveReport solve_cg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                     const MacField<float, D>& weight, double h, const SolveTarget& target) {
  const Zone zone(ex.profile(), "cg");
  const auto start = std::chrono::steady_clock::now();
  const TopologyPtr<D>& topology = p.topology();
  const TileSet<D> tiles = topology->active_tile_set();
  const TopologyView<D> cells = topology->view();
  SolveReport report;
  if (topology->active_cells() == 0) {
    report.converged = true;
    return report;
  }

  Field<double, D> residual = right_side.clone(ex);
  Field<double, D> direction(ex, topology), image(ex, topology);  // image = A · direction
  const bool floating = !touches_air(ex, *topology, weight);
  if (floating) {
    remove_mean(ex, residual);
    remove_mean(ex, p);
  }
  report.initial = worst(ex, residual);
  const double goal = std::max(target.relative * report.initial, target.absolute);

  const FieldView<double, D> x = p.view(), r = residual.view(), d = direction.view(), q = image.view();
  const auto laplacian_of = [&](const Field<double, D>& f) {
    return WeightedLaplacian<double, D>{f.view(), weight.view(), 1 / (h * h)};
  };
  const WeightedLaplacian<double, D> a_p = laplacian_of(p), a_d = laplacian_of(direction);

  double rr = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
    const Lane64 rest = on_active(cells, i, r(i) - a_p(i));
    r.store(i, rest);
    d.store(i, rest);
    return rest * rest;
  });
  const double cell_count = double(topology->active_cells());
  for (;;) {
    // The worst entry is at least the root mean square: look only when that is small enough.
    report.residual = std::sqrt(rr / cell_count);
    if (report.residual <= goal) report.residual = worst(ex, residual);
    report.converged = report.residual <= goal;
    if (report.converged || report.iterations == target.max_iterations || !std::isfinite(rr)) break;

    const double dq = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
      const Lane64 image_here = on_active(cells, i, a_d(i));
      q.store(i, image_here);
      return d(i) * image_here;
    });
    const Lane64 alpha(rr / dq);
    const double rr_next = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
      x.store(i, x(i) + alpha * d(i));
      const Lane64 rest = r(i) - alpha * q(i);
      r.store(i, rest);
      return rest * rest;
    });
    const Lane64 beta(rr_next / rr);
    for_rows(ex, tiles, [=](const RowIndex<D>& i) { d.store(i, r(i) + beta * d(i)); });
    rr = rr_next;
    ++report.iterations;
  }
  if (floating) remove_mean(ex, p);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template SolveReport solve_cg(Exec&, Field<double, 2>&, const Field<double, 2>&, const MacField<float, 2>&,
                              double, const SolveTarget&);
template SolveReport solve_cg(Exec&, Field<double, 3>&, const Field<double, 3>&, const MacField<float, 3>&,
                              double, const SolveTarget&);

}  // namespace whorl
