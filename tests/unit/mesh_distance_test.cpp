// The signed distance of meshes, whole and broken.
#include "geometry/mesh_distance.h"
#include "mesh_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace whorl {
namespace {

// The most that the distance changes over a path, by the length of it: paths of random ends in small steps.
double steepest(const MeshDistance& distance, double reach, int paths, double step) {
  Rng rng(7, 0);
  double most = 0;
  for (int i = 0; i < paths; ++i) {
    const Point3 from = random_point(rng, reach), to = random_point(rng, reach);
    const int steps = int(length(to - from) / step) + 1;
    double before = distance.distance(from);
    for (int k = 1; k <= steps; ++k) {
      const double now = distance.distance(from + (to - from) * (double(k) / steps));
      most = std::max(most, std::abs(now - before) * steps / length(to - from));
      before = now;
    }
  }
  return most;
}

TEST(MeshDistance, OfABall) {
  Exec ex({.threads = 2});
  const MeshDistance ball(ex, ball_mesh(5), 2. / 64);
  EXPECT_EQ(ball.boundary_edges(), 0);
  EXPECT_TRUE(ball.has_inside());
  const double h = ball.cell_size(), flat = 1e-3;  // the triangles are chords of the sphere
  Rng rng(1, 0);
  for (int i = 0; i < 20000; ++i) {
    const Point3 x = random_point(rng, i % 2 ? 1.3 : 5);
    const double exact = length(x) - 1, found = ball.distance(x);
    // Curvature 1 / r: trilinear is off by h² / 4r in the band, as much as the coarser cells outside it.
    const double tolerance = std::abs(exact) < 3 * h ? h * h / 2 + flat : 0.1 * std::abs(exact);
    EXPECT_NEAR(found, exact, tolerance) << x;
    EXPECT_TRUE(std::abs(exact) < flat || (found < 0) == (exact < 0)) << x;
  }
  EXPECT_LT(steepest(ball, 3, 200, 0.003), 1.5);
  EXPECT_NEAR(ball.distance({40, 0, 30}), 49, flat) << "far beyond the grids it is exact";
}

TEST(MeshDistance, OfABallIsOfSecondOrderInTheCell) {
  Exec ex({.threads = 2});
  const TriangleMesh mesh = ball_mesh(6);
  double worst[2] = {0, 0};
  for (const int k : {0, 1}) {
    const MeshDistance ball(ex, mesh, k == 0 ? 0.2 : 0.1);
    Rng rng(2, 0);
    for (int i = 0; i < 20000; ++i) {
      const Point3 x = normalised(random_point(rng, 1)) * (1 + 0.15 * double(rng.uniform(-1, 1)));
      worst[k] = std::max(worst[k], std::abs(ball.distance(x) - (length(x) - 1)));
    }
  }
  EXPECT_GT(worst[0] / worst[1], 3.2);
}

TEST(MeshDistance, OfABoxIsExactBesideItsFaces) {
  Exec ex({.threads = 2});
  const MeshDistance mesh(ex, box_mesh({-1, -0.5, -0.25}, {1, 0.5, 0.25}), 0.05);
  const Shape<3> box(BoxShape<3>{{-1, -0.5, -0.25}, {1, 0.5, 0.25}});
  EXPECT_EQ(mesh.bounds().hi, (Point3{1, 0.5, 0.25}));
  Rng rng(3, 0);
  for (int i = 0; i < 2000; ++i) {
    const double u = 0.7 * double(rng.uniform(-1, 1)), v = 0.3 * double(rng.uniform(-1, 1));
    const double off = 0.14 * double(rng.uniform(-1, 1));
    for (const Point3& x : {Point3{u, v, 0.25 + off}, Point3{u, -0.5 + off, 0.2 * v}})
      EXPECT_NEAR(mesh.distance(x), box.distance(x), 1e-6) << x;
  }
  for (int i = 0; i < 5000; ++i) {  // anywhere
    const Point3 x = random_point(rng, 2);
    const double exact = box.distance(x), coarse = exact > 0 ? 0.05 : 0.25;  // inside there is an edge
    EXPECT_NEAR(mesh.distance(x), exact, 0.02 + coarse * std::abs(exact)) << x;
  }
}

TEST(MeshDistance, FlippedFacesChangeNothing) {
  Exec ex({.threads = 2});
  const TriangleMesh lump = plain_obj(WHORL_SCENES "/meshes/lump.obj");
  TriangleMesh flipped = lump;
  flip_some(flipped, 0.4);
  const MeshDistance whole(ex, lump, 0.03), other(ex, soup(flipped), 0.03);
  Rng rng(4, 0);
  for (int i = 0; i < 5000; ++i) {
    const Point3 x = random_point(rng, 0.8);
    EXPECT_NEAR(other.distance(x), whole.distance(x), 1e-3) << x;
  }
}

TEST(MeshDistance, PartsThatOverlapAreOneSolid) {
  Exec ex({.threads = 2});
  const Point3 left{-0.4, 0, 0}, right{0.4, 0, 0};
  const double h = 0.05;
  const MeshDistance two(ex, joined(ball_mesh(4, left), ball_mesh(4, right)), h);
  const Shape<3> both(UnionShape<3>{{SphereShape<3>{left, 1}, SphereShape<3>{right, 1}}});
  Rng rng(5, 0);
  for (int i = 0; i < 20000; ++i) {
    const Point3 x = random_point(rng, 1.6);
    const double exact = both.distance(x), found = two.distance(x);
    EXPECT_TRUE(std::abs(exact) < 0.02 || (found < 0) == (exact < 0)) << x;
    EXPECT_TRUE(exact < 0 || std::abs(found - exact) < 0.02 + 0.06 * exact) << x;
  }
  // The faces inside are not felt: this is a point of the left ball's.
  EXPECT_LT(two.distance({0.6, 0, 0}), -0.6);
  EXPECT_LT(steepest(two, 1.6, 200, 0.003), 1.6);
}

TEST(MeshDistance, HolesAreClosed) {
  Exec ex({.threads = 2});
  const double h = 0.05, rim = 0.5;
  const TriangleMesh open = holed(ball_mesh(5), {0, 0, 1}, rim);
  const MeshDistance mesh(ex, open, h);
  EXPECT_EQ(mesh.boundary_edges(), boundary_edges(open));
  EXPECT_GT(mesh.boundary_edges(), 20);
  const Shape<3> ball(SphereShape<3>{{0, 0, 0}, 1});
  Rng rng(6, 0);
  for (int i = 0; i < 20000; ++i) {
    const Point3 x = random_point(rng, 1.4);
    const double exact = ball.distance(x);
    if (length(x - Point3{0, 0, 1}) < rim + 2 * h) continue;  // here the cap is flatter than the ball
    EXPECT_TRUE(std::abs(exact) < 0.01 || (mesh.distance(x) < 0) == (exact < 0)) << x;
  }
  // Through the hole there is one surface, between its plane and the ball, and no jump.
  EXPECT_LT(mesh.distance({0, 0, 0.7}), -0.02);
  EXPECT_GT(mesh.distance({0, 0, 1.05}), 0.02);
  double before = mesh.distance({0, 0, 0.5}), step = 0.002;
  for (double z = 0.5; z < 1.3; z += step) {
    const double now = mesh.distance({0, 0, z});
    EXPECT_LT(std::abs(now - before), 1.5 * step + 1e-3) << z;
    before = now;
  }
}

// Holes, flipped and doubled faces, and a ball stuck through the surface.
TEST(MeshDistance, ABrokenLumpHasTheSignOfTheWholeOne) {
  Exec ex({.threads = 2});
  const double h = 0.02;
  const TriangleMesh bad = plain_obj(WHORL_SCENES "/meshes/lump_broken.obj");
  const MeshDistance whole(ex, plain_obj(WHORL_SCENES "/meshes/lump.obj"), h), broken(ex, bad, h);
  EXPECT_EQ(whole.boundary_edges(), 0);
  EXPECT_GT(broken.boundary_edges(), 30);
  const Shape<3> stuck(SphereShape<3>{{0.42, 0.18, 0}, 0.11});
  const Point3 holes[] = {{0.26, -0.1, 0.3}, {-0.3, -0.2, -0.16}, {0.36, 0.36, 0.06}};
  const double radii[] = {0.07, 0.09, 0.05};
  Rng rng(8, 0);
  int inside = 0, tried = 0;
  for (int i = 0; i < 40000; ++i) {
    const Point3 x = random_point(rng, 0.65);
    bool by_hole = std::abs(stuck.distance(x)) < h;  // it is a coarse ball
    for (int k = 0; k < 3; ++k) by_hole = by_hole || length(x - holes[k]) < radii[k] + 2 * h;
    const double exact = std::min(whole.distance(x), stuck.distance(x));
    if (by_hole || std::abs(exact) < 0.002) continue;
    EXPECT_EQ(broken.distance(x) < 0, exact < 0) << x << exact;
    ++tried, inside += exact < 0;
  }
  EXPECT_GT(inside, 3000);
  EXPECT_GT(tried - inside, 20000);
  EXPECT_LT(steepest(whole, 0.8, 200, 0.002), 1.6);
}

TEST(MeshDistance, HasTheSameBitsOnAnyThreads) {
  const TriangleMesh mesh = plain_obj(WHORL_SCENES "/meshes/lump_broken.obj");
  std::vector<double> first;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      const MeshDistance distance(ex, mesh, 0.04);
      Rng rng(9, 0);
      std::vector<double> found;
      for (int i = 0; i < 5000; ++i) found.push_back(distance.distance(random_point(rng, 1)));
      if (first.empty()) first = found;
      EXPECT_EQ(std::memcmp(first.data(), found.data(), found.size() * sizeof(double)), 0) << threads;
    }
}

