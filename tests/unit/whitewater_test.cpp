// Spray, foam and bubbles: where liquid gives them off, what they are, how they move and end.
#include "stages/whitewater.h"

#include "base/rng.h"
#include "stages/air_potentials.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace whorl {
namespace {

using Point = Vec<double, 3>;
using Velocity = Vec<float, 3>;

ParticleSet<3> liquid_of(Exec& ex, const std::vector<Point>& places, const std::vector<Velocity>& velocities,
                         const Domain<3>& domain = {}) {
  ParticleSet<3> p;
  add_particles(ex, p, domain, {places, velocities});
  return p;
}

// Eight a cell in the shape, in cells, with a velocity by the place.
ParticleSet<3> liquid_in(Exec& ex, const Shape<3>& shape, const std::function<Point(const Point&)>& velocity,
                         const Domain<3>& domain = {}) {
  NewParticles<3> made = seed_particles<3>(shape, {Coord<3>::filled(-16), Coord<3>::filled(32)}, 1);
  for (std::size_t i = 0; i < made.position.size(); ++i)
    made.velocity[i] = convert<float>(velocity(made.position[i]));
  ParticleSet<3> p;
  add_particles(ex, p, domain, made);
  return p;
}

// Specks as they are when they are new, of one kind.
ParticleSet<3> specks_of(Exec& ex, WhitewaterKind kind, const std::vector<Point>& places,
                         const Velocity& velocity, const Domain<3>& domain = {}) {
  ParticleSet<3> p;
  p.others.resize(speck_columns);
  add_particles(ex, p, domain, {places, std::vector<Velocity>(places.size(), velocity)});
  for (std::int64_t i = 0; i < p.size(); ++i) p.others[speck_kind][std::size_t(i)] = float(kind);
  return p;
}

Point place(const ParticleSet<3>& p, std::size_t i) {
  int tile = 0;
  while (p.tile_end(tile) <= i) ++tile;
  Point x;
  for (int a = 0; a < 3; ++a)
    x[a] =
        double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side + double(p.position[std::size_t(a)][i]);
  return x;
}

float of_id(const ParticleSet<3>& p, const Buffer<float>& values, std::uint64_t id) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (p.id[i] == id) return values[i];
  ADD_FAILURE() << "no particle " << id;
  return 0;
}

// Half a cell from each other, W = 1/2.
TEST(AirPotentials, TrappedAirOfTwo) {
  Exec ex;
  const auto trapped = [&](const Velocity& first, const Velocity& second) {
    const ParticleSet<3> p = liquid_of(ex, {{4, 4, 4}, {4.5, 4, 4}}, {first, second});
    const AirPotentials found = air_potentials(ex, p, 0);
    EXPECT_NEAR(of_id(p, found.trapped_air, 0), of_id(p, found.trapped_air, 1), 1e-6);
    return of_id(p, found.trapped_air, 0);
  };
  EXPECT_NEAR(trapped({3, 0, 0}, {-3, 0, 0}), 6 * 2 * 0.5, 1e-5);  // at each other
  EXPECT_NEAR(trapped({-3, 0, 0}, {3, 0, 0}), 0, 1e-5);            // apart
  EXPECT_NEAR(trapped({0, 3, 0}, {0, -3, 0}), 6 * 1 * 0.5, 1e-5);  // past each other
  EXPECT_NEAR(trapped({5, 5, 5}, {5, 5, 5}), 0, 1e-5);             // together
}

TEST(AirPotentials, SlowOnesHaveNone) {
  Exec ex;
  const ParticleSet<3> p = liquid_of(ex, {{4, 4, 4}, {4.5, 4, 4}}, {{3, 0, 0}, {-1, 0, 0}});
  const AirPotentials found = air_potentials(ex, p, 2);
  EXPECT_NEAR(of_id(p, found.trapped_air, 0), 4, 1e-5);
  EXPECT_EQ(of_id(p, found.trapped_air, 1), 0);
}

