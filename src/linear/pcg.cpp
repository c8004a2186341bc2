#include "linear/pcg.h"

#include "linear/system_rows.h"

#include <chrono>
#include <cmath>

namespace whorl {

namespace {

using Wide = Lane<double>;

// Beyond this the recurrence in T is not to be believed: time for the true residual.
template <class T>
inline constexpr double believable = sizeof(T) == 4 ? 1e-4 : 1e-9;

constexpr int patience = 300;  // iterations without progress: rounding allows for no more

// The largest size and the sum of squares, of a field.
template <class T, int D>
Total norms(Exec& ex, const Field<T, D>& field, const PressureSystem<D>& system) {
  const FieldView<const T, D> f = field.view();
  return total_system_rows<T>(
      ex, system, [=](const RowIndex<D>& i, const auto&, Totals<T>& t) WHORL_INLINE_LAMBDA { t.add(f(i)); });
}

// A x with the shift, but for the factor 1/h².
template <class T>
struct Shifted {
  Lane<T> shift;

  template <class X, class Index, class Tile>
  WHORL_INLINE Lane<T> operator()(const X& x, const Index& i, const Tile& tile) const {
    return tile.applied(x, i) + shift * x(i);
  }
};

// The vectors of the iteration; all of T.
template <class T, int D>
struct Conjugates {
  Field<T, D> r, z, d;
  double rz = 0;        // of the last direction
  bool moving = false;  // along a direction that the next one must be conjugate to
  Directions directions;

  Conjugates(Exec& ex, const PressureSystem<D>& system, Directions which)
      : r(work_field<T>(ex, system)),
        z(work_field<T>(ex, system)),
        d(work_field<T>(ex, system)),
        directions(which) {}

  // The next direction: z + β d. False when there is none.
  bool turn(Exec& ex, const PressureSystem<D>& system, const Regions<D>& regions,
            Preconditioner<T, D>& preconditioner) {
    double next = preconditioner.apply(ex, z, r);
    if (!regions.floating.empty()) {  // rounding feeds the constant that A does not see
      remove_means(ex, z, regions);
      next = dot(ex, system, z, r);
    }
    if (!(next > 0)) return false;
    const Lane<T> beta(T(moving ? next / rz : 0.));
    const FieldView<const T, D> zv = std::as_const(z).view();
    const FieldView<T, D> dv = d.view();
    if (moving)
      for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto&) WHORL_INLINE_LAMBDA {
        dv.store(i, zv(i) + beta * dv(i));
      });
    else
      for_system_rows(ex, system,
                      [=](const RowIndex<D>& i, const auto&) WHORL_INLINE_LAMBDA { dv.store(i, zv(i)); });
    rz = next;
    moving = directions == Directions::conjugate;
    return true;
  }

  // p += α d, r -= α A d / h². The new norms of r; nothing moves where A sees nothing of d.
  Total advance(Exec& ex, const PressureSystem<D>& system, Field<double, D>& p, double inv_h2, double scale) {
    const FieldView<const T, D> dv = std::as_const(d).view();
    const Shifted<T> applied{T(system.shift)};
    const auto multiply = [=](const RowIndex<D>& i, const auto& tile, Totals<T>& t)
                              WHORL_INLINE_LAMBDA { t.add_product(dv(i), applied(dv, i, tile)); };
    const double image = total_system_rows<T>(ex, system, reading_round(dv, multiply)).sum;
    const double alpha = image > 0 ? rz / (image * inv_h2) : 0;
    const Wide step(alpha * scale);
    const Lane<T> down(T(alpha * inv_h2));
    const FieldView<double, D> x = p.view();
    const FieldView<T, D> rv = r.view();
    const auto move = [=](const RowIndex<D>& i, const auto& tile, Totals<T>& t) WHORL_INLINE_LAMBDA {
      const Lane<T> rest = rv(i) - down * applied(dv, i, tile);
      x.store(i, x(i) + step * convert<Wide>(dv(i)));
      rv.store(i, rest);
      t.add(rest);
    };
    return total_system_rows<T>(ex, system, reading_round(dv, move));
  }
};

}  // namespace

double Norms::size(ResidualNorm norm) const {
  return norm == ResidualNorm::worst ? worst : std::sqrt(squares);
}

double solve_goal(const SolveTarget& target, const Norms& of_right_side) {
  return std::max(target.relative * of_right_side.size(target.norm), target.absolute);
}

template <class T, int D>
double Identity<T, D>::apply(Exec& ex, Field<T, D>& z, const Field<T, D>& r) {
  const FieldView<const T, D> in = r.view();
  const FieldView<T, D> out = z.view();
  return sum_rows<double>(ex, r.topology()->tile_set(), [=](const RowIndex<D>& i) {
    const Lane<T> x = in(i);
    out.store(i, x);
    return convert<Wide>(x) * convert<Wide>(x);
  });
}

template <int D>
SolveReport begin_report(Exec& ex, const Field<double, D>& right_side, const PressureSystem<D>& system,
                         const Regions<D>& regions, Norms& of_right_side) {
  const FieldView<const double, D> b = right_side.view();
  const Total total = total_system_rows<double>(
      ex, system, [=](const RowIndex<D>& i, const auto& tile, Totals<double>& t) WHORL_INLINE_LAMBDA {
        t.add(tile.on_unknowns(i, b(i)));
      });
  of_right_side = {total.sum, total.most};
  SolveReport report;
  report.regions = regions.count;
  report.floating_regions = int(regions.floating.size());
  report.initial = total.most;
  return report;
}

