// The liquid's step: free fall, rest, and what it keeps.
#include "solvers/liquid.h"

#include "grid/archive.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl {
namespace {

template <class T>
class Liquid : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Liquid, Dimensions);

template <int D>
Vec<double, D> mean_place(const ParticleSet<D>& p) {
  Vec<double, D> mean{};
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
      for (int a = 0; a < D; ++a)
        mean[a] += (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                    double(p.position[std::size_t(a)][i])) /
                   double(p.size());
  return mean;
}

template <int D>
double kinetic_energy(const ParticleSet<D>& p) {
  double sum = 0;
  for (const Buffer<float>& v : p.velocity)
    for (const float x : v) sum += 0.5 * double(x) * double(x);
  return sum;
}

// A flat surface is found where it is, a ball's nearly.
TYPED_TEST(Liquid, SurfaceIsWhereTheParticlesEnd) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const double h = 0.1;
  Vec<double, D> up = Vec<double, D>::unit(1);
  up[0] = 0.3;
  const PlaneShape<D> plane{Vec<double, D>::filled(1.6), up};
  const Shape<D> shape = plane;
  ParticleSet<D> p;
  const Box<D> cells{{}, Coord<D>::filled(32)};
  add_particles(ex, p, Domain<D>{}, seed_particles<D>(shape, cells, h));
  put_on(ex, p, Topology<D>::of_box(ex, Domain<D>{}, cells));
  const Field<float, D> phi = surface_from_particles(ex, p, h);
  double worst = 0, square = 0;
  int count = 0;
  for_each_coord(Box<D>{Coord<D>::filled(4), Coord<D>::filled(28)}, [&](const Coord<D>& c) {
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = h * (c[a] + 0.5);
    const double d = shape.distance(x);
    if (std::abs(d) > h) return;
    const double error = std::abs(double(phi.get(c)) - d) / h;
    worst = std::max(worst, error);
    square += error * error;
    ++count;
  });
  std::printf("%dD: a flat surface is off by %.3f cells, at worst %.3f\n", D, std::sqrt(square / count),
              worst);
  EXPECT_LT(std::sqrt(square / count), 0.12);
  EXPECT_LT(worst, 0.5);
}

// Gravity alone: a blob falls as a stone does, whatever the scheme.
TYPED_TEST(Liquid, FallsFreely) {
  constexpr int D = TypeParam::value;
  Exec ex;
  for (const TransferScheme scheme :
       {TransferScheme::pic, TransferScheme::flip, TransferScheme::apic, TransferScheme::polypic}) {
    LiquidParams<D> p;
    p.h = 0.05;
    p.gravity = Vec<double, D>::unit(1, -9.81);
    p.transfer = scheme;
    const Shape<D> ball = SphereShape<D>{{}, 0.2};
    LiquidState<D> s = make_liquid<D>(
        ex, {}, seed_particles<D>(ball, {Coord<D>::filled(-5), Coord<D>::filled(5)}, p.h), scheme);
    const Vec<double, D> start = mean_place(s.particles);
    const std::int64_t count = s.particles.size();
    constexpr int steps = D == 2 ? 20 : 10;
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(ex, s, p, 0.02).converged);
    const Vec<double, D> fallen = (mean_place(s.particles) - start) * p.h;
    // Velocities are changed first: n (n + 1) / 2 steps' worth.
    constexpr double way = 9.81 * 0.02 * 0.02 * steps * (steps + 1) / 2;
    EXPECT_NEAR(fallen[1], -way, 0.002 * way);
    EXPECT_NEAR(fallen[0], 0, 0.002 * way);
    EXPECT_EQ(s.particles.size(), count);
  }
}