// The normals of two particles point away from each other: (1 + 1) W where one moves along its own.
TEST(AirPotentials, WaveCrestOfTwo) {
  Exec ex;
  const auto crest = [&](const Velocity& first) {
    const ParticleSet<3> p = liquid_of(ex, {{4, 4, 4}, {4.5, 4, 4}}, {first, {0, 0, 0}});
    return of_id(p, air_potentials(ex, p, 0).wave_crest, 0);
  };
  EXPECT_NEAR(crest({-2, 0, 0}), 1, 1e-5);
  EXPECT_NEAR(crest({-0.61f, 0.7924f, 0}), 1, 1e-5);
  EXPECT_EQ(crest({-0.59f, 0.8074f, 0}), 0);
  EXPECT_EQ(crest({2, 0, 0}), 0);
}

// A flat surface has no crest, a ridge has one, and a hollow has none however sharp.
TEST(AirPotentials, CrestsAreConvex) {
  Exec ex;
  const auto highest = [&](const ParticleSet<3>& p, const std::function<bool(const Point&)>& within) {
    const AirPotentials found = air_potentials(ex, p, 0);
    float most = 0;
    for (std::size_t i = 0; i < std::size_t(p.size()); ++i)
      if (within(place(p, i))) most = std::max(most, found.wave_crest[i]);
    return most;
  };
  const auto up = [](const Point&) { return Point{0, 1, 0}; };
  const auto middle = [](const Point& x) { return std::abs(x[0] - 4) < 2 && std::abs(x[2] - 4) < 2; };
  const ParticleSet<3> flat = liquid_in(ex, Shape<3>(BoxShape<3>{{0, 0, 0}, {8, 4, 8}}), up);
  EXPECT_LT(highest(flat, middle), 0.4);  // particles are not in rows
  const Point centre{4, 4, 4};
  const auto outwards = [&](const Point& x) { return normalised(x - centre); };
  const auto inwards = [&](const Point& x) { return normalised(centre - x); };
  const auto everywhere = [](const Point&) { return true; };
  const Shape<3> ball(SphereShape<3>{centre, 1.2});
  EXPECT_GT(highest(liquid_in(ex, ball, outwards), everywhere), 1);
  EXPECT_EQ(highest(liquid_in(ex, ball, inwards), everywhere), 0);
  const ParticleSet<3> hollow = liquid_in(
      ex, Shape<3>(DifferenceShape<3>{{Shape<3>(BoxShape<3>{{0, 0, 0}, {8, 8, 8}}), ball}}), inwards);
  EXPECT_LT(highest(hollow, [&](const Point& x) { return length(x - centre) < 2.5; }), 0.6);
}

// Deep inside are more than 20 others within a cell, at a flat surface fewer, above it few or none.
TEST(Whitewater, IsWhatLiquidIsRoundIt) {
  Exec ex;
  Rng rng(1, 2);
  const ParticleSet<3> liquid = liquid_in(ex, Shape<3>(BoxShape<3>{{0, 0, 0}, {8, 6, 8}}), [](const Point&) {
    return Point{1, 2, 3};
  });
  std::vector<Point> inside, surface, above;
  for (int k = 0; k < 200; ++k) {
    const double x = double(rng.uniform(2, 6)), z = double(rng.uniform(2, 6));
    inside.push_back({x, double(rng.uniform(2, 5)), z});
    surface.push_back({x, double(rng.uniform(6, 6.2f)), z});
    above.push_back({x, double(rng.uniform(6.8f, 8)), z});
  }
  const auto kinds = [&](const std::vector<Point>& places, WhitewaterKind kind) {
    ParticleSet<3> specks = specks_of(ex, WhitewaterKind::spray, places, {0, 0, 0});
    look_round_whitewater(ex, specks, liquid);
    int count = 0;
    for (std::size_t i = 0; i < std::size_t(specks.size()); ++i) {
      count += specks.others[speck_kind][i] == float(kind);
      if (specks.others[speck_kind][i] == 0) continue;
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(specks.others[speck_flow + std::size_t(a)][i], float(a + 1), 1e-5);
    }
    return count;
  };
  EXPECT_EQ(kinds(inside, WhitewaterKind::bubble), 200);
  EXPECT_GT(kinds(surface, WhitewaterKind::foam), 190);
  EXPECT_EQ(kinds(above, WhitewaterKind::spray), 200);
}

