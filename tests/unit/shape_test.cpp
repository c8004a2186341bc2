// Analytic shapes: distances worked out by hand, and what must hold of every shape in both dimensions.
#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace whorl {
namespace {

template <int D>
using Point = Vec<double, D>;

template <int D>
double norm(const Point<D>& x) {
  double sum = 0;
  for (int a = 0; a < D; ++a) sum += x[a] * x[a];
  return std::sqrt(sum);
}

// ---- by hand

TEST(Shape, BoxDistances) {
  const Shape<3> box(BoxShape<3>{{0, 0, 0}, {2, 4, 6}});
  EXPECT_DOUBLE_EQ(box.distance({1, 2, 3}), -1);
  EXPECT_DOUBLE_EQ(box.distance({1, 2, 5.75}), -0.25);
  EXPECT_DOUBLE_EQ(box.distance({1, 7, 3}), 3);
  EXPECT_DOUBLE_EQ(box.distance({5, 8, 3}), 5);
  EXPECT_DOUBLE_EQ(box.distance({-1, -2, 8}), 3);
  const Shape<2> flat(BoxShape<2>{{-1, -1}, {1, 1}});
  EXPECT_DOUBLE_EQ(flat.distance({4, 5}), 5);
  EXPECT_DOUBLE_EQ(flat.distance({0, 0.5}), -0.5);
}

TEST(Shape, SphereAndCapsuleDistances) {
  const Shape<3> sphere(SphereShape<3>{{1, 0, 0}, 2});
  EXPECT_DOUBLE_EQ(sphere.distance({1, 0, 0}), -2);
  EXPECT_DOUBLE_EQ(sphere.distance({4, 4, 0}), 3);
  const Shape<3> capsule(CapsuleShape<3>{{0, 0, 0}, {10, 0, 0}, 1});
  EXPECT_DOUBLE_EQ(capsule.distance({5, 0, 3}), 2);
  EXPECT_DOUBLE_EQ(capsule.distance({13, 4, 0}), 4);
  EXPECT_DOUBLE_EQ(capsule.distance({-0.5, 0, 0}), -0.5);
  EXPECT_DOUBLE_EQ(Shape<2>(CapsuleShape<2>{{1, 1}, {1, 1}, 1}).distance({1, 4}), 2) << "of no length";
}

TEST(Shape, CylinderDistances) {
  const Shape<3> cylinder(CylinderShape<3>{{0, 1, 0}, 2, 4, ShapeAxis::y});  // y from -1 to 3
  EXPECT_DOUBLE_EQ(cylinder.distance({0, 1, 0}), -2);
  EXPECT_DOUBLE_EQ(cylinder.distance({0, 2.5, 0}), -0.5);
  EXPECT_DOUBLE_EQ(cylinder.distance({0, 6, 1}), 3);
  EXPECT_DOUBLE_EQ(cylinder.distance({3, 1, 4}), 3);
  EXPECT_DOUBLE_EQ(cylinder.distance({0, 7, 5}), 5);
  const Shape<3> lying(CylinderShape<3>{{0, 0, 0}, 1, 8, ShapeAxis::x});
  EXPECT_DOUBLE_EQ(lying.distance({7, 0, 0}), 3);
  EXPECT_DOUBLE_EQ(lying.distance({0, 0, 3}), 2);
}

TEST(Shape, PlaneAndTorusDistances) {
  const Shape<3> ground(PlaneShape<3>{{0, 1, 0}, {0, 5, 0}});
  EXPECT_DOUBLE_EQ(ground.distance({9, 4, 9}), 3);
  EXPECT_DOUBLE_EQ(ground.distance({9, -1, 9}), -2);
  const Shape<2> slope(PlaneShape<2>{{0, 0}, {3, 4}});
  EXPECT_DOUBLE_EQ(slope.distance({3, 4}), 5);
  const Shape<3> torus(TorusShape<3>{{0, 0, 0}, 5, 1, ShapeAxis::y});
  EXPECT_DOUBLE_EQ(torus.distance({5, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(torus.distance({3, 0, 4}), -1);
  EXPECT_DOUBLE_EQ(torus.distance({0, 0, 0}), 4);
  EXPECT_DOUBLE_EQ(torus.distance({8, 4, 0}), 4);
}

TEST(Shape, RoundShapesIn2DAreSections) {
  const Shape<2> rectangle(CylinderShape<2>{{0, 0}, 1, 6, ShapeAxis::y});
  EXPECT_DOUBLE_EQ(rectangle.distance({4, 7}), 5);
  const Shape<2> disc(CylinderShape<2>{{0, 0}, 1, 6, ShapeAxis::z});
  EXPECT_DOUBLE_EQ(disc.distance({3, 4}), 4);
  EXPECT_DOUBLE_EQ(disc.distance({0, 0}), -1);
  const Shape<2> two_discs(TorusShape<2>{{0, 0}, 5, 1, ShapeAxis::y});
  EXPECT_DOUBLE_EQ(two_discs.distance({-5, 0}), -1);
  EXPECT_DOUBLE_EQ(two_discs.distance({0, 5}), std::sqrt(50.0) - 1);
  const Shape<2> ring(TorusShape<2>{{0, 0}, 5, 1, ShapeAxis::z});
  EXPECT_DOUBLE_EQ(ring.distance({0, 5}), -1);
}

TEST(Shape, CombinesParts) {
  const Shape<2> left(SphereShape<2>{{-1, 0}, 2}), right(SphereShape<2>{{1, 0}, 2});
  const Shape<2> both(UnionShape<2>{{left, right}}), lens(IntersectionShape<2>{{left, right}});
  const Shape<2> moon(DifferenceShape<2>{{left, right}}), outside(ComplementShape<2>{{left}});
  EXPECT_DOUBLE_EQ(both.distance({-5, 0}), 2);
  EXPECT_DOUBLE_EQ(both.distance({5, 0}), 2);
  EXPECT_DOUBLE_EQ(lens.distance({0, 0}), -1);
  EXPECT_GT(lens.distance({2, 0}), 0);
  EXPECT_DOUBLE_EQ(moon.distance({-2, 0}), -1);
  EXPECT_DOUBLE_EQ(moon.distance({0, 0}), 1);
  EXPECT_DOUBLE_EQ(outside.distance({-1, 0}), 2);
  EXPECT_FALSE(Shape<2>().contains({0, 0})) << "nothing is the empty shape";
}

TEST(Shape, RotatesAnticlockwiseAboutXThenYThenZ) {
  const auto near = [](const Point<3>& got, const Point<3>& want) {
    EXPECT_LT(norm(got - want), 1e-12) << got;
  };
  near(rotation<3>(Angles<3>{90, 0, 0}).apply({0, 1, 0}), {0, 0, 1});
  near(rotation<3>(Angles<3>{0, 90, 0}).apply({0, 0, 1}), {1, 0, 0});
  near(rotation<3>(Angles<3>{0, 0, 90}).apply({1, 0, 0}), {0, 1, 0});
  near(rotation<3>(Angles<3>{90, 90, 0}).apply({0, 1, 0}), {1, 0, 0});  // y to z, z to x
  near(rotation<3>(Angles<3>{90, 0, 90}).apply({0, 1, 0}), {0, 0, 1});  // y to z, and z stays
  EXPECT_LT(norm(rotation<2>(Angles<2>{90}).apply({1, 0}) - Point<2>{0, 1}), 1e-12);
}

TEST(Shape, TransformScalesThenRotatesThenMoves) {
  const Shape<2> box(BoxShape<2>{{0, 0}, {2, 1}});
  const Shape<2> moved(TransformShape<2>{{box}, {10, 0}, {90}, 3});  // x from 7 to 10, y from 0 to 6
  const Shape<2> same(BoxShape<2>{{7, 0}, {10, 6}});
  for (const Point<2> at : {Point<2>{8, 3}, {3, 3}, {12, 8}, {9.5, 5.9}, {0, 0}})
    EXPECT_NEAR(moved.distance(at), same.distance(at), 1e-12) << at;
}

// ---- of every shape

// Unbounded shapes are left to the tests above: random points round the origin would see one side only.
template <int D>
std::vector<std::pair<std::string, Shape<D>>> zoo() {
  const auto at = [](double x, double y, double z) {
    Point<D> p{x, y};
    if constexpr (D == 3) p[2] = z;
    return p;
  };
  const Shape<D> box(BoxShape<D>{at(-0.6, -0.4, -0.5), at(0.5, 0.7, 0.6)});
  const Shape<D> ball(SphereShape<D>{at(0.2, -0.1, 0.1), 0.6});
  const Shape<D> torus(TorusShape<D>{at(0, 0.1, 0), 0.5, 0.2, ShapeAxis::z});
  Angles<D> turn = Angles<D>::filled(35);
  return {{"box", box},
          {"sphere", ball},
          {"capsule", CapsuleShape<D>{at(-0.4, -0.3, 0.2), at(0.3, 0.5, -0.1), 0.3}},
          {"cylinder", CylinderShape<D>{at(0.1, 0, 0), 0.4, 0.9, ShapeAxis::y}},
          {"plane", PlaneShape<D>{at(0.1, 0.1, 0), at(1, 2, -0.5)}},
          {"torus", torus},
          {"union", UnionShape<D>{{box, ball}}},
          {"intersection", IntersectionShape<D>{{box, ball}}},
          {"difference", DifferenceShape<D>{{box, ball}}},
          {"complement", ComplementShape<D>{{torus}}},
          {"transform", TransformShape<D>{{box}, at(0.2, 0.1, -0.1), turn, 0.8}}};
}

template <class Dimension>
class ShapeZoo : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ShapeZoo, Dimensions);

template <int D, class F>
void at_random_points(F&& f) {
  for (std::uint64_t i = 0; i < 400; ++i) {
    Point<D> p;
    for (int a = 0; a < D; ++a)
      p[a] = 3 * (std::fmod(double(i + 1) * (0.618033988 + 0.211324865 * a), 1) - 0.5);
    f(p);
  }
}

TYPED_TEST(ShapeZoo, GradientHasLengthOneAlmostEverywhere) {
  constexpr int D = TypeParam::value;
  for (const auto& [name, shape] : zoo<D>()) {
    int creased = 0;
    at_random_points<D>([&, &shape = shape](const Point<D>& p) {
      Point<D> gradient;
      for (int a = 0; a < D; ++a) {
        const auto e = Point<D>::unit(a, 1e-6);
        gradient[a] = (shape.distance(p + e) - shape.distance(p - e)) / 2e-6;
      }
      creased += std::abs(norm(gradient) - 1) > 1e-5;
    });
    EXPECT_LE(creased, 2) << name;
  }
}

TYPED_TEST(ShapeZoo, NothingOfTheSurfaceIsNearerThanTheDistance) {
  constexpr int D = TypeParam::value;
  for (const auto& [name, shape] : zoo<D>()) {
    at_random_points<D>([&, &name = name, &shape = shape](const Point<D>& p) {
      const double d = shape.distance(p);
      at_random_points<D>([&](const Point<D>& direction) {
        const Point<D> q = p + direction * (0.999 * std::abs(d) / norm(direction));
        ASSERT_GT(shape.distance(q) * d, 0) << name << " at " << p << ": the sign changes within " << d;
      });
    });
  }
}

TYPED_TEST(ShapeZoo, BoundsHoldTheShape) {
  constexpr int D = TypeParam::value;
  for (const auto& [name, shape] : zoo<D>()) {
    const Bounds<D> bounds = shape.bounds();
    EXPECT_FALSE(bounds.empty()) << name;
    at_random_points<D>([&, &name = name, &shape = shape](const Point<D>& p) {
      if (!shape.contains(p)) return;
      for (int a = 0; a < D; ++a) EXPECT_TRUE(bounds.lo[a] <= p[a] && p[a] <= bounds.hi[a]) << name << p;
    });
  }
}

TYPED_TEST(ShapeZoo, MovingAShapeMovesItsDistances) {
  constexpr int D = TypeParam::value;
  Angles<D> turn{};
  for (int i = 0; i < D * (D - 1) / 2; ++i) turn[i] = 20 + 30 * i;
  const auto shift = Point<D>::filled(0.3);
  const Rotation<D> r = rotation<D>(turn);
  for (const auto& [name, shape] : zoo<D>()) {
    const Shape<D> moved(TransformShape<D>{{shape}, shift, turn, 1.7});
    at_random_points<D>([&, &name = name, &shape = shape](const Point<D>& p) {
      ASSERT_NEAR(moved.distance(r.apply(p * 1.7) + shift), 1.7 * shape.distance(p), 1e-12) << name;
    });
  }
}

TEST(Shape, BoundsAreAsTightAsTheyCanBe) {
  const auto expect = [](const Shape<2>& s, const Bounds<2>& want) {
    const Bounds<2> got = s.bounds();
    EXPECT_EQ(got.lo, want.lo);
    EXPECT_EQ(got.hi, want.hi);
  };
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Shape<2> a(BoxShape<2>{{0, 0}, {2, 1}}), b(SphereShape<2>{{3, 0}, 2});
  expect(UnionShape<2>{{a, b}}, {{0, -2}, {5, 2}});
  expect(IntersectionShape<2>{{a, b}}, {{1, 0}, {2, 1}});
  expect(DifferenceShape<2>{{a, b}}, {{0, 0}, {2, 1}});
  expect(PlaneShape<2>{{0, 3}, {0, 2}}, {{-inf, -inf}, {inf, 3}});
  expect(PlaneShape<2>{{0, 3}, {0, -2}}, {{-inf, 3}, {inf, inf}});
  expect(TorusShape<2>{{0, 0}, 5, 1, ShapeAxis::y}, {{-6, -1}, {6, 1}});
  expect(ComplementShape<2>{{a}}, {{-inf, -inf}, {inf, inf}});
  EXPECT_TRUE(Shape<2>().bounds().empty());
  EXPECT_TRUE(a.bounds().overlaps(b.bounds()));
  EXPECT_FALSE(a.bounds().overlaps({{2, 0}, {3, 1}})) << "touching";
}

}  // namespace
}  // namespace whorl