TEST(MeshDistance, OfNothingIsInfinite) {
  Exec ex({.threads = 1});
  const MeshDistance nothing(ex, TriangleMesh{}, 0.1);
  EXPECT_TRUE(nothing.bounds().empty());
  EXPECT_FALSE(nothing.has_inside());
  EXPECT_EQ(nothing.distance({0, 0, 0}), std::numeric_limits<double>::infinity());
  const MeshDistance sheet(ex, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, 0.1);
  EXPECT_FALSE(sheet.has_inside());
  EXPECT_GT(sheet.distance({0.2, 0.2, 0.3}), 0);
}

TEST(MeshDistance, CellsAreBoundedByMemory) {
  const TriangleMesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_DOUBLE_EQ(mesh_cell_size(box, 0.02, 3), 0.01);
  EXPECT_DOUBLE_EQ(mesh_cell_size(box, 10, 3), 1. / 64);
  EXPECT_GT(mesh_cell_size(box, 1e-6, 3), 1e-3);
  EXPECT_DOUBLE_EQ(mesh_cell_size(box, 1e-3, 2), 5e-4) << "a section needs less";
  EXPECT_GT(mesh_cell_size(box, 1e-6, 2), 1e-4);
}

TEST(MeshDistance, ASectionIsThatOfTheWhole) {
  Exec ex({.threads = 2});
  const TriangleMesh mesh = plain_obj(WHORL_SCENES "/meshes/lump_broken.obj");
  const MeshDistance whole(ex, mesh, 0.03), section(ex, mesh, 0.03, MeshDistance::section());
  EXPECT_LT(section.stored_values(), whole.stored_values() / 3);
  Rng rng(10, 0);
  for (int i = 0; i < 5000; ++i) {
    Point3 x = random_point(rng, i % 2 ? 0.7 : 5);
    x[2] = 0;
    EXPECT_NEAR(section.distance(x), whole.distance(x), 1e-6) << x;
  }
}

