#include "grid/archive.h"
#include "solvers/level_set_liquid.h"
#include "stages/extrapolate.h"
#include "stages/level_set_volume.h"
#include "stages/measure.h"
#include "stages/particle_level_set.h"
#include "stages/surface_tension.h"
#include "stages_case.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace whorl {
namespace {

template <class T>
using LevelSets = Stages<T>;
TYPED_TEST_SUITE(LevelSets, Dimensions);

// A ball in a box of walls, 24 cells a side.
template <int D>
Field<float, D> ball(Exec& ex, const TopologyPtr<D>& topology, double radius, double centre) {
  Field<float, D> phi(ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow(c[a] + 0.5 - centre, 2);
    phi.set(c, float(std::sqrt(square) - radius));
  });
  return phi;
}

template <int D>
TopologyPtr<D> box(Exec& ex) {
  return Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::wall));
}

TYPED_TEST(LevelSets, MarkersStandOnTheirOwnSideAndTouchTheSurface) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  const LevelSetParams params;
  const LevelSet<D> s = make_level_set(this->ex, ball(this->ex, topology, 6, 11.7), 1, params);
  ASSERT_GT(s.markers.size(), 1000);
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for (std::uint32_t i = s.markers.tile_begin(tile); i < s.markers.tile_end(tile); ++i) {
      double square = 0;
      for (int a = 0; a < D; ++a)
        square += std::pow(topology->tiles()[std::size_t(tile)][a] * tile_side +
                               double(s.markers.position[std::size_t(a)][i]) - 11.7,
                           2);
      const double distance = std::sqrt(square) - 6, radius = double(s.markers.others[0][i]);
      const double expected =
          std::clamp(std::abs(distance), double(params.least_radius), double(params.largest_radius));
      if (std::abs(distance) > 0.05) {
        EXPECT_EQ(radius < 0, distance < 0);
      }
      EXPECT_NEAR(std::abs(radius), expected, 0.05);
      EXPECT_LT(std::abs(distance), params.band + 1);
    }
}

// What the field has lost, the markers of the inside bring back; nothing happens without them.
TYPED_TEST(LevelSets, EscapedMarkersRestoreTheSurface) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  const MacField<float, D> still(this->ex, topology);
  double lost[2];  // in cells of radius
  for (const int markers : {0, 1}) {
    LevelSetParams params;
    params.markers = markers == 1;
    LevelSet<D> s = make_level_set(this->ex, ball(this->ex, topology, 6, 11.7), 1, params);
    for (std::size_t k = 0; k < s.phi.size(); ++k) s.phi.data()[k] += 0.4f;  // smaller by 0.4 cells
    move_level_set(this->ex, s, still, {}, 1, 0.1, params);
    double sum = 0, count = 0;
    for_active_cells(*topology, [&](const Coord<D>& c) {
      double square = 0;
      for (int a = 0; a < D; ++a) square += std::pow(c[a] + 0.5 - 11.7, 2);
      if (std::abs(std::sqrt(square) - 6) > 0.7) return;
      sum += s.phi.get(c) - (std::sqrt(square) - 6);
      ++count;
    });
    lost[markers] = sum / count;
  }
  EXPECT_NEAR(lost[0], 0.4, 0.02);
  EXPECT_LT(std::abs(lost[1]), 0.2);  // spheres overlap, and still leave gaps
}

// A ball of liquid that falls and is held together, with all that a step has.
template <int D>
LevelSetLiquidParams<D> splash() {
  LevelSetLiquidParams<D> p;
  p.h = 0.1;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  p.tension = 0.01;
  p.surface.reseed_every = 2;
  return p;
}
template <int D>
void advance(Exec& ex, LevelSetLiquidState<D>& s, int steps) {
  const LevelSetLiquidParams<D> p = splash<D>();
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(step(ex, s, p, step_length(ex, s, p, 2, 0.05)).converged);
}

