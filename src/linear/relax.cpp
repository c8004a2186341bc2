#include "linear/relax.h"

#include "linear/system_rows.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace whorl {

namespace {

using Wide = Lane<double>;
constexpr double damping = 0.9;   // of Jacobi: a pattern of alternating signs must not live for ever
constexpr int sweeps_a_look = 8;  // at the residual

// The value that would leave no residual at its cell.
template <int D>
struct Relaxed {
  FieldView<const double, D> p;
  FieldView<const double, D> b;
  double h2;

  template <class Tile>
  WHORL_INLINE Wide operator()(const RowIndex<D>& i, const Tile& tile) const {
    return p(i) + tile.template inverse_diagonal<Wide>(i) * (Wide(h2) * b(i) - tile.applied(p, i));
  }
};

// Cells of the row whose coordinates add up to an even (0) or odd (1) number.
template <int D>
unsigned colour_bits(const Coord<D>& tile, const RowIndex<D>& i, int colour) {
  int sum = colour;
  for (int a = 0; a < D; ++a) sum += tile[a] * tile_side + i.at[a];
  return sum % 2 ? 0xaa : 0x55;
}

template <int D>
void relax_once(Exec& ex, Field<double, D>& p, Field<double, D>& other, const PressureSystem<D>& system,
                const Relaxed<D>& at, Relaxation kind) {
  const FieldView<double, D> in = p.view();
  if (kind == Relaxation::jacobi) {
    const FieldView<double, D> out = other.view();
    for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
      out.store(i, in(i) + Wide(damping) * (at(i, tile) - in(i)));
    });
    std::swap(p, other);
    return;
  }
  // Cells of one colour read only those of the other, in the other array: no thread sees a half-done row.
  for (const int colour : {0, 1}) {
    const FieldView<double, D> from = p.view(), out = other.view();
    const Relaxed<D> here{std::as_const(p).view(), at.b, at.h2};
    const Coord<D>* tiles = system.topology->tiles().data();
    for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
      const auto chosen = Wide::mask_from_bits(colour_bits(tiles[i.tile], i, colour));
      out.store(i, select(chosen, here(i, tile), from(i)));
    });
    std::swap(p, other);
  }
}

}  // namespace

template <int D>
SolveReport solve_relaxed(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                          const PressureSystem<D>& system, const Regions<D>& regions, double h,
                          const SolveTarget& target, Relaxation kind) {
  const Zone zone(ex.profile(), "relax");
  const auto start = std::chrono::steady_clock::now();
  Field<double, D> r = work_field<double>(ex, system);
  Norms of_right_side;
  SolveReport report = begin_report(ex, right_side, system, regions, of_right_side);
  const double goal = solve_goal(target, of_right_side);
  clear_others(ex, p, system);
  Field<double, D> other = p.clone(ex);
  if (report.initial <= target.absolute) p.fill(ex, 0);

  for (;;) {
    const Norms norms = true_residual(ex, r, p, right_side, system, regions, h, 1.);
    report.residual = norms.worst;
    report.converged = norms.size(target.norm) <= goal;
    if (report.converged || report.iterations >= target.max_iterations || !std::isfinite(norms.worst)) break;
    for (int k = 0; k < sweeps_a_look && report.iterations < target.max_iterations; ++k, ++report.iterations)
      relax_once(ex, p, other, system, {std::as_const(p).view(), right_side.view(), h * h}, kind);
  }
  remove_means(ex, p, regions);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template SolveReport solve_relaxed(Exec&, Field<double, 2>&, const Field<double, 2>&,
                                   const PressureSystem<2>&, const Regions<2>&, double, const SolveTarget&,
                                   Relaxation);
template SolveReport solve_relaxed(Exec&, Field<double, 3>&, const Field<double, 3>&,
                                   const PressureSystem<3>&, const Regions<3>&, double, const SolveTarget&,
                                   Relaxation);

}  // namespace whorl
