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

// By chance: from and to along the first axis, and along the others.
template <int D>
std::vector<Vec<double, D>> random_places(std::uint64_t seed, std::size_t count, const Vec<float, 2>& first,
                                          const Vec<float, 2>& others) {
  std::vector<Vec<double, D>> places(count);
  for (std::size_t k = 0; k < count; ++k) {
    Rng rng(seed, k);
    for (int a = 0; a < D; ++a) {
      const Vec<float, 2>& range = a == 0 ? first : others;
      places[k][a] = double(rng.uniform(range[0], range[1]));
    }
  }
  return places;
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
  const std::vector<Vec<double, D>> places = random_places<D>(1, 2000, {0.1f, 8}, {0.1f, 31.9f});
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
  const std::vector<Vec<double, D>> places = random_places<D>(2, 500, {10, 40}, {10, 30});
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
    // Those that were met go as fast as the plate, the others rest.
    int met = 0;
    for (std::size_t i = 0; i < std::size_t(p.size()); ++i) {
      const double at = places[p.id[i]][0];
      if (at > x + 5.9 && at < x + 6.1) continue;
      met += at < x + 6;
      EXPECT_NEAR(double(p.velocity[0][i]), at < x + 6 ? 6 : 0, 1e-6);
      for (std::size_t a = 1; a < D; ++a) EXPECT_NEAR(double(p.velocity[a][i]), 0, 1e-6);
    }
    EXPECT_GT(met, 50);
  }
}

// Whoever is taken over several tiles in a step arrives, and no other is moved.
TYPED_TEST(MoveParticles, GoAsFarAsASolidTakesThem) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(96)}, Side::open);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  const MacField<float, D> still(ex, all);
  const std::vector<Vec<double, D>> places = random_places<D>(3, 200, {2, 90}, {2, 30});
  ParticleSet<D> p = particles_at<D>(ex, domain, places);
  p.others.push_back(ex.buffer<float>(std::size_t(p.size())));
  for (std::size_t i = 0; i < std::size_t(p.size()); ++i) p.others[0][i] = float(p.id[i]);
  put_on(ex, p, all);
  BoxShape<D> plate{Vec<double, D>::filled(-100), Vec<double, D>::filled(100)};
  plate.min[0] = 0.5;
  plate.max[0] = 1;
  RigidVelocity<D> velocity;
  Vec<double, D> way{};
  way[0] = 60;
  way[1] = 40;  // along itself: no matter
  velocity.at_origin = way * 10.;
  const std::vector<Solid<D>> solids{{PosedShape<D>{{plate}, {}}, PosedShape<D>{{plate}, way}, velocity}};
  EXPECT_EQ(move_particles<D>(ex, p, still, {}, solids, 1, 0.1, {}), 0);
  sort_particles(ex, p);
  ASSERT_EQ(p.others.size(), 1u);
  const std::vector<Vec<double, D>> now = places_of(p);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (places[i][0] > 61.1) {
      EXPECT_LT(length(now[i] - places[i]), 1e-5);
    } else {
      EXPECT_GT(now[i][0], 61);
      EXPECT_LT(now[i][0], 61.1);
      EXPECT_NEAR(now[i][1], places[i][1], 1e-4);
    }
    EXPECT_EQ(p.others[0][i], float(p.id[i]));
  }
}

