#include "cases/surface_tension.h"
#include "solvers/level_set_liquid.h"
#include "solvers/liquid.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"
#include "stages/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {

namespace {

// Without markers: their spheres are rough, and tension feels every bump.
template <int D>
LevelSetLiquidParams<D> smooth(double h) {
  LevelSetLiquidParams<D> p;
  p.h = h;
  p.tension = 1;
  p.surface.markers = false;
  p.surface.advection.interpolation = Interpolation::catmull_rom;
  p.projection.solve.relative = 1e-8;
  return p;
}

template <int D>
double max_in_liquid(const LevelSetLiquidState<D>& s) {
  double most = 0;
  for_each_coord(s.velocity.topology()->domain().cells, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      if (s.surface.phi.get(c) < 0 || s.surface.phi.get(c - Coord<D>::unit(a)) < 0)
        most = worse(most, std::abs(double(s.velocity[a].get(c))));
  });
  return most;
}

template <int D>
void drop_at_rest(Findings& found, int steps) {
  Exec ex;
  const int n = 48;
  const double h = 1. / 16, radius = 1;  // R/h = 16
  const auto topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::open));
  Field<float, D> phi(ex, topology, float(h * n));
  for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow((c[a] + 0.5) * h - 0.5 * n * h - 0.013 * (a + 1), 2);
    phi.set(c, float(std::sqrt(square) - radius));
  });
  const LevelSetLiquidParams<D> p = smooth<D>(h);
  LevelSetLiquidState<D> s = make_level_set_liquid(ex, std::move(phi), p);
  double fastest = 0, worst_pressure = 0;
  const double exact = (D - 1) / radius, dt = capillary_step(h, p.tension);
  for (int k = 0; k < steps; ++k) {
    found.require_solved(step(ex, s, p, dt).converged);
    double sum = 0, count = 0;
    for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
      if (s.surface.phi.get(c) > -4 * h) return;
      sum += s.pressure.get(c);
      ++count;
    });
    worst_pressure = worse(worst_pressure, std::abs(sum / count / exact - 1));
    fastest = worse(fastest, max_in_liquid(s) * std::sqrt(2 * radius));  // |u| √(ρ D / σ)
  }
  found.at_most(std::to_string(D) + "D drop: pressure off by", worst_pressure, 0.01);
  found.at_most(std::to_string(D) + "D drop: parasitic currents |u| √(ρD/σ)", fastest, 1e-3);
}

// The frequency of a standing wave of length and depth 1.
void wave_frequency(Findings& found, int n, double part) {
  Exec ex;
  const double h = 1. / n, a = 0.01, k = 2 * M_PI;
  Domain<2> domain = box_domain<2>({{}, {n, 2 * n}}, Side::wall);
  domain.sides[0] = {Side::periodic, Side::periodic};
  const auto topology = Topology<2>::of_box(ex, domain);
  Field<float, 2> phi(ex, topology, 1.f);
  for_each_coord(domain.cells, [&](const Coord<2>& c) {
    phi.set(c, float((c[1] + 0.5) * h - 1 - a * std::cos(k * (c[0] + 0.5) * h)));
  });
  const LevelSetLiquidParams<2> p = smooth<2>(h);
  LevelSetLiquidState<2> s = make_level_set_liquid(ex, std::move(phi), p);
  const auto height = [&] {  // the amplitude of the wave
    double sum = 0;
    for (int x = 0; x < n; ++x)
      for (int y = n / 2; y < 3 * n / 2; ++y) {
        const double low = s.surface.phi.get({x, y}), high = s.surface.phi.get({x, y + 1});
        if (low < 0 && high >= 0)
          sum += 2 * h * (y + 0.5 + low / (low - high)) * h * std::cos(k * (x + 0.5) * h);
      }
    return sum;
  };
  std::vector<double> zeros;
  double before = height(), first = before, largest_later = 0;
  const double dt = capillary_step(h, p.tension);
  while (zeros.size() < 4 && s.time < 2) {
    found.require_solved(step(ex, s, p, dt).converged);
    const double now = height();
    if (before * now < 0) zeros.push_back(s.time - dt * now / (now - before));
    if (zeros.size() == 2) largest_later = std::max(largest_later, now);
    before = now;
  }
  const std::string cells = ", " + std::to_string(n) + " cells a wave";
  found.require("the wave crosses the level four times" + cells, zeros.size() == 4);
  if (zeros.size() < 4) return;
  found.near("frequency" + cells, M_PI * 3 / (zeros[3] - zeros[0]), 15.750, part);
  found.at_least("height after a period" + cells, largest_later / first, 0.9);
  found.require("waves do not grow" + cells, largest_later <= first);
}

LiquidParams<2> of_particles(double h) {
  LiquidParams<2> p;
  p.h = h;
  p.tension = 1;
  p.projection.solve = {.relative = 1e-4, .absolute = 1e-4};
  return p;
}

