// Air that blows along a channel at an angle to the grid: the walls let it pass as if they were not there.
#include "solvers/smoke.h"
#include "stages/box_cells.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

struct Deviation {
  double mean, worst;  // of the velocity, in parts of the wind
};

// After the air has gone through the channel once.
Deviation deviation(double degrees, WallMode walls) {
  Exec ex;
  const int n = 128;
  const double angle = degrees * M_PI / 180, width = 0.3, h = 1. / n;
  const Vec<float, 2> wind{float(std::cos(angle)), float(std::sin(angle))};
  const Shape<2> channel = TransformShape<2>{
      {BoxShape<2>{{-5, -width / 2}, {5, width / 2}}}, {0.5, 0.5}, Angles<2>{degrees}, 1};
  const Shape<2> solid = ComplementShape<2>{{channel}};
  SmokeParams<2> p;
  p.h = h;
  p.sparse = false;
  p.walls = walls;
  p.projection.solve.relative = 1e-7;
  p.solids = {{solid, solid, {}}};
  SmokeState<2> s = make_smoke<2>(
      ex, Topology<2>::of_box(ex, box_domain<2>({{}, Coord<2>::filled(n)}, Side::open)), wind);
  for (double t = 0; t < 1.2; t += 1.5 * h) EXPECT_TRUE(step(ex, s, p, 1.5 * h).pressure.converged);
  Deviation d{};
  double count = 0;
  for (int a = 0; a < 2; ++a)
    for_each_coord(Box<2>{Coord<2>::filled(8), Coord<2>::filled(n - 8)}, [&](const Coord<2>& c) {
      if (channel.distance(sample_place(c, a, h)) > -h) return;
      const double off = std::abs(double(s.velocity[a].get(c)) - wind[a]);
      d.mean += off, count += 1;
      d.worst = std::max(d.worst, off);
    });
  d.mean /= count;
  std::printf("%s walls at %.0f degrees: off by %.2g of the wind on average, %.2g at worst\n",
              walls == WallMode::cut ? "cut" : "voxel", degrees, d.mean, d.worst);
  return d;
}

TEST(Channel, FlowFollowsTiltedWalls) {
  for (const double degrees : {0., 20., 33., 45.}) {
    const Deviation d = deviation(degrees, WallMode::cut);
    EXPECT_LE(d.mean, 1e-5);
    EXPECT_LE(d.worst, 1e-4);
  }
}

// Stairs hold it back.
TEST(Channel, StairsDisturbIt) { EXPECT_GT(deviation(20, WallMode::voxel).worst, 0.1); }

}  // namespace
}  // namespace whorl
