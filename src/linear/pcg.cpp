#include "linear/pcg.h"

#include "linear/laplacian.h"

#include <chrono>
#include <cmath>

namespace whorl {

namespace {

using Lane64 = Lane<double>;

// Values on active cells, zero elsewhere.
template <int D>
WHORL_INLINE Lane64 on_active(const TopologyView<D>& cells, const RowIndex<D>& r, Lane64 x) {
  return select(Lane64::mask_from_bits(cells.active_bits(r)), x, Lane64(0.));
}

// Of the cells that have a neighbour; the others hold zeros. Returns it.
template <int D>
double remove_mean(Exec& ex, Field<double, D>& field, const PressureSystem<D>& system) {
  const TileSet<D> tiles = system.topology->active_tile_set();
  const FieldView<const float, D> diagonal = system.diagonal.view();
  const FieldView<double, D> f = field.view();
  const auto counts = [=](const RowIndex<D>& r, Lane64 x) {
    return select(convert<Lane64>(diagonal(r)) > Lane64(0.), x, Lane64(0.));
  };
  const double sum = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& r) { return counts(r, f(r)); });
  const double cells =
      sum_rows<double>(ex, tiles, [=](const RowIndex<D>& r) { return counts(r, Lane64(1.)); });
  if (cells == 0) return 0;
  const Lane64 mean(sum / cells);
  for_rows(ex, tiles, [=](const RowIndex<D>& r) { f.store(r, counts(r, f(r) - mean)); });
  return sum / cells;
}

template <int D>
double worst(Exec& ex, const Field<double, D>& field) {
  const FieldView<const double, D> f = field.view();
  return max_rows<double>(ex, field.topology()->active_tile_set(), 0.,
                          [=](const RowIndex<D>& r) { return abs(f(r)); });
}

template <int D>
double dot(Exec& ex, const Field<double, D>& x, const Field<double, D>& y) {
  const FieldView<const double, D> u = x.view(), v = y.view();
  return sum_rows<double>(ex, x.topology()->active_tile_set(),
                          [=](const RowIndex<D>& r) { return u(r) * v(r); });
}

}  // namespace

template <int D>
SolveReport solve_pcg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                      const PressureSystem<D>& system, double h, const SolveTarget& target,
                      Preconditioner<D>* preconditioner) {
  const Zone zone(ex.profile(), "pcg");
  const auto start = std::chrono::steady_clock::now();
  const TopologyPtr<D>& topology = system.topology;
  const TileSet<D> tiles = topology->active_tile_set();
  const TopologyView<D> cells = topology->view();
  const double cell_count = double(topology->active_cells());

  Field<double, D> residual = right_side.clone(ex), corrected;
  const bool floating = !system.touches_air;
  SolveReport report;
  if (floating) report.imbalance = std::abs(remove_mean(ex, residual, system));
  report.initial = report.residual = worst(ex, residual);
  const double goal = std::max(target.relative * report.initial, target.absolute);
  if (report.initial <= target.absolute) {  // zero will do, and may be the only answer to a zero right side
    p.fill(ex, 0);
    report.converged = true;
    return report;
  }

  Field<double, D> direction(ex, topology), image(ex, topology);
  const FieldView<double, D> x = p.view(), r = residual.view(), d = direction.view(), q = image.view();
  const double inv_h2 = 1 / (h * h);
  const WeightedLaplacian<double, D> a_p{std::as_const(p).view(), system.weight.view(), inv_h2};
  const WeightedLaplacian<double, D> a_d{std::as_const(direction).view(), system.weight.view(), inv_h2};
  double rr = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
    const Lane64 rest = on_active(cells, i, r(i) - a_p(i));
    r.store(i, rest);
    return rest * rest;
  });

  // z: the preconditioned residual, which without a preconditioner is the residual itself. Where nothing
  // touches air, rounding feeds the constant that A does not see: it is taken off each time.
  if (preconditioner) corrected = Field<double, D>(ex, topology);
  Field<double, D>& z = preconditioner ? corrected : residual;
  const auto precondition = [&] {
    if (floating) remove_mean(ex, residual, system);
    if (!preconditioner) return rr;
    preconditioner->apply(ex, z, residual);
    if (floating) remove_mean(ex, z, system);
    return dot(ex, residual, z);
  };
  double rz = 0, least = rr;
  int least_at = 0;
  constexpr int patience = 300;  // iterations without progress: rounding allows for no more
  for (;;) {
    // The worst entry is at least the root mean square: look only when that is small enough.
    report.converged = std::sqrt(rr / cell_count) <= goal && worst(ex, residual) <= goal;
    if (rr < least) least = rr, least_at = report.iterations;
    const bool stuck = report.iterations - least_at > patience || !std::isfinite(rr);
    if (report.converged || stuck || report.iterations == target.max_iterations) break;

    const double rz_next = precondition();
    const Lane64 beta(report.iterations ? rz_next / rz : 0.);
    rz = rz_next;
    const FieldView<const double, D> zv = std::as_const(z).view();
    for_rows(ex, tiles, [=](const RowIndex<D>& i) { d.store(i, zv(i) + beta * d(i)); });
    const double dq = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
      const Lane64 image_here = on_active(cells, i, a_d(i));
      q.store(i, image_here);
      return d(i) * image_here;
    });
    if (!(dq > 0)) break;  // nothing left to move along
    const Lane64 alpha(rz / dq);
    rr = sum_rows<double>(ex, tiles, [=](const RowIndex<D>& i) {
      x.store(i, x(i) + alpha * d(i));
      const Lane64 rest = r(i) - alpha * q(i);
      r.store(i, rest);
      return rest * rest;
    });
    ++report.iterations;
  }
  report.residual = worst(ex, residual);
  if (floating) remove_mean(ex, p, system);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template SolveReport solve_pcg(Exec&, Field<double, 2>&, const Field<double, 2>&, const PressureSystem<2>&,
                               double, const SolveTarget&, Preconditioner<2>*);
template SolveReport solve_pcg(Exec&, Field<double, 3>&, const Field<double, 3>&, const PressureSystem<3>&,
                               double, const SolveTarget&, Preconditioner<3>*);

}  // namespace whorl
