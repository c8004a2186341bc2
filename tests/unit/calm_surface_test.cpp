// What the calming of a surface takes away, and what it leaves.
#include "stages/calm_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl {
namespace {

constexpr int n = 48;
constexpr double h = 0.1;

template <class T>
class CalmSurface : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CalmSurface, Dimensions);

// A surface by its distance in cells, known up to two cells from it as one from particles is.
template <int D>
struct Surface {
  Exec ex;
  TopologyPtr<D> topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::periodic));
  Field<float, D> phi{ex, topology}, before{ex, topology}, solids{ex, topology};

  template <class F>
  explicit Surface(const F& distance) {
    for_each_coord(topology->domain().cells, [&](const Coord<D>& cell) {
      Vec<double, D> x;
      for (int a = 0; a < D; ++a) x[a] = cell[a] + 0.5;
      phi.set(cell, float(h * std::clamp(double(distance(x)), -2., 2.)));
      solids.set(cell, 1e9f);
    });
    before = phi.clone(ex);
  }
  void calm() { calm_surface(ex, phi, solids, h); }
  double change(const Coord<D>& cell) const { return double(phi.get(cell) - before.get(cell)) / h; }
  double greatest_change() const {
    double most = 0;
    for_each_coord(topology->domain().cells,
                   [&](const Coord<D>& cell) { most = std::max(most, std::abs(change(cell))); });
    return most;
  }
};

// How much is left of a wave on deep water, of so many cells' length and a tenth of a cell's height.
template <int D>
double left_of_wave(double length, int along, int up) {
  constexpr double height = 0.1;
  const auto wave = [&](double x) { return height * std::cos(2 * std::numbers::pi * x / length); };
  Surface<D> s([&](const Vec<double, D>& x) { return x[up] < 6 ? 2 : x[up] - 24.2 - wave(x[along]); });
  s.calm();
  // From the height of the surface over crests and troughs alike, by the rows that it is between.
  double sum = 0, all = 0;
  for (int k = 0; k < n; ++k) {
    Coord<D> at = Coord<D>::filled(4);
    at[along] = k;
    at[up] = 23;
    const double below = double(s.phi.get(at)), above = double(s.phi.get(at + Coord<D>::unit(up)));
    const double found = 23.5 + below / (below - above) - 24.2;
    sum += found * wave(k + 0.5);
    all += wave(k + 0.5) * wave(k + 0.5);
  }
  return sum / all;
}

TYPED_TEST(CalmSurface, TakesShortWavesAndLeavesLongOnes) {
  constexpr int D = TypeParam::value;
  for (int up = 0; up < D; ++up) {
    const int along = (up + 1) % D;
    const double three = left_of_wave<D>(3, along, up), six = left_of_wave<D>(6, along, up),
                 twelve = left_of_wave<D>(12, along, up), long_one = left_of_wave<D>(48, along, up);
    std::printf("left of waves of 3, 6, 12 and 48 cells: %.4f %.4f %.4f %.4f\n", three, six, twelve,
                long_one);
    EXPECT_NEAR(three, 0, 0.2);
    EXPECT_LT(six, 0.95);
    EXPECT_NEAR(twelve, 1.03, 0.01);
    EXPECT_NEAR(long_one, 1.004, 0.002);
  }
}

// Along every axis alike, wherever tiles begin.
TYPED_TEST(CalmSurface, LeavesTheDepthsAlone) {
  constexpr int D = TypeParam::value;
  for (int up = 0; up < D; ++up)
    for (const double level : {21.3, 24.2, 27.9}) {
      Surface<D> s([&](const Vec<double, D>& x) {
        return x[up] < 6 ? 2 : x[up] - level - 0.3 * std::sin(2 * x[(up + 1) % D]);
      });
      s.calm();
      for_each_coord(s.topology->domain().cells, [&](const Coord<D>& cell) {
        if (cell[up] < 12) return;  // of the surface below
        const double depth = level - cell[up] - 0.5;
        if (depth > 2.5) {
          EXPECT_LE(s.phi.get(cell), float(-1.5 * h)) << depth << " cells deep, axis " << up;
        }
        if (depth > 6) {
          EXPECT_EQ(s.change(cell), 0) << depth << " cells deep, axis " << up;
        }
      });
    }
}

TYPED_TEST(CalmSurface, LeavesSheetsAndDropsAlone) {
  constexpr int D = TypeParam::value;
  Surface<D> sheet([](const Vec<double, D>& x) { return std::abs(x[1] - 24.3) - 1.2; });
  sheet.calm();
  EXPECT_EQ(sheet.greatest_change(), 0);
  Surface<D> drop([](const Vec<double, D>& x) { return length(x - Vec<double, D>::filled(24.3)) - 1.3; });
  drop.calm();
  EXPECT_EQ(drop.greatest_change(), 0);
}

TYPED_TEST(CalmSurface, LeavesWhatIsNextToSolidsAlone) {
  constexpr int D = TypeParam::value;
  Surface<D> s([](const Vec<double, D>& x) { return x[1] < 6 ? 2 : x[1] - 24.2 - 0.3 * std::sin(2 * x[0]); });
  for_each_coord(s.topology->domain().cells,
                 [&](const Coord<D>& cell) { s.solids.set(cell, float(h * (cell[0] - 7.5))); });
  s.calm();
  EXPECT_GT(s.greatest_change(), 0.05);
  for_each_coord(s.topology->domain().cells, [&](const Coord<D>& cell) {
    if (cell[0] < 8) {
      EXPECT_EQ(s.change(cell), 0) << cell[0];
    }
  });
}

}  // namespace
}  // namespace whorl
