// Tiles, topologies, fields and the views that kernels see them through.
#include "base/rng.h"
#include "grid/field.h"

#include <gtest/gtest.h>

#include <set>

namespace whorl {
namespace {

template <int D>
std::vector<Coord<D>> random_tiles(int n, std::uint64_t seed) {
  std::vector<Coord<D>> tiles;
  for (int k = 0; k < n; ++k) {
    Rng rng(seed, std::uint64_t(k));
    Coord<D> t;
    for (int a = 0; a < D; ++a) t[a] = int(rng.bits() % 7) - 3;
    tiles.push_back(t);
  }
  return tiles;
}

template <class T>
class Grid : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Grid, Dimensions);

TYPED_TEST(Grid, MapFindsEveryTileAndNoOther) {
  constexpr int D = TestFixture::dimension;
  std::set<Coord<D>> unique;
  for (const Coord<D>& t : random_tiles<D>(60, 1)) unique.insert(t);
  for (int k = 0; k < 1000; ++k) unique.insert(Coord<D>::filled(1000 * k) + Coord<D>::unit(0, -k * k));
  const std::vector<Coord<D>> tiles(unique.begin(), unique.end());
  const TileMap<D> map(tiles);
  for (std::size_t slot = 0; slot < tiles.size(); ++slot) EXPECT_EQ(map.find(tiles[slot]), int(slot));
  EXPECT_EQ(map.find(Coord<D>::filled(12345)), -1);
  EXPECT_EQ(TileMap<D>().find({}), -1);
}

TYPED_TEST(Grid, TilesStandInLexicographicOrderOnce) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(40, 2));
  for (std::size_t k = 1; k < topology->tiles().size(); ++k)
    EXPECT_TRUE(topology->tiles()[k - 1] < topology->tiles()[k]);
}

// The invariant that kernels stand on: every face of an active cell is stored, or a closed wall.
template <int D>
void expect_faces_stored(Exec& ex, const TopologyPtr<D>& topology) {
  const Field<float, D> f(ex, topology);
  const Domain<D>& domain = topology->domain();
  const TopologyView<D> view = topology->view();
  std::int64_t active = 0;
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const CellIndex<D> i{tile, topology->tile_set().neighbours + tile * neighbourhood<D>, at};
      if (!view.active_bits(i)) return;
      ++active;
      const Coord<D> cell = topology->tiles()[std::size_t(tile)] * tile_side + at;
      EXPECT_TRUE(domain.cells.contains(cell));
      for (int a = 0; a < D; ++a) {
        const bool closed =
            domain.sides[std::size_t(a)][1] == Side::wall && cell[a] == domain.cells.hi[a] - 1;
        EXPECT_TRUE(closed || f.stores(cell + Coord<D>::unit(a))) << "cell " << cell << " axis " << a;
      }
    });
  EXPECT_EQ(active, topology->active_cells());
}

TYPED_TEST(Grid, ActiveCellsHaveTheirFaces) {
  constexpr int D = TestFixture::dimension;
  expect_faces_stored<D>(this->ex, Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(40, 3)));
  for (const Side side : {Side::wall, Side::open, Side::inflow, Side::periodic})
    for (const int extent : {8, 24, 32}) {
      const auto domain = box_domain<D>({Coord<D>::filled(-8), Coord<D>::filled(extent - 8)}, side);
      const auto topology = Topology<D>::of_box(this->ex, domain);
      EXPECT_EQ(topology->active_cells(), ipow<D>(extent));
      expect_faces_stored<D>(this->ex, topology);
    }
  const auto odd = box_domain<D>({Coord<D>::filled(3), Coord<D>::filled(24)}, Side::open);
  expect_faces_stored<D>(this->ex, Topology<D>::of_box(this->ex, odd));
}

TYPED_TEST(Grid, OnlyClosedWallsGoUnstored) {
  constexpr int D = TestFixture::dimension;
  const Box<D> box{{}, Coord<D>::filled(16)};
  const auto tiles = [&](Side side) {
    return Topology<D>::of_box(this->ex, box_domain<D>(box, side))->tile_count();
  };
  EXPECT_EQ(tiles(Side::wall), ipow<D>(2));
  EXPECT_EQ(tiles(Side::periodic), ipow<D>(2));
  EXPECT_EQ(tiles(Side::open), ipow<D>(2) + D * ipow<D - 1>(2));
  EXPECT_EQ(tiles(Side::inflow), ipow<D>(2) + D * ipow<D - 1>(2));
}

TYPED_TEST(Grid, PeriodicExtentsAreWholeTiles) {
  constexpr int D = TestFixture::dimension;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(20)}, Side::periodic);
  ASSERT_FALSE(validate(domain));
  EXPECT_NE(validate(domain).error().message.find("nearest is 24"), std::string::npos)
      << validate(domain).error().message;
  domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  EXPECT_TRUE(validate(domain));
  domain.sides[0][1] = Side::periodic;
  EXPECT_FALSE(validate(domain));
  EXPECT_FALSE(validate(box_domain<D>({{}, Coord<D>::filled(0)}, Side::open)));
}

