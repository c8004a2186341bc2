// Where particles crowd, and moving them to where they are few.
#include "stages/crowding.h"

#include "stages/particle_surface.h"
#include "stages/reseed.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace whorl {
namespace {

template <int D>
struct Block {
  static constexpr double h = 0.1;
  Exec ex;
  ParticleSet<D> particles;

  // Liquid in a box with walls, up to a height, with `times` as many particles as it should have.
  void fill(double height, int times) {
    const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
    BoxShape<D> block{Vec<double, D>::filled(-1), Vec<double, D>::filled(10)};
    block.max[1] = height;
    for (int k = 0; k < times; ++k)
      add_particles(ex, particles, domain, seed_particles<D>(block, domain.cells, h, std::uint64_t(k)));
    put_on(ex, particles, Topology<D>::of_box(ex, domain));
  }
  Field<float, D> full_room() {
    Field<float, D> room(ex, particles.topology);
    for_each_coord(Box<D>{{}, Coord<D>::filled(16)}, [&](const Coord<D>& cell) { room.set(cell, 1); });
    return room;
  }
};
template <class T>
class Crowding : public testing::Test, public Block<T::value> {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Crowding, Dimensions);

// Up to the walls, into the corners and at the surface.
TYPED_TEST(Crowding, IsNoneWhereParticlesAreEven) {
  constexpr int D = TypeParam::value;
  this->fill(0.83, 1);
  const Field<float, D> phi = surface_from_particles(this->ex, this->particles, this->h);
  const Field<float, D> growth = crowding(this->ex, this->particles, phi, this->full_room(), this->h);
  for_each_coord(Box<D>{{}, Coord<D>::filled(16)}, [&](const Coord<D>& cell) {
    EXPECT_NEAR(growth.get(cell), 0, cell[1] < 5 ? 1e-5 : 0.2) << cell[0] << ' ' << cell[1];
  });
}

TYPED_TEST(Crowding, SaysHowMuchThereIsTooMuch) {
  constexpr int D = TypeParam::value;
  this->fill(0.8, 2);
  const Field<float, D> phi = surface_from_particles(this->ex, this->particles, this->h);
  const Field<float, D> growth = crowding(this->ex, this->particles, phi, this->full_room(), this->h);
  // By the mean; and in space, where chance hardly ever does that, as a clump besides.
  EXPECT_NEAR(growth.get(Coord<D>::filled(2)), D == 2 ? 1 : 1 + 3 * 0.25, 1e-5);
  EXPECT_NEAR(growth.get(Coord<D>::filled(14)), 0, 1e-5);  // air
}

TYPED_TEST(Crowding, ReseedingFillsEmptyCellsFromFullOnes) {
  constexpr int D = TypeParam::value;
  this->fill(1.6, 1);
  ParticleSet<D>& p = this->particles;
  // Everything of one cell goes into the next, and of that into the one after.
  const Coord<D> empty = Coord<D>::filled(4), full = empty + Coord<D>::unit(D - 1);
  const auto number = [&](const Coord<D>& cell) {
    const auto tiles = p.topology->tiles();
    const auto tile = std::find(tiles.begin(), tiles.end(), Coord<D>{}) - tiles.begin();
    const std::uint32_t* first =
        p.first.data() + std::size_t(tile) * tile_cells<D> + std::size_t(cell_offset<D>(cell));
    return std::pair(first[0], first[1]);
  };
  const auto [begin, end] = number(empty);
  for (std::uint32_t i = begin; i < end; ++i) p.position[D - 1][i] += 1;
  sort_particles(this->ex, p);
  put_on(this->ex, p, Topology<D>::of_box(this->ex, p.topology->domain()));
  ASSERT_EQ(number(empty).first, number(empty).second);
  const Field<float, D> deep(this->ex, p.topology, float(-2 * this->h));
  const Field<float, D> none(this->ex, p.topology, float(8 * this->h));  // no solid near
  MacField<float, D> velocity(this->ex, p.topology);
  const std::int64_t count = p.size();
  EXPECT_EQ(reseed(this->ex, p, deep, none, velocity, this->h, 0), 1 << (D - 1));
  sort_particles(this->ex, p);
  put_on(this->ex, p, Topology<D>::of_box(this->ex, p.topology->domain()));
  EXPECT_EQ(p.size(), count);
  EXPECT_EQ(number(empty).second - number(empty).first, 1u << (D - 1));
  EXPECT_EQ(number(full).second - number(full).first, 3u << (D - 1));
  // At the surface none is moved.
  const Field<float, D> shallow(this->ex, p.topology, float(-1.4 * this->h));
  EXPECT_EQ(reseed(this->ex, p, shallow, Field<float, D>(this->ex, p.topology, float(8 * this->h)), velocity,
                   this->h, 1),
            0);
}

}  // namespace
}  // namespace whorl