// Water in a tank stays where it is.
TYPED_TEST(Liquid, RestsInATank) {
  constexpr int D = TypeParam::value;
  Exec ex;
  LiquidParams<D> p;
  p.h = 1. / 16;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  p.projection.solve = {.relative = 0, .absolute = 1e-3};
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  BoxShape<D> water{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
  water.max[1] = 0.5;
  LiquidState<D> s = make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
  const double start = mean_place(s.particles)[1];
  const std::int64_t count = s.particles.size();
  double most = 0;
  for (int k = 0; k < 60; ++k) {
    EXPECT_TRUE(step(ex, s, p, 1. / 60).converged);
    most = std::max(most, kinetic_energy(s.particles) / double(count));
  }
  EXPECT_EQ(s.particles.size(), count);
  std::printf("%dD: speed %.4f m/s at most, level off by %.3f cells\n", D, std::sqrt(2 * most),
              mean_place(s.particles)[1] - start);
  EXPECT_LT(std::sqrt(2 * most), 0.05 * std::sqrt(9.81 * 0.5));
  EXPECT_NEAR(mean_place(s.particles)[1], start, 0.3);
}

// A force that pulls evenly is gravity by another name: low waves fade no more slowly for it.
TEST(LiquidForces, LetWavesFadeAsGravityDoes) {
  const auto energy_left = [](double by_force) {
    Exec ex({.threads = 1});
    LiquidParams<2> p;
    p.h = 1. / 16;
    p.gravity = {0, -9.81 + by_force};
    if (by_force > 0) {
      ForceField<2> pull;
      pull.parts = {UniformForce<2>{{0, -by_force}}};
      p.forces = {pull};
    }
    p.projection.solve = {.relative = 0, .absolute = 1e-4};
    const Domain<2> domain = box_domain<2>({{}, {16, 16}}, Side::wall);
    NewParticles<2> water = seed_particles<2>(BoxShape<2>{{-1, -1}, {2, 0.5}}, domain.cells, p.h);
    for (Vec<double, 2>& at : water.position)  // a wave of a seventh of a cell
      at[1] += 0.15 * at[1] / 8 * std::cos(std::numbers::pi * at[0] / 16);
    LiquidState<2> s = make_liquid<2>(ex, domain, water, p.transfer);
    double sum = 0;
    for (int k = 0; k < 240; ++k) {
      EXPECT_TRUE(step(ex, s, p, 1. / 48).converged);
      if (k >= 180) sum += kinetic_energy(s.particles);
    }
    return sum;
  };
  const double by_gravity = energy_left(0), by_force = energy_left(4);
  std::printf("energy left: %.3g by gravity, %.3g by a force\n", by_gravity, by_force);
  EXPECT_NEAR(by_force, by_gravity, 0.2 * by_gravity);
}

// A splash in a closed box only ever loses energy, and its volume stays: water that is pressed flat on the
// floor, or into a corner, would show in both.
TYPED_TEST(Liquid, SplashKeepsItsVolumeAndGainsNoEnergy) {
  constexpr int D = TypeParam::value;
  constexpr int n = D == 2 ? 32 : 16;
  Exec ex;
  LiquidParams<D> p;
  p.h = 1. / n;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  p.projection.solve = {.relative = 1e-3};
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall);
  BoxShape<D> water{Vec<double, D>::filled(-1), Vec<double, D>::filled(0.5)};
  if constexpr (D == 3) water.max[2] = 2;
  LiquidState<D> s = make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
  const double count = double(s.particles.size());
  const auto energy = [&] {
    return kinetic_energy(s.particles) / count + 9.81 * p.h * mean_place(s.particles)[1];
  };
  const auto volume = [&] {  // cells that the surface covers, over what particles stand for
    const Field<float, D> phi = surface_from_particles(ex, s.particles, p.h);
    double cells = 0;
    for (std::int64_t k = 0; k < s.particles.topology->tile_count() * tile_cells<D>; ++k)
      cells += std::clamp(0.5 - double(phi.data()[k]) / p.h, 0., 1.);
    return cells * (1 << D) / count;
  };
  const double at_start = energy();
  double least = at_start, most_gained = 0, drift = 0;
  for (int frame = 1; frame <= 90; ++frame) {
    while (s.time < frame / 30. - 1e-9)
      EXPECT_TRUE(step(ex, s, p, step_length(ex, s, p, 3, frame / 30. - s.time)).converged);
    most_gained = std::max(most_gained, energy() - least);
    least = std::min(least, energy());
    drift = std::max(drift, std::abs(volume() - 1));
  }
  std::printf("%dD: energy %.2f of the start's, at most %.4f gained on the way; volume within %.1f %%\n", D,
              energy() / at_start, most_gained / at_start, 100 * drift);
  EXPECT_LT(most_gained, 0.02 * at_start);  // clumps that are taken apart gain height
  EXPECT_LT(energy(), 0.75 * at_start);
  EXPECT_LT(drift, 0.06);
}

// Too thin to reach a cell's centre, and yet it stays as thick as it is.
TYPED_TEST(Liquid, FilmOnTheFloorStays) {
  constexpr int D = TypeParam::value;
  Exec ex;
  LiquidParams<D> p;
  p.h = 1. / 16;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  BoxShape<D> water{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
  water.max[1] = 0.4 * p.h;
  LiquidState<D> s = make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
  const double start = mean_place(s.particles)[1];
  for (int k = 0; k < 60; ++k) (void)step(ex, s, p, 1. / 60);
  EXPECT_GT(mean_place(s.particles)[1], 0.6 * start);
  EXPECT_LT(kinetic_energy(s.particles) / double(s.particles.size()), 1e-3);
}

TYPED_TEST(Liquid, SameBitsOnAnyThreads) {
  constexpr int D = TypeParam::value;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7})
    for (const Backend backend : built_backends()) {
      Exec ex({.threads = threads, .backend = backend});
      LiquidParams<D> p;
      p.h = 1. / 16;
      p.gravity = Vec<double, D>::unit(1, -9.81);
      const Shape<D> ball = SphereShape<D>{Vec<double, D>::filled(0.5), 0.15};
      p.solids = {{ball, ball, {}}};
      const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
      BoxShape<D> water{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
      water.max[0] = 0.3;
      LiquidState<D> s = make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
      for (int k = 0; k < 8; ++k) (void)step(ex, s, p, step_length(ex, s, p, 3, 1. / 30));
      hashes.push_back(state_hash(ex, s));
    }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

}  // namespace
}  // namespace whorl
