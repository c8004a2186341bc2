#include "solvers/liquid_parts.h"

#include "exec/shapes.h"
#include "grid/retile.h"

#include <algorithm>
#include <cmath>

namespace whorl {

double time_for(double cfl, double speed, double gravity, double h) {
  constexpr double of_a_wave = 0.5;
  const double way = std::min(cfl, most_cells_a_step) * h;
  if (!(gravity > 0)) return speed > 0 ? way / speed : HUGE_VAL;
  // speed dt + gravity dt² = way
  const double dt = 2 * way / (speed + std::sqrt(speed * speed + 4 * gravity * way));
  return std::min(dt, of_a_wave * std::sqrt(h / gravity));
}

template <int D>
void add_gravity(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& weight,
                 const Vec<double, D>& gravity, double dt) {
  for (int a = 0; a < D; ++a) {
    if (gravity[a] == 0) continue;
    const FieldView<float, D> u = velocity[a].view();
    const FieldView<const float, D> w = weight[a].view();
    const Lane<float> change(float(gravity[a] * dt)), none(0.f);
    for_rows(ex, velocity.topology()->tile_set(),
             [=](const RowIndex<D>& r) { u.store(r, u(r) + select(w(r) > none, change, none)); });
  }
}

template <int D>
void add_liquid_forces(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& weight,
                       std::span<const ForceField<D>> forces, double h, double t, double dt) {
  if (forces.empty()) return;
  add_forces(ex, velocity, forces, h, t, dt);
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = velocity[a].view();
    const FieldView<const float, D> w = weight[a].view();
    const Lane<float> none(0.f);
    for_rows(ex, velocity.topology()->tile_set(),
             [=](const RowIndex<D>& r) { u.store(r, select(w(r) > none, u(r), none)); });
  }
}

template <int D>
Field<double, D> first_guess(Exec& ex, const Field<double, D>& last, const PressureSystem<D>& system,
                             double h) {
  if (!last.topology()) return Field<double, D>(ex, system.topology);
  Field<double, D> guess = carry_over(ex, last, Crossing<D>(ex, last.topology(), system.topology));
  const FieldView<double, D> q = guess.view();
  const FieldView<const float, D> phi = system.surface.view();
  const TopologyView<D> cells = system.topology->view();
  const Lane<float> deep(float(-0.25 * h));
  for_rows(ex, system.topology->tile_set(), [=](const RowIndex<D>& r) {
    const unsigned wet = bits(phi(r) < deep) & cells.active_bits(r);
    q.store(r, select(Lane<double>::mask_from_bits(wet), q(r), Lane<double>(0.)));
  });
  return guess;
}

#define WHORL_INSTANTIATE(D)                                                                              \
  template void add_gravity(Exec&, MacField<float, D>&, const MacField<float, D>&, const Vec<double, D>&, \
                            double);                                                                      \
  template void add_liquid_forces(Exec&, MacField<float, D>&, const MacField<float, D>&,                  \
                                  std::span<const ForceField<D>>, double, double, double);                \
  template Field<double, D> first_guess(Exec&, const Field<double, D>&, const PressureSystem<D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
