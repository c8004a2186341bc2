#include "cases/liquid_waves.h"
#include "cases/particle_places.h"
#include "solvers/liquid.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <cmath>
#include <numbers>

namespace whorl {

namespace {

constexpr double pi = std::numbers::pi;

// The elevation's part that goes as cos kx, by the surface that the particles have.
double elevation(Exec& ex, const ParticleSet<2>& particles, double k, int n, double h) {
  const Field<float, 2> phi = surface_from_particles(ex, particles, h);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    int j = 0;
    while (phi.get({i, j + 1}) < 0) ++j;
    const double lo = double(phi.get({i, j})), hi = double(phi.get({i, j + 1}));
    sum += (j + 0.5 + lo / (lo - hi)) * h * std::cos(k * (i + 0.5) * h);
  }
  return 2 * sum / n;
}

struct StandingWave {
  double k, height, depth, gravity;
  int n;  // cells a metre
};

// The elevation after each of so many steps, over the height at the start. Every particle begins where the
// wave has brought it from rest.
std::vector<double> watch(Findings& found, const StandingWave& wave, std::uint64_t seed, double dt,
                          std::size_t steps) {
  Exec ex({.threads = 1});
  LiquidParams<2> p;
  p.h = 1. / wave.n;
  p.gravity = {0, -wave.gravity};
  p.projection.solve = {.relative = 0, .absolute = 1e-3};
  Domain<2> domain = box_domain<2>({{}, {wave.n, wave.n + wave.n / 2}}, Side::wall);
  domain.sides[0] = {Side::periodic, Side::periodic};
  NewParticles<2> water = seed_particles<2>(BoxShape<2>{{-1, -1}, {2, wave.depth}}, domain.cells, p.h, seed);
  const double part = wave.height / (std::sinh(wave.k * wave.depth) * p.h);
  for (Vec<double, 2>& at : water.position) {
    const double x = wave.k * at[0] * p.h, y = wave.k * at[1] * p.h;
    at[0] -= part * std::cosh(y) * std::sin(x);
    at[1] += part * std::sinh(y) * std::cos(x);
  }
  LiquidState<2> s = make_liquid<2>(ex, domain, water, p.transfer);
  std::vector<double> seen;
  while (seen.size() < steps) {
    seen.push_back(elevation(ex, s.particles, wave.k, wave.n, p.h) / wave.height);
    found.require_solved(step(ex, s, p, dt).converged);
  }
  return seen;
}

}  // namespace

void sloshing(Findings& found) {
  constexpr int n = 64;
  constexpr double depth = 0.5, height = 0.02, g = 9.81;
  const double period = 2 * pi / std::sqrt(g * pi * std::tanh(pi * depth));
  Exec ex({.threads = 1});
  LiquidParams<2> p;
  p.h = 1. / n;
  p.gravity = {0, -g};
  p.projection.solve = {.relative = 0, .absolute = 1e-3};
  const Domain<2> domain = box_domain<2>({{}, {n, n}}, Side::wall);
  NewParticles<2> wave;
  const NewParticles<2> made =
      seed_particles<2>(BoxShape<2>{{-1, -1}, {2, depth + height}}, domain.cells, p.h);
  for (std::size_t k = 0; k < made.position.size(); ++k) {
    const Vec<double, 2> x = made.position[k] * p.h;
    if (x[1] > depth + height * std::cos(pi * x[0])) continue;
    wave.position.push_back(made.position[k]);
    wave.velocity.push_back({});
  }
  LiquidState<2> s = make_liquid<2>(ex, domain, wave, p.transfer);
  const auto amplitude = [&] {  // a moment of where the particles are
    double sum = 0;
    for_each_particle(s.particles, p.h,
                      [&](std::uint32_t, const Vec<double, 2>& x) { sum += std::cos(pi * x[0]); });
    return 2 * depth * sum / double(s.particles.size());
  };
  double last = amplitude(), last_time = 0, most = 0;
  std::vector<double> crossings;
  while (crossings.size() < 11 && s.time < 6 * period) {
    found.require_solved(step(ex, s, p, step_length(ex, s, p, 1, 1. / 120)).converged);
    const double now = amplitude();
    if (now * last < 0) {
      crossings.push_back(last_time + (s.time - last_time) * last / (last - now));
      if (crossings.size() < 11) most = 0;
    }
    most = std::max(most, std::abs(now));
    last = now;
    last_time = s.time;
  }
  found.require("the surface swings for five periods", crossings.size() == 11);
  if (crossings.size() < 11) return;
  found.near("period, s", (crossings[10] - crossings[0]) / 5, period, 0.01);
  found.at_least("amplitude after five periods over the first", most / height, 0.85);
}

void standing_waves(Findings& found) {
  constexpr double depth = 1, g = 9.81;
  constexpr int seeds = 6, steps = 50;  // a period
  constexpr std::size_t zeros = 8;
  for (const int waves : {1, 2, 4}) {
    const double k = 2 * pi * waves, frequency = std::sqrt(g * k * std::tanh(k * depth)),
                 dt = 2 * pi / frequency / steps;
    std::vector<double> mean(zeros * steps / 2 + steps);
    for (int seed = 0; seed < seeds; ++seed)
      for (const double height : {0.05 / k, -0.05 / k}) {
        const std::vector<double> seen =
            watch(found, {k, height, depth, g, 16 * waves}, std::uint64_t(seed), dt, mean.size());
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += seen[i] / (2 * seeds);
      }
    std::vector<double> crossings;
    double most = 0;
    for (std::size_t i = 1; i < mean.size() && crossings.size() < zeros; ++i) {
      if (mean[i - 1] * mean[i] < 0)
        crossings.push_back(dt * (double(i) - mean[i] / (mean[i] - mean[i - 1])));
      if (crossings.size() + 1 == zeros) most = std::max(most, std::abs(mean[i]));
    }
    found.require("waves cross the level eight times", crossings.size() == zeros);
    if (crossings.size() < zeros) return;
    const double periods = (zeros - 1) / 2.;
    const std::string with_k = ", k = " + std::to_string(2 * waves) + "π";
    found.near("frequency" + with_k, 2 * pi * periods / (crossings.back() - crossings.front()), frequency,
               0.02);
    found.within("height in the last swing over the first" + with_k, most, 1, 0.5);
  }
}

}  // namespace whorl
