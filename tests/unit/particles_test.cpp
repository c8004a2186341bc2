// Particles in the order of tiles and cells.
#include "particles/particle_set.h"

#include "base/rng.h"
#include "grid/archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>

namespace whorl {
namespace {

template <class T>
class Particles : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Particles, Dimensions);

template <int D>
NewParticles<D> random_particles(int count, const Box<D>& cells, std::uint64_t seed) {
  NewParticles<D> made;
  for (int i = 0; i < count; ++i) {
    Rng rng(seed, std::uint64_t(i));
    Vec<double, D> x;
    Vec<float, D> v;
    for (int a = 0; a < D; ++a) {
      x[a] = cells.lo[a] + double(rng.uniform()) * (cells.hi[a] - cells.lo[a]);
      v[a] = rng.uniform(-1, 1);
    }
    made.position.push_back(x);
    made.velocity.push_back(v);
  }
  return made;
}

// id → place in cells, velocity and cell, after a check that each is where the set says it is.
template <int D>
struct Seen {
  Vec<double, D> position;
  Vec<float, D> velocity;
};
template <int D>
std::map<std::uint64_t, Seen<D>> look(const ParticleSet<D>& p) {
  std::map<std::uint64_t, Seen<D>> seen;
  for (int tile = 0; p.topology && tile < p.topology->tile_count(); ++tile)
    for (int c = 0; c < tile_cells<D>; ++c) {
      const std::size_t cell = std::size_t(tile) * tile_cells<D> + std::size_t(c);
      for (std::uint32_t i = p.first[cell]; i < p.first[cell + 1]; ++i) {
        Seen<D> s;
        Coord<D> at;
        for (int a = 0; a < D; ++a) {
          const float x = p.position[std::size_t(a)][i];
          at[a] = int(std::floor(x));
          s.position[a] = double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side + double(x);
          s.velocity[a] = p.velocity[std::size_t(a)][i];
        }
        EXPECT_EQ(cell_offset<D>(at), c);
        EXPECT_TRUE(seen.emplace(p.id[i], s).second) << "twice";
      }
    }
  EXPECT_EQ(std::int64_t(seen.size()), p.size());
  return seen;
}

template <int D>
void move(ParticleSet<D>& p, float far, std::uint64_t seed) {
  for (std::size_t i = 0; i < std::size_t(p.size()); ++i) {
    Rng rng(seed, p.id[i]);
    for (Buffer<float>& x : p.position) x[i] += rng.uniform(-far, far);
  }
}

TYPED_TEST(Particles, AreFoundInTheirCells) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Box<D> far{Coord<D>::filled(1'000'000), Coord<D>::filled(1'000'020)};
  const NewParticles<D> made = random_particles<D>(3000, far, 1);
  ParticleSet<D> p;
  add_particles(ex, p, Domain<D>{}, made);
  auto before = look(p);
  ASSERT_EQ(before.size(), 3000u);
  for (std::size_t i = 0; i < 3000; ++i)
    for (int a = 0; a < D; ++a) {
      EXPECT_NEAR(before[i].position[a], made.position[i][a], 1e-6);  // however far away
      EXPECT_EQ(before[i].velocity[a], made.velocity[i][a]);
    }
  move(p, 7, 2);
  sort_particles(ex, p);
  const auto after = look(p);
  for (const auto& [id, s] : after) {
    Rng rng(2, id);
    for (int a = 0; a < D; ++a) {
      EXPECT_NEAR(s.position[a], before[id].position[a] + double(rng.uniform(-7, 7)), 2e-6);
      EXPECT_EQ(s.velocity[a], before[id].velocity[a]);
    }
  }
}

TYPED_TEST(Particles, OfACellKeepTheirOrderAndNewOnesFollow) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Box<D> cells{{}, Coord<D>::filled(12)};
  ParticleSet<D> p;
  add_particles(ex, p, Domain<D>{}, random_particles<D>(2000, cells, 1));
  sort_particles(ex, p);
  add_particles(ex, p, Domain<D>{}, random_particles<D>(2000, cells, 2));
  EXPECT_EQ(p.made, 4000u);
  look(p);
  for (std::size_t cell = 0; cell + 1 < p.first.size(); ++cell)
    EXPECT_TRUE(std::is_sorted(p.id.begin() + p.first[cell], p.id.begin() + p.first[cell + 1]));
}

TYPED_TEST(Particles, ComeInAgainOnTheOtherSide) {
  constexpr int D = TypeParam::value;
  Exec ex;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::periodic);
  ParticleSet<D> p;
  add_particles(ex, p, domain, random_particles<D>(1000, domain.cells, 1));
  auto before = look(p);
  move(p, 7.5f, 3);
  sort_particles(ex, p);
  for (const auto& [id, s] : look(p)) {
    Rng rng(3, id);
    for (int a = 0; a < D; ++a) {
      const double x = before[id].position[a] + double(rng.uniform(-7.5f, 7.5f));
      EXPECT_NEAR(s.position[a], x - 24 * std::floor(x / 24), 3e-6);
    }
  }
}

TYPED_TEST(Particles, AreTakenOut) {
  constexpr int D = TypeParam::value;
  Exec ex;
  ParticleSet<D> p;
  add_particles(ex, p, Domain<D>{}, random_particles<D>(1000, {{}, Coord<D>::filled(20)}, 1));
  const auto before = look(p);
  std::vector<std::uint8_t> keep;
  for (const std::uint64_t id : p.id) keep.push_back(id % 3 == 0);
  keep_particles(ex, p, keep);
  const auto after = look(p);
  EXPECT_EQ(after.size(), 334u);
  for (const auto& [id, s] : after) {
    EXPECT_EQ(id % 3, 0u);
    EXPECT_EQ(s.position, before.at(id).position);
  }
  keep_particles(ex, p, std::vector<std::uint8_t>(334, 0));
  EXPECT_EQ(p.size(), 0);
  sort_particles(ex, p);
}

template <int D>
struct Alone {
  ParticleSet<D> particles;
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor& v) {
    ParticleSet<D>::visit(s.particles, v, "particles");
  }
};

TYPED_TEST(Particles, HaveTheSameBitsOnAnyThreadsAndInAFile) {
  constexpr int D = TypeParam::value;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 7}) {
    Exec ex({.threads = threads});
    Alone<D> all;
    ParticleSet<D>& p = all.particles;
    add_particles(ex, p, Domain<D>{}, random_particles<D>(20000, {{}, Coord<D>::filled(40)}, 1));
    for (std::uint64_t k = 0; k < 4; ++k) {
      move(p, 6, k);
      sort_particles(ex, p);
    }
    hashes.push_back(state_hash(ex, all));
    const auto path = std::filesystem::temp_directory_path() / ("whorl_particles" + std::to_string(D));
    ASSERT_TRUE(save_state(ex, path, all));
    Alone<D> loaded;
    ASSERT_TRUE(load_state(ex, path, loaded));
    EXPECT_EQ(state_hash(ex, loaded), hashes[0]);
    std::filesystem::remove(path);
  }
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

}  // namespace
}  // namespace whorl
