// Liquid with particles near its surface alone: what the core keeps, and that it flows as all particles do.
#include "stages/narrow_band.h"

#include "grid/archive.h"
#include "solvers/liquid.h"
#include "stages/moved_core.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace whorl {
namespace {

constexpr int width = BandParams{}.width;

template <class T>
class NarrowBand : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(NarrowBand, Dimensions);

template <int D>
LiquidParams<D> params(int band) {
  LiquidParams<D> p;
  p.h = 1. / 32;
  p.gravity = Vec<double, D>::unit(1, -9.81);
  p.projection.solve = {.relative = 1e-4, .absolute = 1e-4};
  p.band = band;
  return p;
}

// A column of water at one end of a tank.
template <int D>
LiquidState<D> dam(Exec& ex, const LiquidParams<D>& p, double wide) {
  Coord<D> cells = Coord<D>::filled(8);
  cells[0] = 48;
  cells[1] = 24;
  const Domain<D> domain = box_domain<D>({{}, cells}, Side::wall);
  BoxShape<D> water{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
  water.max[0] = wide;
  water.max[1] = 0.5;
  return make_liquid<D>(ex, domain, seed_particles<D>(water, domain.cells, p.h), p.transfer);
}

template <int D>
ParticleSet<D> everything(Exec& ex, const LiquidState<D>& s) {
  return s.core.topology ? with_core<D>(ex, s.particles, s.core, s.core_velocity, {}, TransferScheme::apic)
                         : clone(ex, s.particles);
}

// The farthest particle, the mean height, the energy a particle, and how many there are.
struct Seen {
  double front = 0, height = 0, energy = 0, count = 0;
};

template <int D>
Seen look(Exec& ex, const LiquidState<D>& s) {
  const ParticleSet<D> p = everything(ex, s);
  Seen seen;
  seen.count = double(p.size());
  for (int tile = 0; tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
      const Coord<D> corner = p.topology->tiles()[std::size_t(tile)] * tile_side;
      seen.front = std::max(seen.front, corner[0] + double(p.position[0][i]));
      seen.height += (corner[1] + double(p.position[1][i])) / seen.count;
      for (const Buffer<float>& v : p.velocity) seen.energy += 0.5 * double(v[i]) * double(v[i]) / seen.count;
    }
  return seen;
}

TYPED_TEST(NarrowBand, FlowsAsAllParticlesDo) {
  constexpr int D = TypeParam::value;
  Exec ex({.threads = 2});
  const LiquidParams<D> all = params<D>(0), near = params<D>(width);
  LiquidState<D> a = dam<D>(ex, all, 0.6), b = dam<D>(ex, near, 0.6);
  const double count = double(a.particles.size());
  double fewest = count;
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(step(ex, a, all, 0.008).converged);
    ASSERT_TRUE(step(ex, b, near, 0.008).converged);
    fewest = std::min(fewest, double(b.particles.size()));
    EXPECT_NEAR(double(b.particles.size() + (count_cells(ex, b.core) << D)), count, 0.01 * count) << k;
    if (k != 20) continue;
    const Seen full = look(ex, a), band = look(ex, b);
    std::printf("%dD: front %.2f and %.2f cells, height %.2f and %.2f, energy %.3f and %.3f J/kg\n", D,
                full.front, band.front, full.height, band.height, full.energy, band.energy);
    EXPECT_NEAR(band.front, full.front, 1);
    EXPECT_NEAR(band.height, full.height, 0.1);
    EXPECT_NEAR(band.energy, full.energy, 0.05 * full.energy);
  }
  EXPECT_LT(fewest, 0.75 * count);
  const Seen full = look(ex, a), band = look(ex, b);
  EXPECT_NEAR(band.height, full.height, 0.03 * full.height);
}

TYPED_TEST(NarrowBand, OfAPoolStaysAtRest) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const LiquidParams<D> p = params<D>(width);
  LiquidState<D> s = dam<D>(ex, p, 9);
  const std::int64_t all = s.held;
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(step(ex, s, p, 0.01).converged);
  // 16 cells of water, the band's with particles and the one that the surface is in.
  const double core = double(count_cells(ex, s.core)) / (all / (1 << D));
  EXPECT_GE(core, (15. - width) / 16);
  EXPECT_LE(core, (16. - width) / 16);
  EXPECT_LT(look(ex, s).energy, 1e-4);
}

