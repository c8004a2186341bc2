// Spouts and drains: how much comes out of them, and goes down.
#include "stages/spout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {
namespace {

template <class T>
class Spouts : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Spouts, Dimensions);

template <int D>
Shape<D> nozzle() {
  BoxShape<D> box{Vec<double, D>::filled(0.4), Vec<double, D>::filled(0.6)};
  return box;
}

// Area · speed · time, however many steps it takes, and no gaps between what came out in each.
TYPED_TEST(Spouts, LetOutAreaTimesSpeed) {
  constexpr int D = TypeParam::value;
  const double h = 1. / 32, speed = 2, area = std::pow(0.2, D - 1);
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  for (const int steps : {1, 4, 25}) {
    const double dt = 0.2 / steps;  // twice through the nozzle
    Spout<D> spout{nozzle<D>(), nozzle<D>(), Vec<double, D>::unit(0, speed)};
    Vec<double, D> way{};
    double count = 0, nearest = 1, farthest = 0;
    for (int k = 0; k < steps; ++k)
      for (const Vec<double, D>& x : let_out<D>(spout, way, domain, {}, h, 0.01, dt, 1).position) {
        ++count;
        nearest = std::min(nearest, x[0] * h);
        farthest = std::max(farthest, x[0] * h);
      }
    const double expected = area * speed * 0.2 * std::pow(2 / h, D);
    EXPECT_NEAR(count, expected, 0.04 * expected) << steps << " steps";
    EXPECT_NEAR(way[0], 0.4, 1e-12);
    EXPECT_GE(nearest, 0.4);
    EXPECT_LE(farthest, 0.4 + speed * dt + 1e-9);  // as far as a step takes it
  }
}

TYPED_TEST(Spouts, LetOutWhileTheyAreOn) {
  constexpr int D = TypeParam::value;
  const double h = 1. / 32;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  const auto count = [&](double start, double end) {
    Spout<D> spout{nozzle<D>(), nozzle<D>(), Vec<double, D>::unit(0, 2.), start, end};
    Vec<double, D> way{};
    return double(let_out<D>(spout, way, domain, {}, h, 0.01, 0.08, 1).position.size());
  };
  EXPECT_NEAR(count(0.25, 0.75), 0.5 * count(0, 1), 0.1 * count(0, 1));
  EXPECT_EQ(count(0.5, 0.5), 0);
}

// A thin wall in the way of a fast spout: all of it stops there.
TYPED_TEST(Spouts, LetNothingThroughSolids) {
  constexpr int D = TypeParam::value;
  const double h = 1. / 32;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  BoxShape<D> wall{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
  wall.min[0] = 0.65;
  wall.max[0] = 0.67;
  const std::vector<Solid<D>> solids = {{wall, wall, {}}};
  const auto count = [&](const std::vector<Solid<D>>& met) {
    Spout<D> spout{nozzle<D>(), nozzle<D>(), Vec<double, D>::unit(0, 4.)};
    Vec<double, D> way{};
    return let_out<D>(spout, way, domain, met, h, 0.01, 0.1, 1).position;
  };
  for (const Vec<double, D>& x : count(solids)) EXPECT_LT(x[0] * h, 0.65);
  EXPECT_EQ(count(solids).size(), count({}).size());
}

TYPED_TEST(Spouts, PushAndDrainWhatIsInside) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const double h = 1. / 16;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  ParticleSet<D> p;
  NewParticles<D> block;
  for_each_coord(domain.cells, [&](const Coord<D>& cell) {
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = cell[a] + 0.5;
    block.position.push_back(x);
    block.velocity.push_back({});
  });
  add_particles(ex, p, domain, block);
  const Spout<D> spout{nozzle<D>(), nozzle<D>(), Vec<double, D>::unit(1, 3.)};
  push_out(ex, p, spout, h);
  const std::int64_t inside = std::int64_t(std::pow(4, D));  // centres from 6.5 to 9.5 cells
  EXPECT_EQ(std::count(p.velocity[1].begin(), p.velocity[1].end(), 3.f), inside);
  EXPECT_EQ(std::count(p.velocity[0].begin(), p.velocity[0].end(), 0.f), p.size());

  const std::int64_t before = p.size();
  EXPECT_EQ(drain(ex, p, Drain<D>{nozzle<D>(), 0}, h, 0.1, 1), 0);
  const std::int64_t gone = drain(ex, p, Drain<D>{nozzle<D>(), 10}, h, 0.1, 1);  // 1 - 1/e of them
  EXPECT_NEAR(double(gone), 0.632 * double(inside), 3 * std::sqrt(double(inside)) * 0.5);
  EXPECT_EQ(p.size(), before - gone);
  EXPECT_EQ(gone + drain(ex, p, Drain<D>{nozzle<D>(), 1e6}, h, 0.1, 2), inside);
}

}  // namespace
}  // namespace whorl