// A mean of rate · dt each, whether that is a part of a speck or more than two; round the way come, no
// farther out than half the distance between particles.
TEST(Whitewater, AsManyAsTheRateSays) {
  Exec ex;
  const ParticleSet<3> liquid = liquid_in(ex, Shape<3>(BoxShape<3>{{0, 0, 0}, {8, 8, 8}}), [](const Point&) {
    return Point{2, 0, 0};
  });
  const double h = 0.1, dt = 0.01;
  for (const double rate : {13., 250.}) {
    const std::vector<float> rates(std::size_t(liquid.size()), float(rate));
    ParticleSet<3> specks;
    for (std::uint64_t step = 0; step < 20; ++step)
      emit_whitewater(ex, specks, liquid, rates, {}, {.h = h}, dt, step);
    const double tries = double(liquid.size()) * 20, mean = rate * dt, part = mean - std::floor(mean);
    EXPECT_NEAR(double(specks.size()), tries * mean, 4 * std::sqrt(tries * part * (1 - part)));
  }
  const ParticleSet<3> one = liquid_of(ex, {{4, 4, 4}}, {{2, 0, 0}});
  ParticleSet<3> specks;
  emit_whitewater(ex, specks, one, std::vector<float>{2e5f}, {}, {.h = h, .radius = 0.01}, dt, 1);
  ASSERT_NEAR(double(specks.size()), 2000, 1);
  double least = 0, widest = 0, radius = 0;
  Point sum{};
  for (std::size_t i = 0; i < std::size_t(specks.size()); ++i) {
    const Point d = place(specks, i) - Point{4, 4, 4};
    EXPECT_LE(d[0], 1e-6);
    least = std::min(least, d[0]);
    widest = std::max(widest, std::hypot(d[1], d[2]));
    radius += double(specks.others[speck_radius][i]) / 2000;
    sum = sum + d * (1. / 2000);
  }
  EXPECT_NEAR(least, -0.2, 0.01);
  EXPECT_NEAR(widest, 0.25, 0.01);
  EXPECT_NEAR(sum[0], -0.1, 0.01);
  EXPECT_NEAR(sum[1], 0, 0.01);
  EXPECT_NEAR(radius, 0.01, 2e-4);
}

// The rate is I_k (k_ta I_ta + k_wc I_wc).
TEST(Whitewater, RatesComeFromThePotentials) {
  Exec ex;
  const ParticleSet<3> p = liquid_of(ex, {{4, 4, 4}, {4.5, 4, 4}}, {{2, 0, 0}, {-2, 0, 0}});
  WhitewaterParams params;
  params.speed = {1, 3};
  params.trapped_air = {2, 6};  // of 4
  params.wave_crest = {0, 1};
  params.trapped_air_rate = 16;
  params.wave_crest_rate = 100;  // no crest: the two move against their normals
  EXPECT_NEAR(of_id(p, whitewater_rates(ex, p, params), 0), (4. - 1) / (9 - 1) * 16 * 0.5, 1e-4);
}

TEST(Whitewater, LiquidAtRestMakesNone) {
  Exec ex;
  for (const double speed : {0., 5.}) {  // still, and going all one way
    const ParticleSet<3> p = liquid_in(ex, Shape<3>(BoxShape<3>{{0, 0, 0}, {8, 4, 8}}), [=](const Point&) {
      return Point{speed, 0, 0};
    });
    const Buffer<float> rates = whitewater_rates(ex, p, {.wave_crest_rate = 0});
    for (const float rate : rates) EXPECT_EQ(rate, 0);
  }
}

