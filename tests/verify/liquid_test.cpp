// Liquids against outside answers: sloshing, waves, and a dam that breaks.
#include "solvers/liquid.h"

#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace whorl {
namespace {

constexpr double pi = std::numbers::pi;

template <class F>
void for_each_particle(const ParticleSet<2>& p, double h, const F& f) {
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
      Vec<double, 2> x;
      for (int a = 0; a < 2; ++a)
        x[a] = h * (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                    double(p.position[std::size_t(a)][i]));
      f(i, x);
    }
}

// V-D2. The first mode of the elevation is a moment of where the particles are.
TEST(Sloshing, HasThePeriodOfTheory) {
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
  const auto amplitude = [&] {
    double sum = 0;
    for_each_particle(s.particles, p.h,
                      [&](std::uint32_t, const Vec<double, 2>& x) { sum += std::cos(pi * x[0]); });
    return 2 * depth * sum / double(s.particles.size());
  };
  double last = amplitude(), last_time = 0, most = 0;
  std::vector<double> crossings;
  while (crossings.size() < 11 && s.time < 6 * period) {
    EXPECT_TRUE(step(ex, s, p, step_length(ex, s, p, 1, 1. / 120)).converged);
    const double now = amplitude();
    if (now * last < 0) {
      crossings.push_back(last_time + (s.time - last_time) * last / (last - now));
      if (crossings.size() < 11) most = 0;
    }
    most = std::max(most, std::abs(now));
    last = now;
    last_time = s.time;
  }
  ASSERT_EQ(crossings.size(), 11u);
  const double found = (crossings[10] - crossings[0]) / 5;
  std::printf("sloshing: period %.4f s, theory %.4f; amplitude after five periods %.3f of the first\n", found,
              period, most / height);
  EXPECT_NEAR(found, period, 0.01 * period);
  EXPECT_GE(most / height, 0.85);
}

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
std::vector<double> watch(const StandingWave& wave, std::uint64_t seed, double dt, std::size_t steps) {
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
    EXPECT_TRUE(step(ex, s, p, dt).converged);
  }
  return seen;
}

// V-D3: ω² = g k tanh kd. A wave of an eighth of a cell is no higher than what chance makes of the surface,
// so that waves of both signs on the particles of some seeds are taken together.
TEST(StandingWaves, HaveTheFrequenciesOfTheory) {
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
            watch({k, height, depth, g, 16 * waves}, std::uint64_t(seed), dt, mean.size());
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += seen[i] / (2 * seeds);
      }
    std::vector<double> crossings;
    double most = 0;
    for (std::size_t i = 1; i < mean.size() && crossings.size() < zeros; ++i) {
      if (mean[i - 1] * mean[i] < 0)
        crossings.push_back(dt * (double(i) - mean[i] / (mean[i] - mean[i - 1])));
      if (crossings.size() + 1 == zeros) most = std::max(most, std::abs(mean[i]));
    }
    ASSERT_EQ(crossings.size(), zeros);
    const double periods = (zeros - 1) / 2.,
                 found = 2 * pi * periods / (crossings.back() - crossings.front());
    std::printf("waves of 16 cells, %d in the tank: frequency %.4f of theory's, damped by %.1f %% a period\n",
                waves, found / frequency, 100 * (1 - std::pow(most / mean[0], 1 / periods)));
    EXPECT_NEAR(found, frequency, 0.02 * frequency);
    EXPECT_GT(most, 0.5);
    EXPECT_LT(most, 1.5);
  }
}

// How far the surface reaches along the lowest cells.
double front_on_floor(Exec& ex, const ParticleSet<2>& particles, double h) {
  const Field<float, 2> surface = surface_from_particles(ex, particles, h);
  double front = 0;
  for (int tile = 0; tile < particles.topology->tile_count(); ++tile) {
    const Coord<2> corner = particles.topology->tiles()[std::size_t(tile)] * tile_side;
    if (corner[1] != 0) continue;
    for (int i = 0; i < tile_side; ++i) {
      const float phi =
          surface.data()[std::size_t(tile) * tile_cells<2> + std::size_t(cell_offset<2>({i, 0}))];
      if (phi < 0) front = std::max(front, h * (corner[0] + i + 0.5) - double(phi));
    }
  }
  return front;
}