// Row kernels against plain look-ups, cell by cell, across tile edges and where tiles are missing.
template <int D>
void expect_views_see_neighbours(Exec& ex, const TopologyPtr<D>& topology) {
  Field<float, D> f(ex, topology);
  for (std::size_t k = 0; k < f.size(); ++k) f.data()[k] = Rng(9, k).uniform(1, 2);
  const auto stored = [&](const Coord<D>& c) { return f.stores(c) ? f.get(c) : 0.f; };
  const FieldView<const float, D> view = std::as_const(f).view();
  const Crossing<D> stay(ex, topology, topology);
  const CrossView<const float, D> cross = f.view(stay);
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_rows_of_tile<D>(topology->tile_set(), tile, [&](const RowIndex<D>& r) {
      const Coord<D> first = topology->tiles()[std::size_t(tile)] * tile_side + r.at;
      for (int k = 0; k < tile_side; ++k) {
        const Coord<D> c = first + Coord<D>::unit(D - 1, k);
        CellIndex<D> i{tile, r.neighbours, r.at};
        i.at[D - 1] = k;
        ASSERT_EQ(view(r)[k], stored(c));
        ASSERT_EQ(view(i), stored(c));
        for (int a = 0; a < D; ++a)
          for (const int step : {-1, +1}) {
            const float expected = stored(c + Coord<D>::unit(a, step));
            ASSERT_EQ(view(r, a, step)[k], expected) << c << " axis " << a << " step " << step;
            ASSERT_EQ(view(i, a, step), expected);
            ASSERT_EQ(cross(r, a, step)[k], expected);
          }
      }
    });
}

TYPED_TEST(Grid, ViewsSeeNeighboursAcrossTiles) {
  constexpr int D = TestFixture::dimension;
  expect_views_see_neighbours<D>(this->ex, Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(30, 4)));
  const Box<D> box{{}, Coord<D>::filled(16)};
  expect_views_see_neighbours<D>(this->ex, Topology<D>::of_box(this->ex, box_domain<D>(box, Side::periodic)));
  const Box<D> one{{}, Coord<D>::filled(8)};
  expect_views_see_neighbours<D>(this->ex, Topology<D>::of_box(this->ex, box_domain<D>(one, Side::periodic)));
}

TYPED_TEST(Grid, ActiveBitsOfRowsAndCellsAgree) {
  constexpr int D = TestFixture::dimension;
  const auto domain = box_domain<D>({Coord<D>::filled(3), Coord<D>::filled(21)}, Side::open);
  const auto topology = Topology<D>::of_box(this->ex, domain);
  const TopologyView<D> view = topology->view();
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_rows_of_tile<D>(topology->tile_set(), tile, [&](const RowIndex<D>& r) {
      for (int k = 0; k < tile_side; ++k) {
        CellIndex<D> i{tile, r.neighbours, r.at};
        i.at[D - 1] = k;
        const Coord<D> cell = topology->tiles()[std::size_t(tile)] * tile_side + i.at;
        ASSERT_EQ(view.active_bits(r) >> k & 1, unsigned(domain.cells.contains(cell)));
        ASSERT_EQ(view.active_bits(i), unsigned(domain.cells.contains(cell)));
        for (int a = 0; a < D; ++a)
          for (const int step : {-1, +1}) {
            const unsigned expected = domain.cells.contains(cell + Coord<D>::unit(a, step));
            ASSERT_EQ(view.active_bits(r, a, step) >> k & 1, expected);
            ASSERT_EQ(view.active_bits(i, a, step), expected);
          }
      }
    });
}

TYPED_TEST(Grid, KernelsReadAcrossTopologies) {
  constexpr int D = TestFixture::dimension;
  const auto from = Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(30, 5));
  const auto to = Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(30, 6));
  Field<float, D> source(this->ex, from), target(this->ex, to);
  for (std::size_t k = 0; k < source.size(); ++k) source.data()[k] = Rng(3, k).uniform(1, 2);
  const Crossing<D> crossing(this->ex, from, to);
  const auto in = source.view(crossing);
  const auto out = target.view();
  for_rows(this->ex, to->tile_set(),
           [=](const RowIndex<D>& r) { out.store(r, in(r, 0, -1) + in(r, D - 1, +1)); });
  for (const Coord<D>& tile : to->tiles())
    for_each_coord(
        Box<D>{tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)}, [&](const Coord<D>& c) {
          const auto at = [&](const Coord<D>& x) { return source.stores(x) ? source.get(x) : 0.f; };
          ASSERT_EQ(target.get(c), at(c - Coord<D>::unit(0)) + at(c + Coord<D>::unit(D - 1)));
        });
}

TYPED_TEST(Grid, SumsAndMaximaVisitEveryCellOnce) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_tiles(this->ex, {}, random_tiles<D>(40, 7));
  Field<double, D> f(this->ex, topology);
  double sum = 0, most = 0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    f.data()[k] = double(Rng(4, k).bits() % 1024);  // whole numbers: any order gives the same sum
    sum += f.data()[k];
    most = std::max(most, f.data()[k]);
  }
  const auto v = std::as_const(f).view();
  EXPECT_EQ(sum,
            (sum_rows<double>(this->ex, topology->tile_set(), [=](const RowIndex<D>& r) { return v(r); })));
  EXPECT_EQ(most, (max_rows<double>(this->ex, topology->tile_set(), 0.,
                                    [=](const RowIndex<D>& r) { return v(r); })));
}

TYPED_TEST(Grid, FieldsStartFromTheirBackground) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_tiles(this->ex, {}, {{}});
  const Field<float, D> f(this->ex, topology, 3.f);
  EXPECT_EQ(f.get({}), 3.f);
  EXPECT_EQ(f.get(Coord<D>::filled(1000)), 3.f);
  EXPECT_FALSE(f.stores(Coord<D>::filled(1000)));
}

}  // namespace
}  // namespace whorl