// Cells of the core have no particles, all others of the liquid have some.
TYPED_TEST(NarrowBand, CoreAndParticlesShareTheLiquid) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const LiquidParams<D> p = params<D>(width);
  LiquidState<D> s = dam<D>(ex, p, 0.6);
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(step(ex, s, p, 0.008).converged);
  ASSERT_GT(count_cells(ex, s.core), 0);
  const ParticleSet<D> whole = everything(ex, s);
  const TopologyPtr<D>& topology = s.particles.topology;
  const auto count = [](const ParticleSet<D>& set, std::size_t k) { return set.first[k + 1] - set.first[k]; };
  for (std::size_t k = 0; k < std::size_t(topology->tile_count()) * tile_cells<D>; ++k) {
    const bool core = s.core.rows[k / tile_side] >> k % tile_side & 1;
    EXPECT_TRUE(!core || count(s.particles, k) == 0);
    EXPECT_EQ(count(whole, k), core ? 1u << D : count(s.particles, k));
  }
}

// A core that goes half a cell has half of the cells before it, and what becomes of that are particles on its
// side of them.
TYPED_TEST(NarrowBand, CoreGoesWithTheFlow) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  const TopologyPtr<D> topology = Topology<D>::of_box(ex, domain);
  CellMask<D> core = empty_mask(ex, topology);
  Field<float, D> cells(ex, topology);
  for_each_coord(Box<D>{Coord<D>::filled(6), Coord<D>::filled(21)},
                 [&](const Coord<D>& c) { cells.set(c, 1); });
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells.data()[k] > 0) core.rows[k / tile_side] |= std::uint8_t(1u << k % tile_side);
  MacField<float, D> velocity(ex, topology);
  velocity[0].fill(ex, 5.f);
  const Crossing<D> stay(ex, topology, topology);
  const auto moved = [&](float step) { return moved_core<D>(ex, core, stay, velocity, {}, step); };
  const Field<float, D> half = moved(0.1f), far = moved(0.5f);
  for_each_coord(Box<D>{Coord<D>::filled(1), Coord<D>::filled(31)}, [&](const Coord<D>& c) {
    Coord<D> low = c, from = c;
    --low[0];
    from[0] -= 3;
    ASSERT_NEAR(half.get(c), 0.5 * (cells.get(c) + cells.get(low)), 1e-5) << c;
    if (c[0] < 6 || c[0] > 9) {
      ASSERT_NEAR(far.get(c), 0.5 * (cells.get(from) + cells.get(from + Coord<D>::unit(0))), 1e-5) << c;
    }
  });

  ParticleSet<D> none;
  put_on(ex, none, topology);
  const Field<float, D> no_solids(ex, topology, 1.f);
  Band<D> band = divide_band<D>(ex, none, core, moved(0.1f), {}, no_solids, {});
  std::fill(band.core.rows.begin(), band.core.rows.end(), std::uint8_t(0));
  fill_band<D>(ex, none, band, velocity, {}, TransferScheme::pic, 7);
  int found = 0, beyond = 0;
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for (std::uint32_t i = none.tile_begin(tile); i < none.tile_end(tile); ++i) {
      const double x = topology->tiles()[std::size_t(tile)][0] * tile_side + double(none.position[0][i]);
      found += x > 21;
      beyond += x > 21.5;
    }
  EXPECT_LE(beyond, 8);  // in the four corners, where it slopes to all sides alike
  EXPECT_EQ(found, (1 << (D - 1)) * ipow<D - 1>(15));
}

// What spouts bring and drains take counts, though there is no core near them.
TEST(NarrowBandFlow, LetsLiquidInAndOut) {
  Exec ex;
  LiquidParams<2> p = params<2>(width);
  LiquidState<2> s = dam<2>(ex, p, 9);
  const std::int64_t start = s.held;
  const Shape<2> mouth = BoxShape<2>{{0.2, 0.6}, {0.3, 0.7}}, hole = BoxShape<2>{{1.3, 0}, {1.4, 0.1}};
  p.spouts.push_back({mouth, mouth, {0, -2}});
  p.drains.push_back({hole, 5});
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(step(ex, s, p, 0.005).converged);
  EXPECT_GT(s.injected, 100);
  EXPECT_GT(s.drained, 10);
  EXPECT_EQ(s.held, start + s.injected - s.drained);
  EXPECT_NEAR(look(ex, s).count, double(s.held), 0.01 * double(s.held));
}