TYPED_TEST(LevelSets, SameBitsOnAnyThreads) {
  constexpr int D = TestFixture::dimension;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7})
    for (const Backend backend : built_backends()) {
      Exec some({.threads = threads, .backend = backend});
      auto s = make_level_set_liquid(some, ball(some, box<D>(some), 6, 11.7), splash<D>());
      advance(some, s, 4);
      hashes.push_back(state_hash(some, s));
    }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TYPED_TEST(LevelSets, ASavedStateGoesOnAsItWould) {
  constexpr int D = TestFixture::dimension;
  auto s = make_level_set_liquid(this->ex, ball(this->ex, box<D>(this->ex), 6, 11.7), splash<D>());
  advance(this->ex, s, 3);
  const std::filesystem::path path = testing::TempDir() + "whorl_level_set_" + std::to_string(D);
  ASSERT_TRUE(save_state(this->ex, path, s));
  LevelSetLiquidState<D> loaded;
  ASSERT_TRUE(load_state(this->ex, path, loaded));
  std::filesystem::remove(path);
  advance(this->ex, s, 2);
  advance(this->ex, loaded, 2);
  EXPECT_EQ(state_hash(this->ex, s), state_hash(this->ex, loaded));
}

// Water in a tank stays where it is, and so does its level.
TYPED_TEST(LevelSets, LiquidRestsInATank) {
  constexpr int D = TestFixture::dimension;
  LevelSetLiquidParams<D> p;
  p.h = 1. / 24;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  const auto topology = box<D>(this->ex);
  Field<float, D> phi(this->ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) { phi.set(c, float((c[1] + 0.5) * p.h - 0.52)); });
  auto s = make_level_set_liquid(this->ex, std::move(phi), p);
  for (int k = 0; k < 30; ++k) EXPECT_TRUE(step(this->ex, s, p, 1. / 60).converged);
  EXPECT_LT(max_component(this->ex, s.velocity), 1e-3 * 9.81 * s.time);
  for_active_cells(*s.surface.phi.topology(), [&](const Coord<D>& c) {
    const double depth = (c[1] + 0.5) * p.h - 0.52;
    if (std::abs(depth) > 2 * p.h) return;
    EXPECT_NEAR(s.surface.phi.get(c), depth, 0.01 * p.h) << c;
  });
}

// A ball in free fall falls by g t² / 2 and keeps its shape.
TYPED_TEST(LevelSets, LiquidFalls) {
  constexpr int D = TestFixture::dimension;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::open);
  const auto topology = Topology<D>::of_box(this->ex, domain);
  LevelSetLiquidParams<D> p;
  p.h = 0.1;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  Field<float, D> phi = ball(this->ex, topology, 5, 14);
  for (std::size_t k = 0; k < phi.size(); ++k) phi.data()[k] *= float(p.h);
  auto s = make_level_set_liquid(this->ex, std::move(phi), p);
  while (s.time < 0.3) EXPECT_TRUE(step(this->ex, s, p, 0.015).converged);
  double height = 0, count = 0;
  for_active_cells(*s.surface.phi.topology(), [&](const Coord<D>& c) {
    if (s.surface.phi.get(c) < 0) height += (c[1] + 0.5) * p.h, ++count;
  });
  // Each step moves first and then falls faster.
  EXPECT_NEAR(height / count, 1.4 - 0.5 * 9.81 * s.time * (s.time - 0.015), 0.15 * p.h);
}

// A weightless pool, three cells deep under an open top, and a drop over it that flies up, with the air round
// it.
template <int D>
struct PoolAndDrop {
  static constexpr double h = 0.1, depth = 3;  // cells
  LevelSetLiquidParams<D> p;
  LevelSetLiquidState<D> s;

  PoolAndDrop(Exec& ex, double radius, double height, double speed) {
    p.h = h;
    p.keep_volume = true;
    Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::wall);
    domain.sides[1][1] = Side::open;
    const auto topology = Topology<D>::of_box(ex, domain);
    Field<float, D> phi(ex, topology);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      double square = 0;
      for (int a = 0; a < D; ++a) square += std::pow(c[a] + 0.5 - (a == 1 ? height : 12), 2);
      phi.set(c, float(h * std::min(c[1] + 0.5 - depth, std::sqrt(square) - radius)));
    });
    s = make_level_set_liquid(ex, std::move(phi), p);
    Box<D> above = domain.cells;
    above.lo[1] = int(depth) + 6;
    ++above.hi[1];  // the side's faces, too
    for_each_coord(above, [&](const Coord<D>& c) { s.velocity[1].set(c, float(speed)); });
  }
  double volume(Exec& ex) const {
    const Field<float, D> none(ex, s.surface.phi.topology(), 1e9f);
    return level_set_volume(ex, s.surface.phi, none, h).volume;
  }
  static double of_pool() { return std::pow(24 * h, D - 1) * depth * h; }
};

