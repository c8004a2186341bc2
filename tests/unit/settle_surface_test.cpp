// The friction of a surface that rises and sinks.
#include "stages/settle_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace whorl {
namespace {

constexpr int n = 16;
constexpr double h = 0.1, g = 9.81, dt = 0.02;

template <class T>
class SettleSurface : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(SettleSurface, Dimensions);

// Liquid up to 7.7 cells, which reaches the faces below 8.5; how far its surface is moved up, in cells.
template <int D>
struct Pool {
  Exec ex;
  TopologyPtr<D> topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  Field<float, D> phi{ex, topology};
  MacField<float, D> velocity{ex, topology}, weight{ex, topology};
  Vec<double, D> gravity{};

  Pool(int up, double rise, double towards = -g) {
    gravity[up] = towards;
    for_each_coord(topology->domain().cells, [&](const Coord<D>& cell) {
      phi.set(cell, float(h * (cell[up] + 0.5 - 7.7)));
      for (int a = 0; a < D; ++a) {
        if (cell[up] > (a == up ? 8 : 7)) continue;
        weight[a].set(cell, 1);
        velocity[a].set(cell, float(a == up ? rise + towards * dt : 0.3));
      }
    });
    settle_surface(ex, phi, velocity, weight, gravity, h, dt);
  }
  double moved(int y, int up) const {
    Coord<D> cell = Coord<D>::filled(5);
    cell[up] = y;
    return y + 0.5 - 7.7 - double(phi.get(cell)) / h;
  }
};

TYPED_TEST(SettleSurface, CountsAsHigherWhereItRises) {
  constexpr int D = TypeParam::value;
  const double fast = std::sqrt(g * h);
  for (int up = 0; up < D; ++up)
    for (const int y : {6, 7, 8}) {  // the last by its low face alone
      EXPECT_NEAR(Pool<D>(up, fast).moved(y, up), 0.003, 1e-5);
      EXPECT_NEAR(Pool<D>(up, -fast).moved(y, up), -0.003, 1e-5);
      EXPECT_NEAR(Pool<D>(up, 0).moved(y, up), 0, 1e-5);
      EXPECT_NEAR(Pool<D>(up, 0.01 * fast).moved(y, up), 0.0015, 1e-5);
      EXPECT_NEAR(Pool<D>(up, fast, g).moved(y, up), -0.003, 1e-5) << "gravity upwards";
    }
}

TYPED_TEST(SettleSurface, ActsNearTheSurfaceAndUnderGravityAlone) {
  constexpr int D = TypeParam::value;
  EXPECT_EQ(Pool<D>(0, 1).moved(5, 0), Pool<D>(0, 0).moved(5, 0));
  EXPECT_NEAR(Pool<D>(0, 1).moved(3, 0), 0, 1e-5);
  EXPECT_NEAR(Pool<D>(0, 1, 0).moved(7, 0), 0, 1e-5);
}

}  // namespace
}  // namespace whorl
