#include "cases/taylor_green.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace whorl {

template <int D>
SmokeState<D> taylor_green_vortex(Exec& ex, int cells, Side sides, double h) {
  const Box<D> box{{}, Coord<D>::filled(cells)};
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, box_domain<D>(box, sides)));
  for (int axis = 0; axis < 2; ++axis)
    for_each_coord(box, [&](const Coord<D>& c) {
      double u = axis == 0 ? 1 : -1;
      for (int a = 0; a < D; ++a) {
        const double x = h * (c[a] + double(sample_offset(axis, a)));
        u *= a == axis ? std::sin(x) : std::cos(x);
      }
      s.velocity[axis].set(c, float(u));
    });
  return s;
}

template <int D>
SmokeParams<D> taylor_green_params(double h, double viscosity, WallFriction walls) {
  SmokeParams<D> p;
  p.h = h;
  p.sparse = false;
  p.advection = {.scheme = AdvectionScheme::maccormack, .limiter = Limiter::none, .trace_order = 3};
  p.projection.solve.relative = 1e-6;
  p.viscosity = viscosity;
  p.diffusion.walls = walls;
  return p;
}

template <int D>
EnergyKept energy_kept(Findings& found, int n, double cfl, double until, const AdvectionParams& advection,
                       EnergyScheme energy) {
  Exec ex;
  const double h = 2 * M_PI / n;
  SmokeState<D> s = taylor_green_vortex<D>(ex, n, Side::periodic, h);
  SmokeParams<D> p = taylor_green_params<D>(h, 0, WallFriction::free_slip);
  p.advection = advection;
  p.advection.trace_order = 3;
  p.energy = energy;

  const double start = kinetic_energy(ex, s.velocity, h);
  const int steps = int(std::ceil(until / (cfl * h)));
  EnergyKept kept{.over_time = {{0, 1}}};
  for (int k = 0; k < steps; ++k) {
    found.require_solved(step(ex, s, p, until / steps).pressure.converged);
    kept.last = kinetic_energy(ex, s.velocity, h) / start;
    kept.most = std::max(kept.most, kept.last);
    kept.over_time.emplace_back(s.time, kept.last);
  }
  found.require("steps add up to the time asked for", std::abs(s.time - until) <= 1e-9);
  return kept;
}

void inviscid_taylor_green(Findings& found) {
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
  Plot plot{.title = "V-B2: energy of a Taylor-Green vortex, N = 64, CFL 4 (exact: 1)",
            .x_label = "t",
            .y_label = "part of the energy kept"};
  Series table{"table at 10", {}, false};
  for (const Column& column :
       {Column{"semi-Lagrangian", sl, EnergyScheme::none, Limiter::none, {.534, .333, .711, .500}},
        Column{"MacCormack", mc, EnergyScheme::none, Limiter::none, {.678, .352, .806, .515}},
        Column{"semi-Lagrangian, reflected", sl, reflection, Limiter::none, {.591, .845, .760, .926}},
        Column{"MacCormack, reflected", mc, reflection, Limiter::none, {.9990, .9905, .9999, .9987}},
        Column{"MacCormack clamped, reflected", mc, reflection, Limiter::clamp, {.991, .990, .998, .9987}}})
    for (const int row : {0, 1, 2, 3}) {
      const int n = row < 2 ? 64 : 128, cfl = row % 2 ? 4 : 1;
      const EnergyKept kept = energy_kept<2>(
          found, n, cfl, 10, {.scheme = column.scheme, .limiter = column.limiter}, column.energy);
      char what[80];
      std::snprintf(what, sizeof what, "%s, N = %d, CFL %d", column.name, n, cfl);
      const double expected = column.kept[row];
      found.within(what, kept.last, expected, 0.1 * std::min(expected, 1.1 - expected));
      if (row != 1 || column.limiter == Limiter::clamp) continue;  // which is much the same
      plot.series.push_back({column.name, kept.over_time});
      table.points.emplace_back(10, expected);
    }
  plot.series.push_back(table);
  found.plot("taylor_green", std::move(plot));
}

void taylor_green_by_maps(Findings& found) {
  const auto add = [&]<int D>(int n, double cfl, double until, Interpolation interpolation, double least) {
    const AdvectionParams advection{
        .scheme = AdvectionScheme::bimocq, .interpolation = interpolation, .limiter = Limiter::none};
    const EnergyKept kept = energy_kept<D>(found, n, cfl, until, advection, EnergyScheme::none);
    char what[80];
    std::snprintf(what, sizeof what, "maps, %s, %dD, CFL %g",
                  interpolation == Interpolation::linear ? "linear" : "cubic", D, cfl);
    found.at_least(what, kept.last, least);
    found.at_most(std::string(what) + ", at its most", kept.most, 1.01);
  };
  add.template operator()<2>(64, 1, 10, Interpolation::linear, .985);
  add.template operator()<2>(64, 4, 10, Interpolation::linear, .91);
  add.template operator()<2>(64, 1, 10, Interpolation::catmull_rom, .997);
  add.template operator()<2>(64, 4, 10, Interpolation::catmull_rom, .94);
  add.template operator()<3>(32, 1, 3, Interpolation::linear, .985);
  add.template operator()<3>(32, 3, 3, Interpolation::linear, .95);
}

