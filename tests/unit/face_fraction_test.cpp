// Open parts of faces against areas known exactly.
#include "geometry/face_fraction.h"
#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace whorl {
namespace {

template <int D>
double open_part(const Vec<double, D>& centre, int axis, double h, std::initializer_list<Shape<D>> solids) {
  std::vector<const Shape<D>*> list;
  for (const Shape<D>& solid : solids) list.push_back(&solid);
  return open_part_of_face<D>(centre, axis, h, list);
}

template <class T>
class FaceFraction : public testing::Test {
 public:
  static constexpr int dimension = T::value;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(FaceFraction, Dimensions);

// A plane across a face is met exactly, whatever its tilt: its distance is linear.
TYPED_TEST(FaceFraction, OfAPlaneIsExact) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5;
  for (std::uint64_t k = 0; k < 50; ++k)
    for (int axis = 0; axis < D; ++axis) {
      Vec<double, D> normal, centre;
      for (int a = 0; a < D; ++a) {
        normal[a] = double(Rng(1, k, std::uint64_t(a)).uniform(-1, 1));
        centre[a] = double(Rng(2, k, std::uint64_t(a)).uniform(-0.2f, 0.2f));
      }
      const Shape<D> plane = PlaneShape<D>{{}, normal};
      // By counting points.
      const int n = D == 2 ? 20000 : 400;
      double outside = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < (D == 2 ? 1 : n); ++j) {
          Vec<double, D> x = centre;
          const int u = (axis + 1) % D, v = (axis + D - 1) % D;
          x[u] += h * ((i + 0.5) / n - 0.5);
          if (D == 3) x[v] += h * ((j + 0.5) / n - 0.5);
          outside += plane.contains(x) ? 0 : 1;
        }
      EXPECT_NEAR(open_part<D>(centre, axis, h, {plane}), outside / n / (D == 2 ? 1 : n), 4e-3);
    }
}

// Two slabs with a gap between them, or that overlap, within one face.
TYPED_TEST(FaceFraction, SeesGapsAndOverlaps) {
  constexpr int D = TestFixture::dimension;
  const auto below = [](double y) {
    return PlaneShape<D>{Vec<double, D>::unit(1, y), Vec<double, D>::unit(1)};
  };
  const auto above = [](double y) {
    return PlaneShape<D>{Vec<double, D>::unit(1, y), Vec<double, D>::unit(1, -1.)};
  };
  const Vec<double, D> centre{};  // of a face across x
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(-0.2), above(0.1)}), 0.3, 1e-12);
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(0.3), above(0.1)}), 0, 1e-12);
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(0.1), below(0.3)}), 0.2, 1e-12);
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(-0.6)}), 1, 1e-12);
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(0.6)}), 0, 1e-12);
  EXPECT_NEAR(open_part<D>(centre, 0, 1., {below(0.4999)}), 1e-4, 1e-9);  // a sliver
}

// A corner that covers a quarter of a face.
TEST(FaceFractionOfCorner, IsAQuarter) {
  const Shape<3> box = BoxShape<3>{{-1, 0, 0}, {1, 5, 5}};
  EXPECT_NEAR(open_part<3>({0, 0, 0}, 0, 1., {box}), 0.75, 0.05);
  EXPECT_NEAR(open_part<3>({0, 0.25, 0.25}, 0, 1., {box}), 1 - 0.75 * 0.75, 0.07);
}

// The fluxes of a closed surface: the open parts round a ball add up to its shadow along each axis.
TEST(FaceFractionOfBall, CoversItsShadow) {
  const Shape<3> ball = SphereShape<3>{{0.1, -0.2, 0.05}, 2.3};
  double covered = 0;
  for (int j = -4; j < 4; ++j)
    for (int k = -4; k < 4; ++k) covered += 1 - open_part<3>({0.1, j + 0.5, k + 0.5}, 0, 1., {ball});
  EXPECT_NEAR(covered, M_PI * 2.3 * 2.3, 0.02 * M_PI * 2.3 * 2.3);
}

}  // namespace
}  // namespace whorl
