// Particles in a flow, and at solids and walls.
#include "stages/move_particles.h"

#include "base/rng.h"
#include "grid/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace whorl {
namespace {

template <class T>
class MoveParticles : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(MoveParticles, Dimensions);

template <int D>
ParticleSet<D> particles_at(Exec& ex, const Domain<D>& domain, const std::vector<Vec<double, D>>& places) {
  NewParticles<D> made{places, std::vector<Vec<float, D>>(places.size())};
  ParticleSet<D> p;
  add_particles(ex, p, domain, made);
  return p;
}

// In cells, in the order of their ids.
template <int D>
std::vector<Vec<double, D>> places_of(const ParticleSet<D>& p) {
  std::vector<Vec<double, D>> places(p.made, Vec<double, D>::filled(1e9));
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
      for (int a = 0; a < D; ++a)
        places[p.id[i]][a] = double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                             double(p.position[std::size_t(a)][i]);
  return places;
}

// Faces of a rigid turn about the middle of a box, one radian a second, h = 1.
template <int D>
MacField<float, D> turning(Exec& ex, const TopologyPtr<D>& topology, double middle) {
  MacField<float, D> u(ex, topology);
  for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
    u[0].set(c, -float(c[1] + 0.5 - middle));
    u[1].set(c, float(c[0] + 0.5 - middle));
  });
  return u;
}

// After one turn in n steps: the error of second and third order.
TYPED_TEST(MoveParticles, TurnWithTheFlow) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::open);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  const MacField<float, D> u = turning<D>(ex, all, 16);
  Vec<double, D> start = Vec<double, D>::filled(16);
  start[0] = 24;
  const auto error = [&](int order, int steps) {
    ParticleSet<D> p = particles_at<D>(ex, domain, {start});
    for (int k = 0; k < steps; ++k) {
      put_on(ex, p, all);
      EXPECT_EQ(move_particles<D>(ex, p, u, {}, {}, 1, 2 * std::numbers::pi / steps, {.order = order}), 0);
      sort_particles(ex, p);
    }
    return length(places_of(p)[0] - start);
  };
  EXPECT_NEAR(error(2, 100) / error(2, 200), 4, 0.6);
  EXPECT_NEAR(error(3, 25) / error(3, 50), 8, 1.5);
  EXPECT_LT(error(3, 200), 0.001);
}

// A stream far faster than a cell a step against a thin plate, a ball and the walls: none is ever beyond.
TYPED_TEST(MoveParticles, NeverEndInASolidOrBeyond) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const double h = 0.1;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  MacField<float, D> u(ex, all);
  u[0].fill(ex, 6);  // 6 cells a step
  u[1].fill(ex, -1.7f);
  std::vector<Vec<double, D>> places;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    Rng rng(1, k);
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = double(rng.uniform(0.1f, a == 0 ? 8 : 31.9f));
    places.push_back(x);
  }
  ParticleSet<D> p = particles_at<D>(ex, domain, places);
  BoxShape<D> plate{Vec<double, D>::filled(-1), Vec<double, D>::filled(9)};
  plate.min[0] = 2.0;
  plate.max[0] = 2.03;  // a third of a cell
  const Shape<D> ball = SphereShape<D>{Vec<double, D>::filled(1.3), 0.3};
  const std::vector<Solid<D>> solids{{plate, plate, {}}, {ball, ball, {}}};
  const auto is_out = [&](const Vec<double, D>& x) { return ball.distance(x * h) > 0; };
  std::vector<std::uint8_t> keep;
  for (const std::uint64_t id : p.id) keep.push_back(is_out(places[id]));
  keep_particles(ex, p, keep);
  const std::int64_t count = p.size();
  for (int k = 0; k < 12; ++k) {
    put_on(ex, p, all);
    EXPECT_EQ(move_particles<D>(ex, p, u, {}, solids, h, 0.1, {}), 0);
    sort_particles(ex, p);
    ASSERT_EQ(p.size(), count);
    for (const Vec<double, D>& x : places_of(p)) {
      if (x[0] > 1e8) continue;
      ASSERT_LT(x[0] * h, 2.0);
      ASSERT_TRUE(is_out(x));
      for (int a = 0; a < D; ++a) ASSERT_TRUE(x[a] > 0 && x[a] < 32);
    }
  }
  double mean = 0;  // they have slid down along the plate
  for (const Vec<double, D>& x : places_of(p)) mean += x[0] > 1e8 ? 0 : x[1] / double(count);
  EXPECT_LT(mean, 7);
}

// A plate that comes six cells a step sweeps all before it.
TYPED_TEST(MoveParticles, AreSweptByAMovingSolid) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(64)}, Side::open);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  const MacField<float, D> still(ex, all);
  std::vector<Vec<double, D>> places;
  for (std::uint64_t k = 0; k < 500; ++k) {
    Rng rng(2, k);
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = double(rng.uniform(10, a == 0 ? 40 : 30));
    places.push_back(x);
  }
  ParticleSet<D> p = particles_at<D>(ex, domain, places);
  const auto plate = [](double x) {
    BoxShape<D> box{Vec<double, D>::filled(-100), Vec<double, D>::filled(100)};
    box.min[0] = x - 0.4;
    box.max[0] = x;
    return Shape<D>(box);
  };
  RigidVelocity<D> forward{};
  forward.at_origin[0] = 6;
  for (int k = 0; k < 5; ++k) {
    const double x = 9 + 6 * k;
    put_on(ex, p, all);
    const std::vector<Solid<D>> solids{{plate(x), plate(x + 6), forward}};
    EXPECT_EQ(move_particles<D>(ex, p, still, {}, solids, 1, 1, {}), 0);
    sort_particles(ex, p);
    const std::vector<Vec<double, D>> now = places_of(p);
    for (std::size_t i = 0; i < now.size(); ++i) {
      ASSERT_GT(now[i][0], x + 6);
      if (places[i][0] > x + 7) {
        EXPECT_EQ(now[i][0], places[i][0]) << "not met yet";
      }
    }
  }
  for (std::size_t i = 0; i < std::size_t(p.size()); ++i) EXPECT_GE(p.velocity[0][i], 0);
}

TYPED_TEST(MoveParticles, LeaveThroughOpenSidesAlone) {
  constexpr int D = TypeParam::value;
  Exec ex;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  domain.sides[0][1] = Side::open;
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  MacField<float, D> u(ex, all);
  u[0].fill(ex, 3);
  Vec<double, D> near = Vec<double, D>::filled(15), far = Vec<double, D>::filled(5);
  ParticleSet<D> p = particles_at<D>(ex, domain, {near, far, near});
  put_on(ex, p, all);
  EXPECT_EQ(move_particles<D>(ex, p, u, {}, {}, 1, 1, {}), 2);
  ASSERT_EQ(p.size(), 1);
  EXPECT_EQ(p.id[0], 1u);
}

}  // namespace
}  // namespace whorl