TEST(MeshShape, IsAShapeAsAnyOther) {
  Exec ex({.threads = 2});
  const auto mesh = std::make_shared<MeshDistance>(ex, box_mesh({-1, -1, -1}, {1, 1, 1}), 0.05);
  const Shape<3> box(MeshShape<3>{.mesh = mesh});
  const Shape<3> moved(TransformShape<3>{{box}, {5, 0, 0}, {0, 0, 45}, 2});
  EXPECT_NEAR(moved.distance({5 + 2 * std::sqrt(2.) + 1, 0, 0}), 1, 0.03);
  EXPECT_NEAR(moved.bounds().hi[0], 5 + 2 * std::sqrt(2.), 1e-9);
  const Shape<3> hollow(DifferenceShape<3>{{box, SphereShape<3>{{0, 0, 0}, 0.5}}});
  EXPECT_FALSE(hollow.contains({0, 0, 0}));
  EXPECT_TRUE(hollow.contains({0.7, 0, 0}));
  const Shape<2> section(MeshShape<2>{.mesh = mesh});
  EXPECT_NEAR(section.distance({1.3, 0}), 0.3, 0.01);
  EXPECT_TRUE(section.contains({0.9, -0.9}));
  EXPECT_EQ(section.bounds().lo, (Vec<double, 2>{-1, -1}));
  EXPECT_TRUE(Shape<3>(MeshShape<3>{}).bounds().overlaps(box.bounds()))
      << "until it is read it may be anywhere";
}

}  // namespace
}  // namespace whorl