template <class T, int D>
Norms true_residual(Exec& ex, Field<T, D>& r, const Field<double, D>& p, const Field<double, D>& right_side,
                    const PressureSystem<D>& system, const Regions<D>& regions, double h, double scale) {
  const FieldView<const double, D> x = p.view();
  const FieldView<const double, D> b = right_side.view();
  const FieldView<T, D> out = r.view();
  const Wide inv_h2(1 / (h * h)), down(1 / scale);
  const Shifted<double> applied{double(system.shift)};
  using Sums = Totals<double>;
  Total t = total_system_rows<double>(
      ex, system, [=](const RowIndex<D>& i, const auto& tile, Sums& totals) WHORL_INLINE_LAMBDA {
        const Wide rest = tile.on_unknowns(i, (b(i) - inv_h2 * applied(x, i, tile)) * down);
        out.store(i, convert<Lane<T>>(rest));
        totals.add(rest);
      });
  if (!regions.floating.empty()) {
    remove_means(ex, r, regions);
    t = norms(ex, r, system);
  }
  return {t.sum, t.most};
}

template <int D>
void clear_others(Exec& ex, Field<double, D>& p, const PressureSystem<D>& system) {
  const FieldView<double, D> x = p.view();
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
    if constexpr (!std::is_same_v<decltype(tile), const PlainTile<D>&>) x.store(i, tile.on_unknowns(i, x(i)));
  });
  if (!system.every_tile) clear_inactive_tiles(p);
  clear_dry_tiles(p, system);
}

template <class T, int D>
SolveReport solve_pcg(Exec& ex, Field<double, D>& p, const Field<double, D>& right_side,
                      const PressureSystem<D>& system, const Regions<D>& regions, double h,
                      const SolveTarget& target, Preconditioner<T, D>& preconditioner,
                      Directions directions) {
  const Zone zone(ex.profile(), "pcg");
  const auto start = std::chrono::steady_clock::now();
  Conjugates<T, D> cg(ex, system, directions);
  Norms of_right_side;
  SolveReport report = begin_report(ex, right_side, system, regions, of_right_side);
  const double goal = solve_goal(target, of_right_side);
  if (report.initial <= target.absolute) {  // zero will do, and may be the only answer to a zero right side
    p.fill(ex, 0);
    report.residual = report.initial;
    report.converged = true;
    return report;
  }

  clear_others(ex, p, system);
  const double scale = report.initial;  // of r, so that floats hold it
  double last = HUGE_VAL;               // size of the true residual
  for (;;) {
    const Norms truth = true_residual(ex, cg.r, p, right_side, system, regions, h, scale);
    report.residual = truth.worst * scale;
    double size = truth.size(target.norm);
    report.converged = size * scale <= goal;
    const bool stuck = !(size < 0.9 * last);
    if (report.converged || stuck || report.iterations >= target.max_iterations) break;
    last = size;

    const double enough = std::max(0.98 * goal / scale, believable<T> * size);
    double least = truth.squares;
    int least_at = report.iterations;
    bool ended = false;  // no direction left
    while (size > enough && report.iterations < target.max_iterations && !ended) {
      ended = !cg.turn(ex, system, regions, preconditioner);
      if (ended) break;
      const Total now = cg.advance(ex, system, p, 1 / (h * h), scale);
      ++report.iterations;
      size = Norms{now.sum, now.most}.size(target.norm);
      if (now.sum < least) least = now.sum, least_at = report.iterations;
      ended = report.iterations - least_at > patience || !std::isfinite(now.sum);
    }
  }
  if (!regions.floating.empty()) remove_means(ex, p, regions);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

#define WHORL_INSTANTIATE(T, D)                                                                           \
  template class Identity<T, D>;                                                                          \
  template Norms true_residual(Exec&, Field<T, D>&, const Field<double, D>&, const Field<double, D>&,     \
                               const PressureSystem<D>&, const Regions<D>&, double, double);              \
  template SolveReport solve_pcg(Exec&, Field<double, D>&, const Field<double, D>&,                       \
                                 const PressureSystem<D>&, const Regions<D>&, double, const SolveTarget&, \
                                 Preconditioner<T, D>&, Directions);
WHORL_INSTANTIATE(float, 2)
WHORL_INSTANTIATE(float, 3)
WHORL_INSTANTIATE(double, 2)
WHORL_INSTANTIATE(double, 3)
#undef WHORL_INSTANTIATE
template SolveReport begin_report(Exec&, const Field<double, 2>&, const PressureSystem<2>&, const Regions<2>&,
                                  Norms&);
template SolveReport begin_report(Exec&, const Field<double, 3>&, const PressureSystem<3>&, const Regions<3>&,
                                  Norms&);
template void clear_others(Exec&, Field<double, 2>&, const PressureSystem<2>&);
template void clear_others(Exec&, Field<double, 3>&, const PressureSystem<3>&);

}  // namespace whorl
