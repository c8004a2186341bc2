// The edge of the grid takes on the wind, and nothing else does.
#include "stages/relax_edge.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

// Cells from the outermost to a place, along the axes for which `counts` is true.
template <int D>
int depth(const Coord<D>& cell, const Box<D>& box, const auto& counts) {
  int least = 1000;
  for (int a = 0; a < D; ++a)
    for (const int end : {0, 1})
      if (counts(a, end)) least = std::min(least, end ? box.hi[a] - 1 - cell[a] : cell[a] - box.lo[a]);
  return least;
}

template <int D>
void expect_relaxed(Exec& ex, const Domain<D>& domain, const Box<D>& box, const auto& counts) {
  constexpr int layers = 5;
  const double rate_dt = 3;
  const auto topology = Topology<D>::of_box(ex, domain, box);
  const Vec<float, D> wind = Vec<float, D>::filled(2.f);
  MacField<float, D> u(ex, topology, wind);
  randomise(u, 8);
  const MacField<float, D> before = u.clone(ex);
  relax_edge(ex, u, layers, rate_dt / 0.1, 0.1);
  int calmed = 0, untouched = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      for (const Coord<D>& face : {c, c + Coord<D>::unit(a)}) {
        const Coord<D> below = face - Coord<D>::unit(a);
        int layer = 1000;  // of the cell nearer to the edge
        for (const Coord<D>& cell : {face, below})
          if (box.contains(cell)) layer = std::min(layer, depth<D>(cell, box, counts));
        const float was = before[a].get(face), found = u[a].get(face);
        if (layer >= layers) {
          ASSERT_EQ(found, was) << face << " axis " << a;
          ++untouched;
          continue;
        }
        const double near = 1 - double(layer) / layers;
        ASSERT_NEAR(found, 2 + (was - 2) / (1 + rate_dt * near * near), 1e-5) << face << " axis " << a;
        ++calmed;
      }
  });
  EXPECT_GT(calmed, 100);
  EXPECT_GT(untouched, 100);
}

TYPED_TEST(Stages, TheSparseEdgeTakesOnTheWind) {
  constexpr int D = TestFixture::dimension;
  expect_relaxed<D>(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(16)},
                    [](int, int) { return true; });
}

TYPED_TEST(Stages, WallsAndInflowsDoNotTakeOnTheWind) {
  constexpr int D = TestFixture::dimension;
  const Domain<D> domain = mixed_domain<D>();  // open at the high end of the second axis, and along a third
  expect_relaxed<D>(this->ex, domain, domain.cells, [](int a, int end) { return a == 2 || (a == 1 && end); });
}

TYPED_TEST(Stages, PeriodicAirHasNoEdge) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::periodic));
  MacField<float, D> u(this->ex, topology);
  randomise(u, 8);
  const MacField<float, D> before = u.clone(this->ex);
  relax_edge(this->ex, u, 4, 100, 0.1);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) ASSERT_EQ(u[a].get(c), before[a].get(c)) << c;
  });
}

// A disturbance at the edge dies away to the wind, however strong the rate.
TYPED_TEST(Stages, ADisturbanceAtTheEdgeDecays) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, {}, {{}, Coord<D>::filled(24)});
  for (const double rate : {2., 1e5}) {
    MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
    const Coord<D> at_edge = Coord<D>::filled(1), inside = Coord<D>::filled(12);
    u[0].set(at_edge, 9.f), u[0].set(inside, 9.f);
    float last = 9;
    for (int k = 0; k < 40; ++k) {
      relax_edge(this->ex, u, 8, rate, 0.1);
      const float now = u[0].get(at_edge);
      ASSERT_TRUE(now >= 1 && (now < last || now == 1)) << now;
      last = now;
    }
    EXPECT_NEAR(last, 1, 0.05);
    EXPECT_EQ(u[0].get(inside), 9.f);
  }
}

}  // namespace
}  // namespace whorl