// What leaves is drained, however fast, and the pool does not swell to make up for it.
TYPED_TEST(LevelSets, ADropThatLeavesIsDrained) {
  constexpr int D = TestFixture::dimension;
  for (const double cells : {4.8, 1.3}) {  // a step: out of sight at once, or bit by bit
    SCOPED_TRACE(cells);
    constexpr double dt = 0.01;
    PoolAndDrop<D> both(this->ex, 2.2, 21.6, cells * PoolAndDrop<D>::h / dt);
    const double drop = both.s.held - both.of_pool();
    EXPECT_GT(drop, 0.025 * both.of_pool());
    for (int k = 0; k < 16; ++k)
      EXPECT_TRUE(step(this->ex, both.s, both.p, step_length(this->ex, both.s, both.p, 5, dt)).converged);
    EXPECT_NEAR(both.volume(this->ex), both.of_pool(), 0.01 * both.of_pool());
    EXPECT_NEAR(both.s.drained, drop, 0.1 * drop);
  }
}

// What is missing elsewhere has not gone out with a bead that crawls.
TYPED_TEST(LevelSets, ABeadAtTheSideTakesNothingElseAlong) {
  constexpr int D = TestFixture::dimension;
  constexpr double dt = 0.01;
  PoolAndDrop<D> both(this->ex, 1.6, 22.4, 0.2 * PoolAndDrop<D>::h / dt);
  const double bead = both.s.held - both.of_pool();
  both.s.held += 0.1 * both.of_pool();
  for (int k = 0; k < 8; ++k) EXPECT_TRUE(step(this->ex, both.s, both.p, dt).converged);
  EXPECT_GT(both.s.drained, 0);
  EXPECT_LT(both.s.drained, bead);
  EXPECT_GT(both.volume(this->ex), 1.08 * both.of_pool());
}

TYPED_TEST(LevelSets, StraightLayerGoesOnAsALinearField) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  Field<float, D> q(this->ex, topology), level(this->ex, topology);
  CellMask<D> known = empty_mask(this->ex, topology), wanted = empty_mask(this->ex, topology);
  const auto value = [](const Coord<D>& c) { return float(1 + 3 * c[0] - 2 * c[1]); };
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const Coord<D> c = topology->tiles()[std::size_t(tile)] * tile_side + at;
      level.set(c, float(c[0] + 2 * c[1] - 30));
      const std::size_t row = std::size_t(tile) * tile_rows<D> + std::size_t(cell_offset<D>(at) / tile_side);
      wanted.rows[row] |= std::uint8_t(1u << at[D - 1]);
      if (level.get(c) >= 0) return;
      q.set(c, value(c));
      known.rows[row] |= std::uint8_t(1u << at[D - 1]);
    });
  extrapolate_straight(this->ex, q, level, known, wanted);
  int filled = 0;
  for_each_coord(Box<D>{Coord<D>::filled(2), Coord<D>::filled(22)}, [&](const Coord<D>& c) {
    if (level.get(c) < 0 || level.get(c) >= 2) return;
    EXPECT_NEAR(q.get(c), value(c), 1e-4) << c;
    ++filled;
  });
  EXPECT_GT(filled, 10);
}

// The pressure that tension asks for at the surface is what the projection finds behind it, and nothing
// moves.
TYPED_TEST(LevelSets, APressureAtTheSurfaceFillsTheLiquid) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  MacField<float, D> open(this->ex, topology), u(this->ex, topology), at_surface(this->ex, topology);
  Field<float, D> phi = ball(this->ex, topology, 6, 11.7);
  for (int a = 0; a < D; ++a)
    for_each_coord(Box<D>{Coord<D>::filled(1), Coord<D>::filled(24)}, [&](const Coord<D>& c) {
      open[a].set(c, 1);
      if ((phi.get(c) < 0) != (phi.get(c - Coord<D>::unit(a)) < 0)) at_surface[a].set(c, 3);
    });
  PressureSystem<D> system = pressure_system(this->ex, std::move(open), phi.clone(this->ex));
  system.at_surface = std::move(at_surface);
  Field<double, D> p(this->ex, topology);
  EXPECT_TRUE(
      project(this->ex, u, p, system, {}, {.solver = {}, .solve = {.relative = 1e-9}}, 1, 0.1).converged);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    EXPECT_NEAR(p.get(c), phi.get(c) < 0 ? 3 : 0, 1e-5) << c;
    for (int a = 0; a < D; ++a) EXPECT_NEAR(u[a].get(c), 0, 1e-5) << c;
  });
}

