// Liquid that comes and goes through sides of the domain: inflows, and water that stands beyond them.
#include "solvers/liquid.h"
#include "stages/narrow_band.h"
#include "stages/particle_surface.h"
#include "stages/seed_particles.h"
#include "stages/water_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

constexpr double g = 9.81;

template <class T>
class LiquidSides : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(LiquidSides, Dimensions);

// A channel along x, one metre long and high, with walls but for its ends and the top.
template <int D>
struct ChannelCase {
  Exec ex{{.threads = 2}};
  LiquidParams<D> p;
  Domain<D> domain;
  LiquidState<D> s;

  ChannelCase(int n, Side low, Side high) {
    p.h = 1. / n;
    p.gravity = Vec<double, D>::unit(1, -g);
    p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
    Coord<D> size = Coord<D>::filled(n);
    if (D == 3) size[D - 1] = n / 2;
    domain = box_domain<D>({{}, size}, Side::wall);
    domain.sides[0] = {low, high};
    domain.sides[1][1] = Side::open;
  }
  void fill(double height, const Vec<float, D>& velocity = {}) {
    BoxShape<D> box{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
    box.max[1] = height;
    s = make_liquid<D>(ex, domain, seed_particles<D>(box, domain.cells, p.h, 0, velocity), p.transfer);
  }
  void set_level(double level) { p.water_level[0] = {level, level}; }
  void add_inflow(bool high, double speed, double level) {
    SideInflow<D> inflow{{0, high}, level, {}};
    inflow.velocity.assign(std::size_t(faces_of(domain, inflow.side).volume()),
                           Vec<float, D>::unit(0, float(speed)));
    p.inflow.velocity[0][high] = inflow.velocity[0];
    p.inflows = {inflow};
  }
  void run(double until, double cfl = 2) {
    while (s.time < until - 1e-9) {
      const double left = until - s.time, dt = step_length(ex, s, p, cfl, left);
      ASSERT_TRUE(step(ex, s, p, left / std::ceil(left / dt - 1e-6)).converged);
    }
  }
  double area() const {
    double all = 1;
    for (int a = 0; a < D; ++a)
      if (a != 1) all *= domain.extent(a) * p.h;
    return all;
  }
  double volume() const { return double(s.particles.size()) * std::pow(p.h, D) / (1 << D); }
  double mean_level() const { return volume() / area(); }
  float fastest() const {
    float most = 0;
    for (const Buffer<float>& v : s.particles.velocity)
      for (const float x : v) most = std::max(most, std::abs(x));
    return most;
  }
};

// Water at the level on both sides of an open end: nothing moves, grows or leaks.
TYPED_TEST(LiquidSides, WaterAtTheLevelRests) {
  constexpr int D = TypeParam::value;
  for (const bool high : {false, true}) {
    ChannelCase<D> c(D == 2 ? 32 : 16, high ? Side::wall : Side::water, high ? Side::water : Side::wall);
    c.set_level(0.4);
    c.fill(0.4);
    const double before = c.volume();
    c.run(2);
    std::printf("at rest: %.5f of the volume, fastest %.4f m/s, in %lld out %lld of %lld particles\n",
                c.volume() / before, double(c.fastest()), (long long)c.s.injected, (long long)c.s.drained,
                (long long)c.s.particles.size());
    EXPECT_NEAR(c.volume(), before, 0.01 * before);
    EXPECT_LT(c.fastest(), 0.1);
  }
}

// Cells that a solid leaves a part of have enough when they have that part of what others have.
TYPED_TEST(LiquidSides, WhatSolidsLeaveIsNotOverfilled) {
  constexpr int D = TypeParam::value;
  for (const bool high : {false, true}) {
    ChannelCase<D> c(16, high ? Side::wall : Side::water, high ? Side::water : Side::wall);
    BoxShape<D> bed{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
    bed.max[1] = 2.6 * c.p.h;  // leaves two fifths of the third row
    c.p.solids.push_back({bed, bed, {}});
    NewParticles<D> water;
    BoxShape<D> box{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
    box.max[1] = 6 * c.p.h;
    const NewParticles<D> all = seed_particles<D>(box, c.domain.cells, c.p.h);
    for (const Vec<double, D>& x : all.position)
      if (x[1] > 2.61) {
        water.position.push_back(x);
        water.velocity.push_back({});
      }
    c.s = make_liquid<D>(c.ex, c.domain, water, c.p.transfer);
    const WaterSide<D> side{{0, high}, 6 * c.p.h};
    const std::size_t added = fill_to_level<D>(c.s.particles, side, c.p.solids, c.p.h, 1).position.size();
    const std::size_t in_row = D == 2 ? 1 : 8;  // cells of the row that is cut, beside the side
    std::printf("%dD: %zu particles more in %zu cut cells\n", D, added, in_row);
    EXPECT_LE(added, in_row / 2);  // a cell may have none by chance
  }
}

TYPED_TEST(LiquidSides, PoolsDrainAndFillToTheLevel) {
  constexpr int D = TypeParam::value;
  for (const double from : {0.65, 0.2, 0.}) {
    ChannelCase<D> c(16, Side::wall, Side::water);
    c.set_level(0.4);
    c.fill(from);
    c.run(5);
    std::printf("from %.2f: level %.4f m, in %lld out %lld\n", from, c.mean_level(), (long long)c.s.injected,
                (long long)c.s.drained);
    EXPECT_NEAR(c.mean_level(), 0.4, 0.5 * c.p.h) << from;
    EXPECT_EQ(from<0.4, c.s.injected> c.s.drained);
  }
}

// Speed · area under the level · time, however long the steps are, and the ledger has it.
TYPED_TEST(LiquidSides, InflowsBringWhatTheySay) {
  constexpr int D = TypeParam::value;
  for (const bool high : {false, true})
    for (const double cfl : {0.5, 4.}) {
      ChannelCase<D> c(16, high ? Side::open : Side::inflow, high ? Side::inflow : Side::open);
      c.add_inflow(high, high ? -0.8 : 0.8, 0.37);
      c.fill(0.);
      c.run(1, cfl);
      const double width = D == 3 ? 0.5 : 1, expected = 0.8 * 0.37 * width;
      const double each = std::pow(c.p.h, D) / (1 << D);
      EXPECT_NEAR(double(c.s.injected) * each, expected, 0.01 * expected) << high << " " << cfl;
      EXPECT_EQ(c.s.injected - c.s.drained, c.s.particles.size());
    }
}

// What comes in keeps to the velocity of its place.
TEST(SideInflows, FollowTheirProfile) {
  ChannelCase<2> c(16, Side::inflow, Side::open);
  c.add_inflow(false, 1, HUGE_VAL);
  for (std::size_t k = 0; k < c.p.inflows[0].velocity.size(); ++k)
    c.p.inflows[0].velocity[k] = {k < 8 ? 1.f : 0.f, 0.f};
  std::vector<double> ways(rows_before(c.domain, c.p.inflows[0].side));
  const Entrance<2> entrance{
      c.p.inflows[0].side, HUGE_VAL,
      [&](const Coord<2>& face) { return convert<double>(c.p.inflows[0].velocity[std::size_t(face[1])]); },
      3};
  std::size_t count = 0;
  double nearest = 1, farthest = 0, dt = 0.3;
  for (int k = 0; k < 4; ++k) {
    for (const Vec<double, 2>& x : enter<2>(entrance, ways, c.domain, {}, c.p.h, dt).position) {
      EXPECT_LT(x[1], 8);
      nearest = std::min(nearest, x[0]);
      farthest = std::max(farthest, x[0]);
      ++count;
    }
  }
  EXPECT_NEAR(double(count), 4 * dt / c.p.h * 8 * 4, 16);  // no more than one a row too many or too few
  EXPECT_LT(nearest, 0.1);
  EXPECT_NEAR(farthest, dt / c.p.h, 0.3);
}

// Steady flow: as much goes out as comes in, at the level, with particles near the surface alone or not.
TEST(LiquidSidesFlow, IsMatched) {
  for (const int band : {0, BandParams{}.width}) {
    ChannelCase<2> c(32, Side::inflow, Side::water);
    c.add_inflow(false, 0.5, 0.4);
    c.set_level(0.4);
    c.p.band = band;
    c.fill(0.4, {0.5f, 0.f});
    c.run(2);
    const std::int64_t in = c.s.injected, out = c.s.drained, held = c.s.held;
    c.run(6);
    const double through = double(c.s.drained - out) / double(c.s.injected - in);
    std::printf("band %d: out/in %.4f, held %.4f\n", band, through, double(c.s.held) / double(held));
    EXPECT_NEAR(through, 1, 0.02);
    EXPECT_NEAR(double(c.s.held) / 4096, 0.4, 0.5 / 32);
  }
}

// A block falls through an open floor as fast as steps allow. What has gone is known, also of its inside, and
// no water is made up for it.
TYPED_TEST(LiquidSides, AreLeftByTheCoreAsByParticles) {
  constexpr int D = TypeParam::value;
  for (const double cfl : {4., 5.}) {
    double left[2];
    for (const bool banded : {false, true}) {
      ChannelCase<D> c(32, Side::open, Side::open);
      c.domain.sides[1][0] = Side::open;
      if (D == 3) c.domain.sides[D - 1] = {Side::open, Side::open};
      c.p.gravity = {};
      c.p.band = banded ? BandParams{}.width : 0;
      BoxShape<D> block{Vec<double, D>::filled(0.1), Vec<double, D>::filled(0.9)};
      if (D == 3) block.min[D - 1] = 0.05, block.max[D - 1] = 0.45;
      Vec<float, D> down{};
      down[1] = -2;
      c.s = make_liquid<D>(c.ex, c.domain, seed_particles<D>(block, c.domain.cells, c.p.h, 0, down),
                           c.p.transfer);
      const double all = double(c.s.held);
      c.run(0.3, cfl);
      EXPECT_EQ(c.s.held + c.s.drained, std::int64_t(all));
      left[banded] = double(c.s.held) / all;
    }
    std::printf("%dD, CFL %.0f: %.4f of the block is left, with a band %.4f\n", D, cfl, left[0], left[1]);
    EXPECT_NEAR(left[0], 0.375, 0.01);
    EXPECT_NEAR(left[1], left[0], 0.03);  // a layer of cells is .04
  }
}

// A uniform force is gravity by another name, and the step allows for it.
TYPED_TEST(LiquidSides, ForcesActOnLiquid) {
  constexpr int D = TypeParam::value;
  ChannelCase<D> c(16, Side::wall, Side::wall);
  c.p.gravity = {};
  SphereShape<D> ball{Vec<double, D>::filled(0.5), 0.15};
  if (D == 3) ball.center[D - 1] = 0.25;
  c.s = make_liquid<D>(c.ex, c.domain, seed_particles<D>(ball, c.domain.cells, c.p.h), c.p.transfer);
  EXPECT_EQ(step_length(c.ex, c.s, c.p, 2, 0.5), 0.5);
  ForceField<D> force;
  force.parts = {UniformForce<D>{Vec<double, D>::unit(1, -2.)}};
  c.p.forces = {force};
  EXPECT_LE(step_length(c.ex, c.s, c.p, 2, 0.5), 0.5 * std::sqrt(c.p.h / 2));
  c.run(0.25);
  for (const float v : c.s.particles.velocity[1]) EXPECT_NEAR(v, -0.5f, 1e-3f);
  for (const float v : c.s.particles.velocity[0]) EXPECT_NEAR(v, 0.f, 1e-3f);
}

}  // namespace
}  // namespace whorl
