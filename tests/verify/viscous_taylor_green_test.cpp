// V-B3 and V-B4: Taylor–Green vortices lose the energy that viscosity takes, and hardly more.
#include "solvers/smoke.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

template <int D>
SmokeState<D> vortex(Exec& ex, int cells, Side sides, double h) {
  const Box<D> box{{}, Coord<D>::filled(cells)};
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, box_domain<D>(box, sides)));
  for (int a = 0; a < 2; ++a)
    for_each_coord(box, [&](const Coord<D>& c) {
      double u = a == 0 ? 1 : -1;
      for (int b = 0; b < D; ++b) {
        const double x = h * (c[b] + (a == b ? 0. : 0.5));
        u *= a == b ? std::sin(x) : std::cos(x);
      }
      s.velocity[a].set(c, float(u));
    });
  return s;
}

template <int D>
SmokeParams<D> viscous(double h, double viscosity, WallFriction walls) {
  SmokeParams<D> p;
  p.h = h;
  p.sparse = false;
  p.advection = {.scheme = AdvectionScheme::maccormack, .limiter = Limiter::none, .trace_order = 3};
  p.projection.solve.relative = 1e-6;
  p.viscosity = viscosity;
  p.diffusion.walls = walls;
  return p;
}

TEST(ViscousTaylorGreen, KeepsTheEnergyOfTheExactFlow) {
  Exec ex;
  const int n = 64, steps = 2000;
  const double h = 2 * M_PI / n, nu = 0.01, end = 10;
  struct Case {
    const char* name;
    DiffusionScheme scheme;
    EnergyScheme energy;
    double error;  // relative, at most
  };
  for (const Case& c :
       {Case{"implicit", DiffusionScheme::implicit_euler, EnergyScheme::none, 0.03},
        Case{"Crank-Nicolson", DiffusionScheme::crank_nicolson, EnergyScheme::none, 0.03},
        Case{"implicit, reflected", DiffusionScheme::implicit_euler, EnergyScheme::reflection, 0.01}}) {
    SmokeState<2> s = vortex<2>(ex, n, Side::periodic, h);
    SmokeParams<2> p = viscous<2>(h, nu, WallFriction::no_slip);
    p.diffusion.scheme = c.scheme;
    p.energy = c.energy;
    const double start = kinetic_energy(ex, s.velocity, h);
    int iterations = 0;
    for (int k = 0; k < steps; ++k) {
      const StepReport report = step(ex, s, p, end / steps);
      ASSERT_TRUE(report.pressure.converged && report.diffusion.converged);
      iterations += report.diffusion.iterations;
    }
    const double kept = kinetic_energy(ex, s.velocity, h) / start, exact = std::exp(-4 * nu * end);
    std::printf("%s: kept %.5f, exact %.5f, %.1f iterations a step\n", c.name, kept, exact,
                double(iterations) / steps);
    EXPECT_NEAR(kept, exact, c.error * exact);
  }
}

struct Row {
  double t, energy, dissipation;
};
// At Re = 100, as two independent small programs have it: the mean of ½ u² and of its loss, at unit speed and
// length.
constexpr Row table[] = {
    {0, 0.125000, 0.007500},  {0.5, 0.121275, 0.007462}, {1, 0.117481, 0.007769}, {1.5, 0.113453, 0.008391},
    {2, 0.109048, 0.009266},  {2.5, 0.104167, 0.010263}, {3, 0.098791, 0.011220}, {3.5, 0.092975, 0.012010},
    {4, 0.086819, 0.012576},  {4.5, 0.080440, 0.012898}, {5, 0.073963, 0.012969}, {5.5, 0.067517, 0.012771},
    {6, 0.061238, 0.012299},  {6.5, 0.055258, 0.011585}, {7, 0.049683, 0.010695}, {7.5, 0.044579, 0.009712},
    {8, 0.039974, 0.008708},  {8.5, 0.035865, 0.007736}, {9, 0.032227, 0.006831}, {9.5, 0.029020, 0.006012},
    {10, 0.026200, 0.005285},
};

// Walls that are slippery mirrors: an eighth of the box has the energy of the whole.
TEST(ViscousTaylorGreen, AnEighthIsTheWhole) {
  Exec ex;
  const int n = 32;
  const double h = 2 * M_PI / n;
  SmokeState<3> whole = vortex<3>(ex, n, Side::periodic, h), eighth = vortex<3>(ex, n / 2, Side::wall, h);
  const SmokeParams<3> p = viscous<3>(h, 0.01, WallFriction::free_slip);
  for (int k = 0; k < 40; ++k) {
    EXPECT_TRUE(step(ex, whole, p, 0.05).diffusion.converged);
    EXPECT_TRUE(step(ex, eighth, p, 0.05).diffusion.converged);
  }
  const double energy = kinetic_energy(ex, whole.velocity, h);
  EXPECT_NEAR(8 * kinetic_energy(ex, eighth.velocity, h), energy, 1e-4 * energy);
}

TEST(ViscousTaylorGreen, IsTheTableIn3D) {
  Exec ex;
  const int n = 32, steps_a_row = 50;  // of one eighth of 64³
  const double h = M_PI / n, dt = 0.5 / steps_a_row, volume = std::pow(M_PI, 3);
  SmokeState<3> s = vortex<3>(ex, n, Side::wall, h);
  const SmokeParams<3> p = viscous<3>(h, 0.01, WallFriction::free_slip);
  const auto energy = [&] { return kinetic_energy(ex, s.velocity, h) / volume; };
  std::vector<double> energies{energy()};
  for (const Row& row : table) {
    if (row.t > 0)
      for (int k = 0; k < steps_a_row; ++k) {
        const StepReport report = step(ex, s, p, dt);
        ASSERT_TRUE(report.pressure.converged && report.diffusion.converged);
        energies.push_back(energy());
      }
    std::printf("t = %4.1f: energy %.6f, table %.6f (%+.2f %%)\n", row.t, energies.back(), row.energy,
                100 * (energies.back() / row.energy - 1));
    EXPECT_NEAR(energies.back(), row.energy, 0.03 * row.energy);
  }
  // The loss, over a tenth of a unit of time.
  const std::size_t span = 10;
  double most = 0, when = 0;
  for (std::size_t k = span / 2; k + span / 2 < energies.size(); ++k) {
    const double loss = (energies[k - span / 2] - energies[k + span / 2]) / (double(span) * dt);
    if (loss > most) most = loss, when = double(k) * dt;
  }
  std::printf("largest loss %.5f at t = %.2f, table 0.01298 at 4.9\n", most, when);
  EXPECT_NEAR(most, 0.01298, 0.05 * 0.01298);
  EXPECT_NEAR(when, 4.9, 0.2);
}

}  // namespace
}  // namespace whorl
