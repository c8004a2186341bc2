// Retiling: which tiles come, stay and go.
#include "grid/retile.h"

#include <gtest/gtest.h>

#include <set>

namespace whorl {
namespace {

template <class T>
class Retile : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Retile, Dimensions);

// Marks single cells of a topology.
template <int D>
CellMask<D> marked(Exec& ex, const TopologyPtr<D>& topology, const std::vector<Coord<D>>& cells) {
  Field<float, D> f(ex, topology);
  for (const Coord<D>& c : cells) f.set(c, 1);
  const auto view = std::as_const(f).view();
  return cells_where(ex, topology, [=](const RowIndex<D>& r) { return view(r) > Lane<float>(0.f); });
}

// Tiles with a cell within `reach` of one of the cells, found the slow way.
template <int D>
std::set<Coord<D>> tiles_near(const std::vector<Coord<D>>& cells, int reach) {
  std::set<Coord<D>> tiles;
  for (const Coord<D>& c : cells)
    for_each_coord(Box<D>{c - Coord<D>::filled(reach), c + Coord<D>::filled(reach + 1)},
                   [&](const Coord<D>& x) {
                     Coord<D> tile;
                     for (int a = 0; a < D; ++a) tile[a] = int(std::floor(double(x[a]) / tile_side));
                     tiles.insert(tile);
                   });
  return tiles;
}

template <int D>
std::set<Coord<D>> active_tiles(const Topology<D>& topology) {
  std::set<Coord<D>> tiles;
  for (int t = 0; t < topology.tile_count(); ++t)
    if (topology.has_active(t)) tiles.insert(topology.tiles()[std::size_t(t)]);
  return tiles;
}

TYPED_TEST(Retile, DilatesByCellsNotTiles) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(8)});
  std::vector<Coord<D>> cells{Coord<D>::filled(3), Coord<D>::filled(-1)};
  cells.back()[0] = -6;
  for (int reach = 1; reach <= 19; ++reach) {
    const auto next =
        retile(this->ex, topology, marked(this->ex, topology, cells), {.reach = reach, .hysteresis = 0});
    EXPECT_EQ(active_tiles(*next), tiles_near(cells, reach)) << "reach " << reach;
  }
}

TYPED_TEST(Retile, KeepsThePointerWhenNothingChanges) {
  constexpr int D = TestFixture::dimension;
  const auto start = Topology<D>::of_tiles(this->ex, {}, {{}});
  const std::vector<Coord<D>> cells{Coord<D>::filled(4)};
  const auto once = retile(this->ex, start, marked(this->ex, start, cells), {.reach = 6, .hysteresis = 4});
  EXPECT_NE(once, start);
  EXPECT_EQ(retile(this->ex, once, marked(this->ex, once, cells), {.reach = 6, .hysteresis = 4}), once);
}

TYPED_TEST(Retile, TilesStayWithinTheHysteresisAndGoBeyondIt) {
  constexpr int D = TestFixture::dimension;
  const RetileParams params{.reach = 2, .hysteresis = 3};
  const auto cell_at = [](int x) {
    return std::vector<Coord<D>>{Coord<D>::unit(0, x) + Coord<D>::filled(4)};
  };
  auto topology = Topology<D>::of_tiles(this->ex, {}, {{}});
  topology = retile(this->ex, topology, marked(this->ex, topology, cell_at(2)), params);  // x = 6 reaches 8
  ASSERT_EQ(topology->active_tiles(), 2);
  const auto stays =
      retile(this->ex, topology, marked(this->ex, topology, cell_at(-1)), params);  // 3 + 5 reaches 8
  EXPECT_EQ(stays, topology);
  const auto goes = retile(this->ex, topology, marked(this->ex, topology, cell_at(-2)), params);
  EXPECT_EQ(goes->active_tiles(), 1);
}

TYPED_TEST(Retile, StaysInsideTheDomainAndWraps) {
  constexpr int D = TestFixture::dimension;
  for (const Side side : {Side::wall, Side::open, Side::periodic}) {
    const auto domain = box_domain<D>({{}, Coord<D>::filled(24)}, side);
    const auto topology = Topology<D>::of_box(this->ex, domain);
    const std::vector<Coord<D>> corner{{}};
    const auto next =
        retile(this->ex, topology, marked(this->ex, topology, corner), {.reach = 3, .hysteresis = 0});
    EXPECT_EQ(next->active_tiles(), side == Side::periodic ? ipow<D>(2) : 1);
  }
}

TYPED_TEST(Retile, SourcesHaveTheirTilesFromTheStart) {
  constexpr int D = TestFixture::dimension;
  const auto empty = Topology<D>::of_tiles(this->ex, {}, {});
  const Box<D> source{Coord<D>::filled(20), Coord<D>::filled(23)};
  const auto next =
      retile<D>(this->ex, empty, marked<D>(this->ex, empty, {}), {.reach = 6, .hysteresis = 0}, {{source}});
  EXPECT_EQ(active_tiles(*next), tiles_near<D>({Coord<D>::filled(20), Coord<D>::filled(22)}, 6));
}

TYPED_TEST(Retile, CarriesFieldsOver) {
  constexpr int D = TestFixture::dimension;
  const auto from = Topology<D>::of_tiles(this->ex, {}, {{}});
  const auto to = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(16)});
  Field<float, D> f(this->ex, from, 5.f);
  f.set(Coord<D>::filled(3), 1.f);
  const Field<float, D> moved = carry_over(this->ex, f, Crossing<D>(this->ex, from, to));
  EXPECT_EQ(moved.topology(), to);
  EXPECT_EQ(moved.get(Coord<D>::filled(3)), 1.f);
  EXPECT_EQ(moved.get(Coord<D>::filled(4)), 5.f);
  EXPECT_EQ(moved.get(Coord<D>::filled(-3)), 5.f);
  EXPECT_EQ(moved.background(), 5.f);
}

}  // namespace
}  // namespace whorl
