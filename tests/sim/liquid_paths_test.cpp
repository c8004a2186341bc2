// The liquid between two frames.
#include "sim/liquid_paths.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

// Cells of 0.1 m from (10, 0, 0) on; periodic along z.
GridLayout<3> layout() {
  GridLayout<3> grid;
  grid.origin = {10, 0, 0};
  grid.cell_size = 0.1;
  grid.domain = box_domain<3>({{}, Coord<3>::filled(32)}, Side::wall);
  grid.domain.sides[2] = {Side::periodic, Side::periodic};
  return grid;
}

struct Seen {
  Point place;  // m, from the domain's corner
  Vec<float, 3> velocity;
  float rate;
};

// A particle half a second after `earlier`, a second before `later`.
Seen half_way(const WhitewaterSource& earlier, const WhitewaterSource& later) {
  Exec ex;
  LiquidPaths paths(ex, layout(), earlier, later, 1);
  paths.go_to(ex, 0.25);
  paths.go_to(ex, 0.5);
  const ParticleSet<3>& p = paths.liquid();
  EXPECT_EQ(p.size(), 1);
  Seen seen{{}, {}, paths.rates(ex)[0]};
  for (int a = 0; a < 3; ++a) {
    seen.place[a] = 0.1 * (p.topology->tiles()[0][a] * tile_side + double(p.position[std::size_t(a)][0]));
    seen.velocity[a] = p.velocity[std::size_t(a)][0];
  }
  return seen;
}

WhitewaterSource particle(const Point& place, const Vec<float, 3>& velocity, std::uint64_t id, float rate) {
  return {{{place}, {velocity}, {id}, {}}, {rate}};
}

// Thrown up: the cubic is the parabola.
TEST(LiquidPaths, FollowAThrow) {
  const Seen seen =
      half_way(particle({11, 1, 1}, {0.2f, 0.5f, 0}, 7, 10), particle({11.2, 1, 1}, {0.2f, -0.5f, 0}, 7, 20));
  EXPECT_NEAR(seen.place[0], 1.1, 1e-5);
  EXPECT_NEAR(seen.place[1], 1 + 0.5 * 0.5 - 0.5 * 0.25, 1e-5);
  EXPECT_NEAR(seen.velocity[0], 0.2, 1e-6);
  EXPECT_NEAR(seen.velocity[1], 0, 1e-6);
  EXPECT_NEAR(seen.rate, 15, 1e-5);
}

TEST(LiquidPaths, GoRoundAPeriod) {
  const Seen seen =
      half_way(particle({11, 1, 3.15}, {0, 0, 0.2f}, 7, 0), particle({11, 1, 0.15}, {0, 0, 0.2f}, 7, 0));
  EXPECT_NEAR(seen.place[2], 0.05, 1e-5);
}

// New ones, and those that were put elsewhere, come the way that their velocity says.
TEST(LiquidPaths, ComeStraightFromNowhere) {
  for (const std::uint64_t id : {7, 8}) {
    const Seen seen =
        half_way(particle({11, 1, 1}, {0.2f, 0, 0}, 7, 10), particle({12, 2, 1}, {0.2f, 0, 0}, id, 20));
    EXPECT_NEAR(seen.place[0], 1.9, 1e-5) << id;
    EXPECT_NEAR(seen.place[1], 2, 1e-5) << id;
    EXPECT_NEAR(seen.rate, 20, 1e-5) << id;
  }
}

TEST(LiquidPaths, StayWithinWalls) {
  const Seen seen =
      half_way(particle({10.001, 1, 1}, {-3, 0, 0}, 7, 0), particle({10.001, 1, 1}, {3, 0, 0}, 7, 0));
  EXPECT_GE(seen.place[0], 0);
  EXPECT_LT(seen.place[0], 0.01);
}

}  // namespace
}  // namespace whorl