// A jump before the surface is not carried on, twice as large, into the air.
TYPED_TEST(LevelSets, StraightLayerIsLimited) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  Field<float, D> q(this->ex, topology), level(this->ex, topology);
  CellMask<D> known = empty_mask(this->ex, topology), wanted = empty_mask(this->ex, topology);
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const Coord<D> c = topology->tiles()[std::size_t(tile)] * tile_side + at;
      level.set(c, float(c[0] - 12));
      const std::size_t row = std::size_t(tile) * tile_rows<D> + std::size_t(cell_offset<D>(at) / tile_side);
      wanted.rows[row] |= std::uint8_t(1u << at[D - 1]);
      if (c[0] >= 12) return;
      q.set(c, c[0] == 11 ? 4.f : 1.f);
      known.rows[row] |= std::uint8_t(1u << at[D - 1]);
    });
  extrapolate_straight(this->ex, q, level, known, wanted, {.part = 0.5f});
  Coord<D> c = Coord<D>::filled(12);
  EXPECT_EQ(q.get(c), 6.f);  // and not 7
}

// Air between a wall and the liquid that has come to it is gone, with its markers.
TYPED_TEST(LevelSets, ClosedAirIsGivenUp) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  const MacField<float, D> still(this->ex, topology);
  std::int64_t left[2];
  for (const int give_up : {0, 1}) {
    LevelSetParams params;
    if (give_up) params.given_up = 0.3f;
    LevelSet<D> s = make_level_set(this->ex, ball(this->ex, topology, 6, 11.7), 1, params);
    for (std::size_t k = 0; k < s.phi.size(); ++k) s.phi.data()[k] -= 2.f;  // larger by two cells
    move_level_set(this->ex, s, still, {}, 1, 0.1, params);
    left[give_up] = 0;
    const Vec<double, D> centre = Vec<double, D>::filled(11.7);
    take_out_markers<D>(this->ex, s, [&](const CellIndex<D>&, const Vec<double, D>& x, float radius) {
      return radius < 0 || length(x - centre) > 7;
    });
    left[give_up] = s.markers.size();
  }
  EXPECT_GT(left[0], 100);
  EXPECT_EQ(left[1], 0);
}

template <class T>
using LevelSetVolumes = Stages<T>;
TYPED_TEST_SUITE(LevelSetVolumes, Dimensions);

// That of a ball, of half a ball beside a solid; and it becomes what it is set to.
TYPED_TEST(LevelSetVolumes, AreThoseOfBalls) {
  constexpr int D = TestFixture::dimension;
  const auto topology = box<D>(this->ex);
  Field<float, D> phi = ball(this->ex, topology, 6, 11.7), solids(this->ex, topology, 1e9f);
  const auto exact = [](double r) { return D == 2 ? M_PI * r * r : 4. / 3 * M_PI * r * r * r; };
  const LevelSetVolume whole = level_set_volume(this->ex, phi, solids, 1);
  EXPECT_NEAR(whole.volume, exact(6), 0.01 * exact(6));
  EXPECT_NEAR(whole.area, D * exact(6) / 6, 0.1 * D * exact(6) / 6);
  EXPECT_NEAR(integral(this->ex, liquid_part(this->ex, phi, solids, 1), 1), whole.volume, 1e-3);
  for (std::size_t k = 0; k < phi.size(); ++k) solids.data()[k] = 1e9f;
  for_active_cells(*topology, [&](const Coord<D>& c) { solids.set(c, float(c[0] + 0.5 - 11.7)); });
  EXPECT_NEAR(level_set_volume(this->ex, phi, solids, 1).volume, 0.5 * exact(6), 0.01 * exact(6));

  const Field<float, D> none(this->ex, topology, 1e9f);
  set_volume(this->ex, phi, none, 1, exact(6.1), 1);
  EXPECT_NEAR(level_set_volume(this->ex, phi, none, 1).volume, exact(6.1), 0.01 * exact(6));
  set_volume(this->ex, phi, none, 1, exact(7), 0.02);  // no further than that
  EXPECT_NEAR(level_set_volume(this->ex, phi, none, 1).volume, exact(6.12), 0.01 * exact(6));
}

}  // namespace
}  // namespace whorl
