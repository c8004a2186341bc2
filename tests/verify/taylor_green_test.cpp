// V-B2: the inviscid Taylor–Green vortex keeps all its energy; what a scheme keeps of
// it by t = 10 is in a table that two independent small programs agree on.
#include "solvers/smoke.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

double energy_kept(int n, double cfl, AdvectionScheme scheme, EnergyScheme energy, Limiter limiter) {
  Exec ex;
  const Box<2> box{{0, 0}, {n, n}};
  const double h = 2 * M_PI / n;
  SmokeState<2> s = make_smoke<2>(ex, Topology<2>::of_box(ex, box_domain<2>(box, Side::periodic)));
  for_each_coord(box, [&](const Coord<2>& c) {
    s.velocity[0].set(c, float(std::sin(h * c[0]) * std::cos(h * (c[1] + 0.5))));
    s.velocity[1].set(c, float(-std::cos(h * (c[0] + 0.5)) * std::sin(h * c[1])));
  });
  SmokeParams<2> p;
  p.h = h;
  p.sparse = false;
  p.advection = {.scheme = scheme, .limiter = limiter, .trace_order = 3};
  p.energy = energy;
  p.projection.solve.relative = 1e-6;

  const double start = kinetic_energy(ex, s.velocity, h);
  const int steps = int(std::ceil(10 / (cfl * h)));
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(ex, s, p, 10. / steps);
    EXPECT_TRUE(report.pressure.converged);
  }
  EXPECT_NEAR(s.time, 10, 1e-9);
  return kinetic_energy(ex, s.velocity, h) / start;
}

TEST(TaylorGreen, KeepsTheEnergyOfTheTable) {
  constexpr auto sl = AdvectionScheme::semi_lagrangian;
  constexpr auto mc = AdvectionScheme::maccormack;
  constexpr auto reflection = EnergyScheme::reflection;
  struct Column {
    const char* name;
    AdvectionScheme scheme;
    EnergyScheme energy;
    Limiter limiter;
    double kept[4];  // N = 64 and CFL 1, 4; N = 128 and CFL 1, 4
  };
  for (const Column& column :
       {Column{"semi-Lagrangian", sl, EnergyScheme::none, Limiter::none, {.534, .333, .711, .500}},
        Column{"MacCormack", mc, EnergyScheme::none, Limiter::none, {.678, .352, .806, .515}},
        Column{"semi-Lagrangian, reflected", sl, reflection, Limiter::none, {.591, .845, .760, .926}},
        Column{"MacCormack, reflected", mc, reflection, Limiter::none, {.9990, .9905, .9999, .9987}},
        Column{"MacCormack clamped, reflected", mc, reflection, Limiter::clamp, {.991, .990, .998, .9987}}})
    for (const int row : {0, 1, 2, 3}) {
      const int n = row < 2 ? 64 : 128, cfl = row % 2 ? 4 : 1;
      const double kept = energy_kept(n, cfl, column.scheme, column.energy, column.limiter);
      std::printf("%-30s N = %3d, CFL %d: %.4f, table %.4f\n", column.name, n, cfl, kept, column.kept[row]);
      EXPECT_NEAR(kept, column.kept[row], 0.1 * std::min(column.kept[row], 1.1 - column.kept[row]));
    }
}

}  // namespace
}  // namespace whorl
