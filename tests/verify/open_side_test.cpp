// Water that passes open sides, against outside answers: flow over a bump, and a wave that leaves.
#include "solvers/liquid.h"

#include "stages/particle_surface.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {
namespace {

constexpr double g = 9.81;

// How high the surface stands over each cell along x, in metres.
std::vector<double> surface_heights(Exec& ex, const LiquidState<2>& s, double h) {
  const Field<float, 2> phi = surface_from_particles(ex, s.particles, h);
  const Box<2>& cells = s.particles.topology->domain().cells;
  std::vector<double> heights;
  for (int i = 0; i < cells.hi[0]; ++i) {
    int j = cells.hi[1] - 1;
    while (j > 0 && !(phi.get({i, j}) < 0)) --j;
    const double lo = double(phi.get({i, j})), hi = double(phi.get({i, j + 1}));
    heights.push_back((j + 0.5 + lo / (lo - hi)) * h);
  }
  return heights;
}

LiquidParams<2> params_of(int cells_a_metre) {
  LiquidParams<2> p;
  p.h = 1. / cells_a_metre;
  p.gravity = {0, -g};
  p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
  return p;
}

// Along a stream without losses, depth + q² / (2 g depth²) + bed is the same everywhere (Bernoulli): over a
// bump, water that flows slower than its waves stands lower. The depth over the crest is a root of a cubic.
TEST(OpenSides, WaterDipsOverABump) {
  constexpr int n = 32;  // at 48 the flow separates behind the bump and loses head
  constexpr double length = 6, depth = 0.4, speed = 0.8, bump = 0.08, half = 2;
  constexpr double q = depth * speed, head = depth + speed * speed / (2 * g) - bump;
  double crest = depth - bump;  // Newton's method, from the slower root's side
  for (int k = 0; k < 50; ++k)
    crest -= (crest + q * q / (2 * g * crest * crest) - head) / (1 - q * q / (g * std::pow(crest, 3)));
  const double dip = depth - (crest + bump);

  Exec ex({.threads = 1});
  LiquidParams<2> p = params_of(n);
  Domain<2> domain = box_domain<2>({{}, {int(length) * n, 5 * n / 8}}, Side::wall);
  domain.sides[0] = {Side::inflow, Side::water};
  domain.sides[1][1] = Side::open;
  p.water_level[0] = {depth, depth};
  SideInflow<2> inflow{{0, false}, depth, {}};
  inflow.velocity.assign(std::size_t(faces_of(domain, inflow.side).volume()), {float(speed), 0.f});
  p.inflow.velocity[0][0] = {float(speed), 0.f};
  p.inflows = {inflow};
  const double radius = (half * half + bump * bump) / (2 * bump);
  const SphereShape<2> mound{{length / 2, bump - radius}, radius};
  p.solids = {{mound, mound, {}}};
  NewParticles<2> water = seed_particles<2>(BoxShape<2>{{-1, -1}, {length + 1, depth}}, domain.cells, p.h),
                  wet;
  for (const Vec<double, 2>& x : water.position) {
    if (Shape<2>(mound).distance(x * p.h) < 0.02 * p.h) continue;
    wet.position.push_back(x);
    wet.velocity.push_back({float(speed), 0.f});
  }
  LiquidState<2> s = make_liquid<2>(ex, domain, wet, p.transfer);
  std::vector<double> mean(std::size_t(domain.extent(0)), 0);
  std::int64_t in = 0, out = 0;
  int samples = 0;
  while (s.time < 24) {
    const double before = s.time;
    ASSERT_TRUE(step(ex, s, p, step_length(ex, s, p, 2, 1. / 60)).converged);
    if (before < 12 && s.time >= 12) {
      in = s.injected;
      out = s.drained;
    }
    if (s.time < 12) continue;
    const std::vector<double> now = surface_heights(ex, s, p.h);
    for (std::size_t i = 0; i < now.size(); ++i) mean[i] += now[i];
    ++samples;
  }
  const auto level = [&](double from, double to) {  // over cells from x to x
    double sum = 0;
    for (int i = int(from * n); i < int(to * n); ++i) sum += mean[std::size_t(i)] / samples;
    return sum / (int(to * n) - int(from * n));
  };
  const double before = level(0.3, 0.9), over = level(2.9, 3.1), after = level(5.1, 5.7);
  const double through = double(s.drained - out) / double(s.injected - in);
  std::printf("bump: dips by %.4f m, theory %.4f; before %.4f, after %.4f of %.2f m; out/in %.4f\n",
              before - over, dip, before, after, depth, through);
  EXPECT_NEAR(before - over, dip, 0.2 * dip);
  EXPECT_NEAR(after, depth, 0.5 * p.h);
  EXPECT_NEAR(before, depth, 0.5 * p.h);
  EXPECT_NEAR(through, 1, 0.02);
}

// A solitary wave goes out by a side with water beyond: what comes back of it, as a part of its height.
TEST(OpenSides, WavesLeave) {
  constexpr int n = 24;
  constexpr double length = 10, depth = 0.4, height = 0.08, start = 4;
  const double k = std::sqrt(0.75 * height / (depth * depth * depth)),
               speed = std::sqrt(g * (depth + height));
  Exec ex({.threads = 1});
  const auto extremes = [&](Side end) {
    LiquidParams<2> p = params_of(n);
    Domain<2> domain = box_domain<2>({{}, {int(length) * n, 20}}, Side::wall);
    domain.sides[0][1] = end;
    domain.sides[1][1] = Side::open;
    p.water_level[0] = {depth, depth};
    NewParticles<2> wave;
    for (const Vec<double, 2>& x :
         seed_particles<2>(BoxShape<2>{{-1, -1}, {length + 1, 1}}, domain.cells, p.h).position) {
      const double eta = height / std::pow(std::cosh(k * (x[0] * p.h - start)), 2);
      if (x[1] * p.h > depth + eta) continue;
      wave.position.push_back(x);
      wave.velocity.push_back({float(speed * eta / (depth + eta)), 0.f});
    }
    LiquidState<2> s = make_liquid<2>(ex, domain, wave, p.transfer);
    const double back = (length - start + length / 2) / speed;  // to the middle, if it came back
    while (s.time < back) EXPECT_TRUE(step(ex, s, p, step_length(ex, s, p, 2, 1. / 60)).converged);
    const std::vector<double> heights = surface_heights(ex, s, p.h);
    double lowest = 0, highest = 0;
    for (int i = n; i < int(length - 1) * n; ++i) {
      double mean = 0;  // over half a metre
      for (int m = -n / 4; m <= n / 4; ++m) mean += heights[std::size_t(i + m)] / (n / 4 * 2 + 1);
      lowest = std::min(lowest, mean - depth);
      highest = std::max(highest, mean - depth);
    }
    return Vec<double, 2>{lowest / height, highest / height};
  };
  const Vec<double, 2> at_wall = extremes(Side::wall), open = extremes(Side::water);
  std::printf("a solitary wave comes back: from a wall %+.3f, through an open side %+.3f and %+.3f\n",
              at_wall[1], open[0], open[1]);
  EXPECT_GT(at_wall[1], 0.7);
  EXPECT_LT(open[1], 0.15);
  EXPECT_GT(open[0], -0.15);
}

}  // namespace
}  // namespace whorl