// A plate that fills no cell, and a ball that sweeps through the core: cells beside them are not of it, and
// none of their particles gets inside.
TYPED_TEST(NarrowBand, KeepsClearOfSolids) {
  constexpr int D = TypeParam::value;
  Exec ex;
  LiquidParams<D> p = params<D>(width);
  LiquidState<D> s = dam<D>(ex, p, 9);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(step(ex, s, p, 0.01).converged);
  BoxShape<D> plate{Vec<double, D>::filled(-1), Vec<double, D>::filled(2)};
  plate.min[0] = 10.3 * p.h;
  plate.max[0] = 11.2 * p.h;
  p.solids.push_back({plate, plate, {}});
  Vec<double, D> centre = Vec<double, D>::filled(0.3);
  if (D == 3) centre[2] = 0.125;
  for (int k = 0; k < 20; ++k) {
    centre[0] = 0.6 + 0.03 * k;  // nearly a cell a step
    const Shape<D> before = SphereShape<D>{centre, 0.1};
    centre[0] += 0.03;
    const Shape<D> after = SphereShape<D>{centre, 0.1};
    RigidVelocity<D> velocity;
    velocity.at_origin[0] = 3;
    p.solids.resize(1);
    p.solids.push_back({before, after, velocity});
    ASSERT_TRUE(step(ex, s, p, 0.01).converged);
    const Field<float, D> distance =
        solid_distance<D>(ex, s.particles.topology, p.solids, &Solid<D>::shape, p.h);
    ASSERT_GT(count_cells(ex, s.core), 0);
    for (std::size_t c = 0; c < distance.size(); ++c)
      if (s.core.has(c)) {
        ASSERT_GT(distance.data()[c], float(p.h));
      }
    for (int tile = 0; tile < s.particles.topology->tile_count(); ++tile)
      for (std::uint32_t i = s.particles.tile_begin(tile); i < s.particles.tile_end(tile); ++i) {
        Vec<double, D> x;
        for (int a = 0; a < D; ++a)
          x[a] = p.h * (s.particles.topology->tiles()[std::size_t(tile)][a] * tile_side +
                        double(s.particles.position[std::size_t(a)][i]));
        for (const Solid<D>& solid : p.solids) ASSERT_GT(solid.shape.distance(x), -1e-6);
      }
  }
}

TYPED_TEST(NarrowBand, TakesLiquidThatComesLater) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const LiquidParams<D> p = params<D>(width);
  LiquidState<D> s = dam<D>(ex, p, 0.9);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(ex, s, p, 0.01).converged);
  const std::int64_t cells = count_cells(ex, s.core), held = s.held;
  ASSERT_GT(cells, 0);
  BoxShape<D> more{Vec<double, D>::filled(0.2), Vec<double, D>::filled(0.4)};
  more.min[0] = 1.2;
  more.max[0] = 1.4;
  const NewParticles<D> block = seed_particles<D>(more, s.particles.topology->domain().cells, p.h);
  add_liquid(ex, s, block);
  EXPECT_EQ(count_cells(ex, s.core), cells);
  EXPECT_EQ(s.held, held + std::int64_t(block.position.size()));
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(step(ex, s, p, 0.01).converged);
  EXPECT_NEAR(look(ex, s).count, double(s.held), 0.01 * double(s.held));
}

TEST(NarrowBandPlaces, StayInTheirCell) {
  for (int cell = 0; cell < tile_side; ++cell) {
    EXPECT_EQ(int(place_in_cell(cell, 1 - 0x1p-24f)), cell);
    EXPECT_FLOAT_EQ(place_in_cell(cell, 0.25f), float(cell) + 0.25f);
  }
}

TYPED_TEST(NarrowBand, IsTheSameOnAnyThreadsAndAfterLoading) {
  constexpr int D = TypeParam::value;
  const LiquidParams<D> p = params<D>(width);
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7}) {
    Exec ex({.threads = threads});
    LiquidState<D> s = dam<D>(ex, p, 0.6);
    for (int k = 0; k < 12; ++k) ASSERT_TRUE(step(ex, s, p, 0.01).converged);
    const auto file = std::filesystem::temp_directory_path() /
                      ("whorl_band_" + std::to_string(D) + "_" + std::to_string(::getpid()) + ".bin");
    ASSERT_TRUE(save_state(ex, file, s));
    LiquidState<D> again;
    const Result<void> loaded = load_state(ex, file, again);
    std::filesystem::remove(file);
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(step(ex, s, p, 0.01).converged);
      ASSERT_TRUE(step(ex, again, p, 0.01).converged);
    }
    hashes.push_back(state_hash(ex, s));
    EXPECT_EQ(state_hash(ex, again), hashes.back());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace whorl