// Plates round a room, each a solid of its own, turned by much in every step about a place far away; in it a
// flow that goes anywhere.
TYPED_TEST(MoveParticles, StayInARoomThatTurns) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const double h = 0.5, half = 3, wall = 0.25;  // half a cell thick
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(64)}, Side::open);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  MacField<float, D> u(ex, all);
  for (int a = 0; a < D; ++a)
    for (std::size_t i = 0; i < std::size_t(all->tile_count()) * tile_cells<D>; ++i)
      u[a].data()[i] = Rng(4, i * 3 + std::uint64_t(a)).uniform(-20, 20);
  std::vector<Shape<D>> plates;
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1}) {
      BoxShape<D> plate{Vec<double, D>::filled(-half - wall), Vec<double, D>::filled(half + wall)};
      (high ? plate.min : plate.max)[a] = high ? half : -half;
      plates.push_back(plate);
    }
  const auto pose = [&](int step) {
    PosedShape<D> posed;
    Angles<D> angles{};
    angles[D * (D - 1) / 2 - 1] = 25 * step;
    posed.turn = rotation<D>(angles);
    posed.translate = Vec<double, D>::filled(16) + posed.turn.apply(Vec<double, D>::unit(0, 6));
    return posed;
  };
  const double dt = 0.1, spin = 25 * std::numbers::pi / 180 / dt;
  std::vector<Vec<double, D>> places = random_places<D>(5, 500, {-2.9f, 2.9f}, {-2.9f, 2.9f});
  for (Vec<double, D>& x : places) x = (pose(0).turn.apply(x) + pose(0).translate) * (1 / h);
  ParticleSet<D> p = particles_at<D>(ex, domain, places);
  for (int k = 0; k < 20; ++k) {
    std::vector<Solid<D>> solids;
    for (const Shape<D>& plate : plates) {
      PosedShape<D> from = pose(k), to = pose(k + 1);
      from.parts = to.parts = {plate};
      Solid<D> solid{from, to, {}};
      solid.velocity.gradient[0][1] = spin;
      solid.velocity.gradient[1][0] = -spin;
      solid.velocity.at_origin =
          (to.translate - from.translate) * (1 / dt) -
          (solid.velocity.gradient[0] * to.translate[0] + solid.velocity.gradient[1] * to.translate[1]);
      solids.push_back(solid);
    }
    put_on(ex, p, all);
    EXPECT_EQ(move_particles<D>(ex, p, u, {}, solids, h, dt, {}), 0);
    sort_particles(ex, p);
    ASSERT_EQ(p.size(), std::int64_t(places.size()));
    double nearest = 1;
    for (const Vec<double, D>& x : places_of(p)) {
      const Vec<double, D> at = pose(k + 1).turn.apply_inverse(x * h - pose(k + 1).translate);
      for (int a = 0; a < D; ++a) nearest = std::min(nearest, half - std::abs(at[a]));
    }
    ASSERT_GT(nearest, 0) << "after step " << k;
  }
}

// A piston comes towards a wall of the domain, and another piston towards it, all square but for one that is
// aslant: whatever is between them stays there.
TYPED_TEST(MoveParticles, StayBetweenSolidsThatMeet) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  const TopologyPtr<D> all = Topology<D>::of_box(ex, domain);
  MacField<float, D> u(ex, all);
  u[0].fill(ex, 2);
  const std::vector<Vec<double, D>> places = random_places<D>(6, 300, {6, 20}, {1, 31});
  ParticleSet<D> p = particles_at<D>(ex, domain, places);
  BoxShape<D> left{Vec<double, D>::filled(-50), Vec<double, D>::filled(50)};
  left.max[0] = 0;
  left.min[0] = -0.3;
  PlaneShape<D> aslant;
  aslant.normal = Vec<double, D>::unit(0, -1);
  aslant.normal[1] = 0.2;
  const auto solid = [](const Shape<D>& shape, double from, double way) {
    Vec<double, D> before{}, after{};
    before[0] = from;
    after[0] = from + way;
    RigidVelocity<D> velocity;
    velocity.at_origin[0] = way;
    return Solid<D>{PosedShape<D>{{shape}, before}, PosedShape<D>{{shape}, after}, velocity};
  };
  for (int k = 0; k < 4; ++k) {
    const std::vector<Solid<D>> solids{solid(left, 5 + 2 * k, 2), solid(aslant, 30 - k, -1)};
    put_on(ex, p, all);
    EXPECT_EQ(move_particles<D>(ex, p, u, {}, solids, 1, 1, {}), 0);
    sort_particles(ex, p);
    for (const Vec<double, D>& x : places_of(p)) {
      ASSERT_GT(x[0], 7 + 2 * k);
      for (const Solid<D>& s : solids) ASSERT_GT(s.shape.distance(x), 0) << x;
      for (int a = 0; a < D; ++a) ASSERT_TRUE(x[a] > 0 && x[a] < 32);
    }
  }
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