TEST(Whitewater, SprayFliesInAParabola) {
  Exec ex;
  const double h = 0.1, dt = 0.01, t = 0.2;
  for (const double drag : {0., 3.}) {
    ParticleSet<3> p = specks_of(ex, WhitewaterKind::spray, {{4, 4, 4}}, {2, 5, 0});
    for (int step = 0; step < 20; ++step) move_whitewater(ex, p, {}, {.h = h, .spray_drag = drag}, dt);
    ASSERT_EQ(p.size(), 1);
    // x = x0 + v (1 - e^-kt) / k + g (t - (1 - e^-kt) / k) / k
    const double kept = drag > 0 ? (1 - std::exp(-drag * t)) / drag : t;
    const double fall = drag > 0 ? (t - kept) / drag : 0.5 * t * t;
    const Point x = place(p, 0) * h;
    EXPECT_NEAR(x[0], 0.4 + 2 * kept, 1e-5);
    EXPECT_NEAR(x[1], 0.4 + 5 * kept - 9.81 * fall, 1e-5);
    EXPECT_NEAR(x[2], 0.4, 1e-5);
    EXPECT_NEAR(p.others[speck_age][0], t, 1e-5);
  }
}

// Against liquid that flows at 0.5 m/s, bubbles rise by b g / c, however long the steps.
TEST(Whitewater, BubblesRiseAtTheirTerminalSpeed) {
  Exec ex;
  for (const double dt : {0.002, 0.02}) {
    ParticleSet<3> p = specks_of(ex, WhitewaterKind::bubble, {{4, 4, 4}}, {0, 0, 0});
    p.others[speck_flow][0] = 0.5f;
    const WhitewaterParams params{.h = 0.1, .buoyancy = 2, .bubble_drag = 60};
    for (int step = 0; step < int(0.4 / dt + 0.5); ++step) move_whitewater(ex, p, {}, params, dt);
    EXPECT_NEAR(p.velocity[0][0], 0.5, 1e-4);
    EXPECT_NEAR(p.velocity[1][0], 2 * 9.81 / 60, 1e-4);
    // From rest, it is behind by its terminal speed over c.
    EXPECT_NEAR(place(p, 0)[1] * 0.1, 0.4 + 2 * 9.81 / 60 * (0.4 - 1. / 60), 1e-4);
  }
}

TEST(Whitewater, FoamEndsAndNothingElse) {
  Exec ex;
  std::vector<Point> places;
  for (int k = 0; k < 1000; ++k) places.push_back({4, 4 + 0.001 * k, 4});
  const WhitewaterParams params{.h = 0.1, .gravity = {}, .lifetime = {1, 2}};
  for (const WhitewaterKind kind : {WhitewaterKind::spray, WhitewaterKind::foam, WhitewaterKind::bubble}) {
    ParticleSet<3> p = specks_of(ex, kind, places, {0, 0, 0});
    const auto after = [&](double seconds) {
      for (int step = 0; step < int(seconds * 100 + 0.5); ++step) move_whitewater(ex, p, {}, params, 0.01);
      return p.size();
    };
    const bool foam = kind == WhitewaterKind::foam;
    EXPECT_EQ(after(0.98), 1000);
    EXPECT_NEAR(double(after(0.52)), foam ? 500 : 1000, foam ? 60 : 0);
    EXPECT_EQ(after(0.52), foam ? 0 : 1000);
  }
}

// Foam goes with the flow and stops at a wall and a solid; spray ends there; through an open side all leave.
TEST(Whitewater, WallsAndSolidsStopIt) {
  Exec ex;
  Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(16)}, Side::wall);
  domain.sides[0][1] = Side::open;
  const Shape<3> block(BoxShape<3>{{-1, 8, -1}, {17, 17, 17}});
  const Solid<3> solid{block, block, {}};
  const WhitewaterParams params{.h = 1, .gravity = {}, .lifetime = {100, 101}};
  const auto go = [&](WhitewaterKind kind, const Velocity& velocity) {
    ParticleSet<3> p = specks_of(ex, kind, {{8, 4, 8}}, velocity, domain);
    for (int a = 0; a < 3; ++a) p.others[speck_flow + std::size_t(a)][0] = velocity[a];
    for (int step = 0; step < 20; ++step) move_whitewater(ex, p, {&solid, 1}, params, 1);
    return p;
  };
  const ParticleSet<3> floor = go(WhitewaterKind::foam, {0, -1, 0}),
                       ceiling = go(WhitewaterKind::foam, {0, 1, 0});
  ASSERT_EQ(floor.size(), 1);
  EXPECT_NEAR(place(floor, 0)[1], 0, 0.02);
  ASSERT_EQ(ceiling.size(), 1);
  EXPECT_NEAR(place(ceiling, 0)[1], 8, 0.03);
  EXPECT_EQ(go(WhitewaterKind::spray, {0, -1, 0}).size(), 0);
  EXPECT_EQ(go(WhitewaterKind::spray, {0, 1, 0}).size(), 0);
  EXPECT_EQ(go(WhitewaterKind::foam, {1, 0, 0}).size(), 0);

  // None begins in a solid.
  const ParticleSet<3> liquid = liquid_of(ex, {{8, 7.9, 8}}, {{0, 3, 0}}, domain);
  ParticleSet<3> specks;
  emit_whitewater(ex, specks, liquid, std::vector<float>{1e3f}, {&solid, 1}, params, 0.1, 1);
  EXPECT_GT(specks.size(), 10);
  for (std::size_t i = 0; i < std::size_t(specks.size()); ++i) EXPECT_LT(place(specks, i)[1], 8);
}

