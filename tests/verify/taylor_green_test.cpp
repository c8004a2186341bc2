// V-B2, the projection columns: the inviscid Taylor–Green vortex keeps all its energy; what a scheme keeps of
// it by t = 10 is in a table that two independent small programs agree on.
#include "solvers/smoke.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

double energy_kept(int n, double cfl, AdvectionScheme scheme) {
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
  p.advection = {.scheme = scheme, .limiter = Limiter::none, .trace_order = 3};
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
  struct Row {
    double cfl;
    AdvectionScheme scheme;
    const char* name;
    double expected;
  };
  for (const Row& row : {Row{1, AdvectionScheme::semi_lagrangian, "semi-Lagrangian", .534},
                         Row{1, AdvectionScheme::maccormack, "MacCormack", .678},
                         Row{4, AdvectionScheme::semi_lagrangian, "semi-Lagrangian", .333},
                         Row{4, AdvectionScheme::maccormack, "MacCormack", .352}}) {
    const double kept = energy_kept(64, row.cfl, row.scheme);
    std::printf("%-16s N = 64, CFL %g: %.4f, table %.3f\n", row.name, row.cfl, kept, row.expected);
    EXPECT_NEAR(kept, row.expected, 0.1 * row.expected);
  }
}

}  // namespace
}  // namespace whorl