// The frequency of a standing wave of length and depth 1, the mean over waves that begin up and down.
void particle_wave_frequency(Findings& found, int n, double part) {
  constexpr int seeds = 2, steps = 60;  // a period
  const double h = 1. / n, k = 2 * M_PI, exact = 15.750, dt = 2 * M_PI / exact / steps;
  std::vector<double> mean(2 * steps);
  for (int seed = 0; seed < seeds; ++seed)
    for (const double height : {0.02, -0.02}) {
      Exec ex;
      const LiquidParams<2> p = of_particles(h);
      Domain<2> domain = box_domain<2>({{}, {n, 2 * n}}, Side::wall);
      domain.sides[0] = {Side::periodic, Side::periodic};
      NewParticles<2> water =
          seed_particles<2>(BoxShape<2>{{-1, -1}, {2, 1}}, domain.cells, h, std::uint64_t(seed));
      const double moved = height / (std::sinh(k) * h);
      for (Vec<double, 2>& at : water.position) {
        const double x = k * at[0] * h, y = k * at[1] * h;
        at[0] -= moved * std::cosh(y) * std::sin(x);
        at[1] += moved * std::sinh(y) * std::cos(x);
      }
      LiquidState<2> s = make_liquid<2>(ex, domain, water, p.transfer);
      const int parts = int(std::ceil(dt / step_length(ex, s, p, 1, dt)));
      for (double& seen : mean) {
        const Field<float, 2> phi = surface_from_particles(ex, s.particles, h);
        double sum = 0;
        for (int i = 0; i < n; ++i) {
          int j = 0;
          while (phi.get({i, j + 1}) < 0) ++j;
          const double low = double(phi.get({i, j})), high = double(phi.get({i, j + 1}));
          sum += (j + 0.5 + low / (low - high)) * h * std::cos(k * (i + 0.5) * h);
        }
        seen += 2 * sum / n / height / (2 * seeds);
        for (int once = 0; once < parts; ++once) found.require_solved(step(ex, s, p, dt / parts).converged);
      }
    }
  std::vector<double> zeros;
  double later = 0;
  for (std::size_t i = 1; i < mean.size(); ++i) {
    if (mean[i - 1] * mean[i] < 0) zeros.push_back(dt * (double(i) - mean[i] / (mean[i] - mean[i - 1])));
    if (zeros.size() == 2) later = std::max(later, mean[i]);
  }
  const std::string cells = ", " + std::to_string(n) + " cells a wave";
  found.require("the wave crosses the level four times" + cells, zeros.size() >= 4);
  if (zeros.size() < 4) return;
  found.near("frequency" + cells, M_PI * 3 / (zeros[3] - zeros[0]), exact, part);
  found.within("height after a period" + cells, later / mean[0], 1, 0.3);
}

}  // namespace

void drop_of_particles(Findings& found) {
  Exec ex;
  const int n = 48;
  const double h = 1. / 16;
  const Domain<2> domain = box_domain<2>({{}, Coord<2>::filled(n)}, Side::open);
  const LiquidParams<2> p = of_particles(h);
  const SphereShape<2> drop{{1.513, 1.526}, 1};
  LiquidState<2> s = make_liquid<2>(ex, domain, seed_particles<2>(drop, domain.cells, h), p.transfer);
  double sum = 0, count = 0, fastest = 0;
  for (int k = 0; k < 300; ++k) {
    found.require_solved(step(ex, s, p, step_length(ex, s, p, 1, 1)).converged);
    for_each_coord(Box<2>{Coord<2>::filled(20), Coord<2>::filled(28)},
                   [&](const Coord<2>& c) { sum += s.pressure.get(c), ++count; });
    double squares = 0;
    for (const Buffer<float>& u : s.particles.velocity)
      for (const float v : u) squares += double(v) * double(v);
    fastest = worse(fastest, std::sqrt(2 * squares / double(s.particles.size())));
  }
  found.at_most("2D drop of particles: mean pressure off by", std::abs(sum / count - 1), 0.03);
  found.at_most("2D drop of particles: currents, root mean square of |u| √(ρD/σ)", fastest, 0.12);
}

void capillary_wave_of_particles(Findings& found) {
  particle_wave_frequency(found, 16, 0.06);
  particle_wave_frequency(found, 32, 0.04);
  particle_wave_frequency(found, 64, 0.04);
}

void drop_at_rest_2d(Findings& found) { drop_at_rest<2>(found, 1000); }
void drop_at_rest_3d(Findings& found) { drop_at_rest<3>(found, 20); }

void capillary_wave(Findings& found) {
  wave_frequency(found, 16, 0.05);
  wave_frequency(found, 32, 0.03);
  wave_frequency(found, 64, 0.015);
}

}  // namespace whorl