// V-D4, by Martin & Moyce 1952: a column of water, a wide and 2a high. The front at times t √(2g/a): the RMS
// of its error over the RMS of what was measured, and the RMS of the parts by which each is off.
TEST(DamBreak, FrontRunsAsMeasured) {
  constexpr double measured[][2] = {{.41, 1.11},  {.84, 1.22},  {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                                    {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                    {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
  for (const int cells : {16, 32}) {
    Exec ex({.threads = 1});
    LiquidParams<2> p;
    p.h = 1. / cells;  // a = 1
    p.gravity = {0, -9.81};
    p.projection.solve = {.relative = 1e-4};
    const Domain<2> domain = box_domain<2>({{}, {8 * cells, 4 * cells}}, Side::wall);
    LiquidState<2> s = make_liquid<2>(
        ex, domain, seed_particles<2>(BoxShape<2>{{-1, -1}, {1, 2}}, domain.cells, p.h), p.transfer);
    std::vector<std::pair<double, double>> front;
    while (s.time * std::sqrt(2 * 9.81) < 3.5) {
      front.emplace_back(s.time * std::sqrt(2 * 9.81), front_on_floor(ex, s.particles, p.h));
      EXPECT_TRUE(step(ex, s, p, step_length(ex, s, p, 0.5, 1. / 480)).converged);
    }
    const auto front_at = [&](double t) {
      std::size_t k = 1;
      while (k + 1 < front.size() && front[k].first < t) ++k;
      const auto [t0, z0] = front[k - 1];
      const auto [t1, z1] = front[k];
      return t <= t0 ? z0 : z0 + (z1 - z0) * (t - t0) / (t1 - t0);
    };
    double best = 1e9, best_of_each = 0, best_shift = 0;  // a gate does not vanish at once
    for (int hundredth = 0; hundredth <= 20; ++hundredth) {
      const double shift = 0.01 * hundredth;
      double square = 0, whole = 0, of_each = 0;
      for (const auto& [t, z] : measured) {
        const double off = front_at(std::max(t - shift, 0.)) - z;
        square += off * off;
        whole += z * z;
        of_each += std::pow(off / z, 2);
      }
      if (const double rms = std::sqrt(square / whole); rms < best)
        best = rms, best_of_each = std::sqrt(of_each / std::size(measured)), best_shift = shift;
    }
    std::printf(
        "dam break, %d cells a column's width: front off by %.1f %%, each by %.1f %%, the gate %.2f late\n",
        cells, 100 * best, 100 * best_of_each, best_shift);
    EXPECT_LE(best, cells == 16 ? 0.05 : 0.03);
    EXPECT_LE(best_of_each, 0.05);
  }
}

// A splash over a block whose faces lie anywhere in their cells, in long steps: particles do not gather
// beside it, and the water that they stand for is not lost there.
TEST(DamBreak, DoesNotClumpBesideABlock) {
  Exec ex({.threads = 2});
  LiquidParams<3> p;
  p.h = 0.025;
  p.gravity = {0, -9.81, 0};
  p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
  const Domain<3> domain = box_domain<3>({{}, {40, 24, 16}}, Side::wall);
  LiquidState<3> s = make_liquid<3>(
      ex, domain, seed_particles<3>(BoxShape<3>{{-1, -1, -1}, {0.4, 0.4, 2}}, domain.cells, p.h), p.transfer);
  const Shape<3> block =
      BoxShape<3>{{26.23 * p.h, -4 * p.h, 3.73 * p.h}, {31.63 * p.h, 5.4 * p.h, 11.75 * p.h}};
  p.solids.push_back({block, block, {}});
  double crowded = 0, looks = 0;
  while (s.time < 3) {
    ASSERT_TRUE(step(ex, s, p, step_length(ex, s, p, 5, 1. / 24)).converged);
    if (s.time < 1) continue;
    for (std::size_t k = 0; k + 1 < s.particles.first.size(); ++k)
      if (const std::uint32_t count = s.particles.first[k + 1] - s.particles.first[k]; count > 24)
        crowded += count;
    ++looks;
  }
  const double part = crowded / (looks * double(s.particles.size()));
  std::printf(
      "dam break over a block: %.2f %% of the particles in cells that have more than three times theirs\n",
      100 * part);
  EXPECT_LT(part, 0.01);
}

}  // namespace
}  // namespace whorl
