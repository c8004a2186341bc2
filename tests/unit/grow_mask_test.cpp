// Masks that grow, 64 cells at a time, against one cell at a time.
#include "grid/grow_mask.h"

#include "base/rng.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

namespace whorl {
namespace {

template <class T>
class GrowMask : public testing::Test {
 protected:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 3}};
  TopologyPtr<dimension> topology;

  // Some tiles of a box that is periodic along one axis, others missing.
  GrowMask() {
    Domain<dimension> domain = box_domain<dimension>({{}, Coord<dimension>::filled(32)}, Side::wall);
    domain.sides[0] = {Side::periodic, Side::periodic};
    std::vector<Coord<dimension>> tiles;
    for_each_coord(Box<dimension>{{}, Coord<dimension>::filled(4)}, [&](const Coord<dimension>& tile) {
      if (Rng(5, tiles.size() + 100).uniform() < 0.9f) tiles.push_back(tile);
    });
    tiles.pop_back();
    topology = Topology<dimension>::of_tiles(ex, domain, tiles);
  }

  CellMask<dimension> some_cells(float part, std::uint64_t seed) {
    CellMask<dimension> mask = empty_mask(ex, topology);
    for (std::size_t row = 0; row < topology->active().size(); ++row)
      for (unsigned k = 0; k < tile_side; ++k)
        if (Rng(seed, row * tile_side + k).uniform() < part) mask.rows[row] |= std::uint8_t(1u << k);
    return mask;
  }

  // The place of a cell in a mask, -1 where there is no tile.
  int find(const Coord<dimension>& cell) const {
    Coord<dimension> tile, at;
    for (int a = 0; a < dimension; ++a) {
      tile[a] = floor_div(cell[a], tile_side);
      at[a] = cell[a] - tile[a] * tile_side;
    }
    const int slot = topology->map().find(topology->domain().wrap_tile(tile));
    return slot < 0 ? -1 : slot * tile_cells<dimension> + int(cell_offset<dimension>(at));
  }
  bool has(const CellMask<dimension>& mask, const Coord<dimension>& cell) const {
    const int at = find(cell);
    return at >= 0 && mask.has(std::size_t(at));
  }
  template <class F>
  void for_each_cell(const F& f) const {
    for (const Coord<dimension>& tile : topology->tiles())
      for_each_coord(Box<dimension>{tile * tile_side, (tile + Coord<dimension>::filled(1)) * tile_side}, f);
  }
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(GrowMask, Dimensions);

TYPED_TEST(GrowMask, AlongOneAxisAsFarAsAsked) {
  constexpr int D = TestFixture::dimension;
  const CellMask<D> mask = this->some_cells(0.003f, 1);
  // Where all tiles are there, a cube is what one axis after the other makes of a cell.
  for (const int cells : {1, 3, 8}) {
    CellMask<D> expected = empty_mask(this->ex, this->topology);
    std::copy(mask.rows.begin(), mask.rows.end(), expected.rows.begin());
    for (int a = 0; a < D; ++a) {
      const CellMask<D> before = std::move(expected);
      expected = empty_mask(this->ex, this->topology);
      this->for_each_cell([&](const Coord<D>& cell) {
        bool found = false;
        for (int k = -cells; k <= cells; ++k) found = found || this->has(before, cell + Coord<D>::unit(a, k));
        const std::size_t at = std::size_t(this->find(cell));
        if (found) expected.rows[at / tile_side] |= std::uint8_t(1u << at % tile_side);
      });
    }
    const CellMask<D> grown = grown_cubes(this->ex, mask, cells);
    EXPECT_TRUE(std::equal(grown.rows.begin(), grown.rows.end(), expected.rows.begin())) << cells;
  }
}

TYPED_TEST(GrowMask, AcrossFacesAndToTheNextCells) {
  constexpr int D = TestFixture::dimension;
  const CellMask<D> mask = this->some_cells(0.02f, 2), wanted = this->some_cells(0.5f, 3);
  const CellMask<D> grown = grown_across_faces(this->ex, mask, 1),
                    twice = grown_across_faces(this->ex, mask, 2),
                    again = grown_across_faces(this->ex, grown, 1);
  EXPECT_TRUE(std::equal(twice.rows.begin(), twice.rows.end(), again.rows.begin()));
  CellMask<D> next = empty_mask(this->ex, this->topology);
  std::vector<int> all(std::size_t(this->topology->tile_count()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> tiles = find_next_to(this->ex, next, mask, wanted, all);
  EXPECT_EQ(tiles_with(next).size(), tiles.size());
  this->for_each_cell([&](const Coord<D>& cell) {
    bool beside = false;
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) beside = beside || this->has(mask, cell + Coord<D>::unit(a, step));
    const bool own = this->has(mask, cell);
    ASSERT_EQ(this->has(grown, cell), own || beside) << cell;
    ASSERT_EQ(this->has(next, cell), beside && !own && this->has(wanted, cell)) << cell;
  });
}

}  // namespace
}  // namespace whorl