// A plate comes by three tiles in one step: foam and bubbles go before it, spray ends on it.
TEST(Whitewater, ASolidSweepsItFar) {
  Exec ex;
  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(64)}, Side::wall);
  const Shape<3> plate(BoxShape<3>{{3, -1, -1}, {4, 65, 65}});
  Solid<3> solid{PosedShape<3>{{plate}, {}}, PosedShape<3>{{plate}, {25, 0, 0}}, {}};
  solid.velocity.at_origin = {25, 0, 0};
  const WhitewaterParams params{.h = 1, .gravity = {}, .lifetime = {100, 101}};
  std::vector<Point> places;
  for (int k = 0; k < 100; ++k) places.push_back({4.3 + 0.4 * k, 8 + 0.4 * k, 30});
  for (const WhitewaterKind kind : {WhitewaterKind::spray, WhitewaterKind::foam, WhitewaterKind::bubble}) {
    ParticleSet<3> p = specks_of(ex, kind, places, {0, 0, 0}, domain);
    move_whitewater(ex, p, {&solid, 1}, params, 1);
    const auto swept = [](const Point& x) { return x[0] < 29; };
    EXPECT_EQ(p.size(),
              kind == WhitewaterKind::spray ? 100 - std::count_if(places.begin(), places.end(), swept) : 100);
    for (std::size_t i = 0; i < std::size_t(p.size()); ++i) {
      const Point from = places[p.id[i]], x = place(p, i);
      EXPECT_NEAR(x[0], std::max(from[0], 29.), 0.02);
      EXPECT_GT(x[0], 29);
      EXPECT_NEAR(x[1], from[1], 1e-4);
      EXPECT_NEAR(p.others[speck_age][i], 1, 1e-6);
    }
  }
}

TEST(Whitewater, IsTheSameOnAnyThreads) {
  const auto run = [](int threads) {
    Exec ex({.threads = threads});
    const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(24)}, Side::wall);
    const ParticleSet<3> liquid = liquid_in(
        ex, Shape<3>(BoxShape<3>{{0, 0, 0}, {24, 8, 24}}),
        [](const Point& x) {
          return Point{3 * std::sin(x[1]), 3 * std::cos(2 * x[0]), 3 * std::sin(x[2])};
        },
        domain);
    WhitewaterParams params{.h = 0.05, .trapped_air_rate = 60, .wave_crest_rate = 60, .seed = 7};
    params.lifetime = {0.02, 0.05};
    const Buffer<float> rates = whitewater_rates(ex, liquid, params);
    ParticleSet<3> specks;
    for (std::uint64_t step = 0; step < 6; ++step) {
      move_whitewater(ex, specks, {}, params, 0.01);
      emit_whitewater(ex, specks, liquid, {rates.data(), rates.size()}, {}, params, 0.01, step);
      look_round_whitewater(ex, specks, liquid);
    }
    std::vector<float> all;
    specks.for_each_array([&](const auto& array) { all.insert(all.end(), array.begin(), array.end()); });
    return all;
  };
  const std::vector<float> one = run(1);
  EXPECT_GT(one.size(), 20000u);
  EXPECT_TRUE(one == run(3));
}

}  // namespace
}  // namespace whorl