void viscous_taylor_green(Findings& found) {
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
    SmokeState<2> s = taylor_green_vortex<2>(ex, n, Side::periodic, h);
    SmokeParams<2> p = taylor_green_params<2>(h, nu, WallFriction::no_slip);
    p.diffusion.scheme = c.scheme;
    p.energy = c.energy;
    const double start = kinetic_energy(ex, s.velocity, h);
    for (int k = 0; k < steps; ++k) {
      const StepReport report = step(ex, s, p, end / steps);
      found.require_solved(report.pressure.converged && report.diffusion.converged);
    }
    found.near(std::string("energy kept, ") + c.name, kinetic_energy(ex, s.velocity, h) / start,
               std::exp(-4 * nu * end), c.error);
  }
}

namespace {

struct Row {
  double t, energy, dissipation;
};
// At Re = 100, as two independent small programs have it: the mean of ½ u² and of its loss, at unit speed and
// length.
constexpr Row table_3d[] = {
    {0, 0.125000, 0.007500},  {0.5, 0.121275, 0.007462}, {1, 0.117481, 0.007769}, {1.5, 0.113453, 0.008391},
    {2, 0.109048, 0.009266},  {2.5, 0.104167, 0.010263}, {3, 0.098791, 0.011220}, {3.5, 0.092975, 0.012010},
    {4, 0.086819, 0.012576},  {4.5, 0.080440, 0.012898}, {5, 0.073963, 0.012969}, {5.5, 0.067517, 0.012771},
    {6, 0.061238, 0.012299},  {6.5, 0.055258, 0.011585}, {7, 0.049683, 0.010695}, {7.5, 0.044579, 0.009712},
    {8, 0.039974, 0.008708},  {8.5, 0.035865, 0.007736}, {9, 0.032227, 0.006831}, {9.5, 0.029020, 0.006012},
    {10, 0.026200, 0.005285},
};

// Of energies dt apart, over a tenth of a unit of time.
std::vector<std::pair<double, double>> loss_of(const std::vector<double>& energies, double dt) {
  std::vector<std::pair<double, double>> loss;
  const std::size_t span = 10;
  for (std::size_t k = span / 2; k + span / 2 < energies.size(); ++k)
    loss.emplace_back(double(k) * dt,
                      (energies[k - span / 2] - energies[k + span / 2]) / (double(span) * dt));
  return loss;
}

}  // namespace

void viscous_taylor_green_3d(Findings& found) {
  Exec ex;
  const int n = 32, steps_a_row = 50;  // of one eighth of 64³: walls that are slippery mirrors
  const double h = M_PI / n, dt = 0.5 / steps_a_row, volume = std::pow(M_PI, 3);
  SmokeState<3> s = taylor_green_vortex<3>(ex, n, Side::wall, h);
  const SmokeParams<3> p = taylor_green_params<3>(h, 0.01, WallFriction::free_slip);
  const auto energy = [&] { return kinetic_energy(ex, s.velocity, h) / volume; };
  std::vector<double> energies{energy()};
  double worst = 0;
  Series energy_table{"table", {}, false}, loss_table = energy_table, whorl{"Whorl", {}};
  for (const Row& row : table_3d) {
    if (row.t > 0)
      for (int k = 0; k < steps_a_row; ++k) {
        const StepReport report = step(ex, s, p, dt);
        found.require_solved(report.pressure.converged && report.diffusion.converged);
        energies.push_back(energy());
      }
    worst = worse(worst, std::abs(energies.back() / row.energy - 1));
    energy_table.points.emplace_back(row.t, row.energy);
    loss_table.points.emplace_back(row.t, row.dissipation);
    whorl.points.emplace_back(row.t, energies.back());
  }
  found.at_most("energy off by, at 21 times to t = 10", worst, 0.03);
  const auto loss = loss_of(energies, dt);
  const auto [when, most] = *std::max_element(
      loss.begin(), loss.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  found.near("largest loss of energy", most, 0.01298, 0.05);
  found.within("when it is largest", when, 4.9, 0.2);
  found.plot("taylor_green_3d_energy", {.title = "V-B4: energy of a Taylor-Green vortex, Re 100, 64³",
                                        .x_label = "t",
                                        .y_label = "energy",
                                        .series = {whorl, energy_table}});
  found.plot("taylor_green_3d_loss", {.title = "V-B4: its loss of energy",
                                      .x_label = "t",
                                      .y_label = "loss a unit of time",
                                      .series = {{"Whorl", loss}, loss_table}});
}

template SmokeState<2> taylor_green_vortex<2>(Exec&, int, Side, double);
template SmokeState<3> taylor_green_vortex<3>(Exec&, int, Side, double);
template SmokeParams<2> taylor_green_params<2>(double, double, WallFriction);
template SmokeParams<3> taylor_green_params<3>(double, double, WallFriction);
template EnergyKept energy_kept<2>(Findings&, int, double, double, const AdvectionParams&, EnergyScheme);
template EnergyKept energy_kept<3>(Findings&, int, double, double, const AdvectionParams&, EnergyScheme);

}  // namespace whorl
