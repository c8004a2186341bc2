// V-B2: the inviscid Taylor–Green vortex keeps all its energy; what a scheme keeps of
// it by t = 10 is in a table that two independent small programs agree on.
#include "solvers/smoke.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// At the end, and at its most.
struct Kept {
  double last, most;
};

// In 3D the vortex breaks up into smaller ones, whose energy is all there until they reach the grid.
// Reflection keeps it so well there that the second-order error of the grid shows: with 32 cells a side 3 %
// too much.
template <int D>
Kept energy_kept(int n, double cfl, double until, const AdvectionParams& advection, EnergyScheme energy) {
  Exec ex;
  const Box<D> box{{}, Coord<D>::filled(n)};
  const double h = 2 * M_PI / n;
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, box_domain<D>(box, Side::periodic)));
  for_each_coord(box, [&](const Coord<D>& c) {
    const auto x = [&](int axis, int a) { return h * (c[a] + double(sample_offset(axis, a))); };
    for (int axis = 0; axis < 2; ++axis) {
      double u = axis == 0 ? 1 : -1;
      for (int a = 0; a < D; ++a) u *= a == axis ? std::sin(x(axis, a)) : std::cos(x(axis, a));
      s.velocity[axis].set(c, float(u));
    }
  });
  SmokeParams<D> p;
  p.h = h;
  p.sparse = false;
  p.advection = advection;
  p.advection.trace_order = 3;
  p.energy = energy;
  p.projection.solve.relative = 1e-6;

  const double start = kinetic_energy(ex, s.velocity, h);
  const int steps = int(std::ceil(until / (cfl * h)));
  Kept kept{1, 1};
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(ex, s, p, until / steps);
    EXPECT_TRUE(report.pressure.converged);
    kept.last = kinetic_energy(ex, s.velocity, h) / start;
    kept.most = std::max(kept.most, kept.last);
  }
  EXPECT_NEAR(s.time, until, 1e-9);
  return kept;
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
      const double kept =
          energy_kept<2>(n, cfl, 10, {.scheme = column.scheme, .limiter = column.limiter}, column.energy)
              .last;
      std::printf("%-30s N = %3d, CFL %d: %.4f, table %.4f\n", column.name, n, cfl, kept, column.kept[row]);
      EXPECT_NEAR(kept, column.kept[row], 0.1 * std::min(column.kept[row], 1.1 - column.kept[row]));
    }
}

template <int D>
void expect_energy_is_kept(int n, double until) {
  for (const AdvectionScheme scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack})
    for (const double cfl : {1., 4.}) {
      const AdvectionParams advection{.scheme = scheme};
      const Kept without = energy_kept<D>(n, cfl, until, advection, EnergyScheme::none);
      for (const EnergyScheme energy : {EnergyScheme::reflection, EnergyScheme::ivock}) {
        const Kept with = energy_kept<D>(n, cfl, until, advection, energy);
        std::printf("%dD, scheme %d, CFL %g, %s: %.4f, at most %.4f; without %.4f\n", D, int(scheme), cfl,
                    energy == EnergyScheme::ivock ? "ivock" : "reflection", with.last, with.most,
                    without.last);
        EXPECT_LT(std::abs(with.last - 1), std::abs(without.last - 1));
        EXPECT_LE(with.most, 1.01);
      }
    }
}
TEST(TaylorGreen, EveryEnergySchemeKeepsMore2D) { expect_energy_is_kept<2>(64, 10); }
TEST(TaylorGreen, EveryEnergySchemeKeepsMore3D) { expect_energy_is_kept<3>(64, 3); }

// Long maps, with the pressure reflected between their ends, keep nearly all of it and add nothing.
template <int D>
void expect_maps_keep_energy(int n, double cfl, double until, Interpolation interpolation, double least) {
  const AdvectionParams advection{
      .scheme = AdvectionScheme::bimocq, .interpolation = interpolation, .limiter = Limiter::none};
  const Kept kept = energy_kept<D>(n, cfl, until, advection, EnergyScheme::none);
  std::printf("%dD, bimocq, interpolation %d, CFL %g: %.4f, at most %.4f\n", D, int(interpolation), cfl,
              kept.last, kept.most);
  EXPECT_GE(kept.last, least);
  EXPECT_LE(kept.most, 1.01);
}
TEST(TaylorGreen, MapsKeepTheEnergy) {
  expect_maps_keep_energy<2>(64, 1, 10, Interpolation::linear, .985);
  expect_maps_keep_energy<2>(64, 4, 10, Interpolation::linear, .91);
  expect_maps_keep_energy<2>(64, 1, 10, Interpolation::catmull_rom, .997);
  expect_maps_keep_energy<2>(64, 4, 10, Interpolation::catmull_rom, .94);
  expect_maps_keep_energy<3>(32, 1, 3, Interpolation::linear, .985);
  expect_maps_keep_energy<3>(32, 3, 3, Interpolation::linear, .95);
}

}  // namespace
}  // namespace whorl
