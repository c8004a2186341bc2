#include "stages/settle_surface.h"

#include "exec/shapes.h"

#include <cmath>

namespace whorl {

namespace {

constexpr double most = 0.003;  // cells that the surface is moved
constexpr double slow = 0.02;   // √(g h): at this speed by all of it, more slowly in proportion
constexpr double near = 1.5;    // cells from the surface, beyond which nobody asks where exactly it is

}  // namespace

template <int D>
void settle_surface(Exec& ex, Field<float, D>& surface, const MacField<float, D>& velocity,
                    const MacField<float, D>& weight, const Vec<double, D>& gravity, double h, double dt) {
  const Zone zone(ex.profile(), "settle_surface");
  using Real = Lane<float>;
  const double g = length(gravity);
  if (!(g > 0)) return;
  Vec<float, D> fallen, up;  // m/s, in this step; along gravity, in units of the slow speed
  for (int a = 0; a < D; ++a) {
    fallen[a] = float(gravity[a] * dt);
    up[a] = float(-gravity[a] / g / (slow * std::sqrt(g * h)));
  }
  const FieldView<float, D> phi = surface.view();
  const MacView<const float, D> u = velocity.view(), reached = weight.view();
  const Real reach(float(near * h)), by(float(most * h)), one(1.f), none(0.f);
  for_rows(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
    const Real own = phi(r);
    const auto close = abs(own) < reach;
    if (!any(close)) return;
    Real rise(0.f);
    for (int a = 0; a < D; ++a) {  // a cell above the surface may have one face that liquid reaches
      const Real lo = select(reached[a](r) > none, u[a](r) - Real(fallen[a]), none);
      const Real hi = select(reached[a](r, a, +1) > none, u[a](r, a, +1) - Real(fallen[a]), none);
      rise = rise + Real(up[a]) * select(abs(lo) > abs(hi), lo, hi);
    }
    phi.store(r, select(close, own - by * min(max(rise, -one), one), own));
  });
}

template void settle_surface(Exec&, Field<float, 2>&, const MacField<float, 2>&, const MacField<float, 2>&,
                             const Vec<double, 2>&, double, double);
template void settle_surface(Exec&, Field<float, 3>&, const MacField<float, 3>&, const MacField<float, 3>&,
                             const Vec<double, 3>&, double, double);

}  // namespace whorl
