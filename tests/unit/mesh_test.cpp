// What the distance of a mesh is made of: cleaning, the tree, the winding number, orientation.
#include "geometry/orient_mesh.h"
#include "geometry/winding_number.h"
#include "mesh_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace whorl {
namespace {

TEST(TriangleMesh, CleaningWeldsAndDrops) {
  const TriangleMesh box = box_mesh({0, 0, 0}, {1, 2, 3});
  TriangleMesh dirty = soup(box);
  dirty.triangles.push_back({0, 1, 1});
  dirty.triangles.push_back({2, 1, 0});  // there already, the other way round
  dirty.triangles.push_back({0, 1, 999});
  dirty.vertices.push_back({std::nan(""), 0, 0});
  dirty.triangles.push_back({0, 1, int(dirty.vertices.size()) - 1});
  dirty.vertices.push_back({7, 7, 7});  // of no triangle
  const TriangleMesh clean = cleaned(dirty);
  EXPECT_EQ(clean.vertices.size(), 8u);
  EXPECT_EQ(clean.triangles.size(), 12u);
  EXPECT_NEAR(surface_area(clean), 22, 1e-12);
  EXPECT_EQ(boundary_edges(clean), 0);
}

TEST(TriangleMesh, CountsBoundaryEdges) {
  TriangleMesh box = box_mesh({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(boundary_edges(soup(box)), 36) << "nothing is shared before it is welded";
  box.triangles.pop_back();
  EXPECT_EQ(boundary_edges(box), 3);
  box.triangles.pop_back();
  EXPECT_EQ(boundary_edges(box), 4);
}

// Triangles of many sizes, all over each other.
TriangleMesh random_triangles(int count) {
  TriangleMesh mesh;
  Rng rng(1, 0);
  for (int i = 0; i < count; ++i) {
    const Point3 at = random_point(rng, 1);
    const double size = std::pow(10, -2 * double(rng.uniform()));
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(at + random_point(rng, size));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

// The distance by brute force: minimised over the triangle's two coordinates by looking ever closer.
double sampled_distance(const Triangle& t, const Point3& x) {
  double best = std::numeric_limits<double>::infinity(), u = 0.5, v = 0.5;
  for (double step = 0.5; step > 1e-9; step *= 0.6) {
    const double around_u = u, around_v = v;
    for (int i = -3; i <= 3; ++i)
      for (int j = -3; j <= 3; ++j) {
        const double s = std::clamp(around_u + i * step / 3, 0., 1.);
        const double r = std::clamp(around_v + j * step / 3, 0., 1 - s);
        const double d = length(t[0] + (t[1] - t[0]) * s + (t[2] - t[0]) * r - x);
        if (d < best) best = d, u = s, v = r;
      }
  }
  return best;
}

TEST(TriangleTree, ClosestPointOfATriangleIsTheNearest) {
  Rng rng(2, 0);
  for (int i = 0; i < 300; ++i) {
    const Triangle t{random_point(rng, 1), random_point(rng, 1), random_point(rng, 1)};
    const Point3 x = random_point(rng, 2);
    EXPECT_NEAR(length(closest_point(t, x) - x), sampled_distance(t, x), 1e-4) << i;
  }
}

TEST(TriangleTree, AgreesWithBruteForce) {
  for (const int count : {1, 3, 9, 70, 700}) {
    const TriangleMesh mesh = random_triangles(count);
    const TriangleTree tree(mesh);
    Rng rng(3, 0);
    for (int i = 0; i < 1000; ++i) {
      const Point3 x = random_point(rng, 2);
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        nearest = std::min(nearest, length(closest_point(corners(mesh, t), x) - x));
      const TriangleTree::Closest found = tree.closest(x);
      EXPECT_NEAR(std::sqrt(found.squared_distance), nearest, 1e-12);
      EXPECT_NEAR(length(found.point - x), nearest, 1e-12);
      const auto own = std::size_t(tree.original(found.triangle));
      EXPECT_NEAR(length(closest_point(corners(mesh, own), x) - x), nearest, 1e-12);
      EXPECT_EQ(tree.closest(x, {.hint = i % count}).squared_distance, found.squared_distance);
      EXPECT_LE(std::sqrt(tree.closest(x, {.slack = 0.1}).squared_distance), nearest + 0.1);
      EXPECT_EQ(tree.closest(x, {.within = 0.999 * nearest}).triangle, -1);
      EXPECT_GE(tree.closest(x, {.within = 1.001 * nearest}).triangle, 0);
    }
  }
  EXPECT_EQ(TriangleTree(TriangleMesh{}).closest({0, 0, 0}).triangle, -1);
}

TEST(TriangleTree, RaysHitWhatIsInTheirWay) {
  const TriangleTree tree(ball_mesh(4));
  Rng rng(4, 0);
  for (int i = 0; i < 2000; ++i) {
    const Point3 x = random_point(rng, 2), d = normalised(random_point(rng, 1));
    const double ahead = -dot(x, d), off = std::sqrt(std::max(dot(x, x) - ahead * ahead, 0.));
    if (std::abs(off - 1) < 0.01 || std::abs(length(x) - 1) < 0.01) continue;
    EXPECT_EQ(tree.is_hit(x, d), off < 1 && (ahead > 0 || length(x) < 1)) << x << d;
  }
}

TEST(WindingNumber, FastAgreesWithTheSum) {
  const TriangleMesh mesh = plain_obj(WHORL_SCENES "/meshes/lump_broken.obj");
  const TriangleTree tree(mesh);
  const WindingNumber fast(tree);
  Rng rng(5, 0);
  double worst = 0, squares = 0;
  for (int i = 0; i < 2000; ++i) {
    const Point3 x = random_point(rng, 0.8);
    double sum = 0;
    for (const Triangle& t : tree.triangles()) sum += solid_angle(t, x);
    const double off = std::abs(fast.at(x) - sum);
    worst = std::max(worst, off);
    squares += off * off;
  }
  EXPECT_LT(worst, 0.03);
  EXPECT_LT(std::sqrt(squares / 2000), 3e-3);
  const WindingNumber finer(tree, 6);
  for (int i = 0; i < 200; ++i) {
    const Point3 x = random_point(rng, 0.8);
    double sum = 0;
    for (const Triangle& t : tree.triangles()) sum += solid_angle(t, x);
    EXPECT_NEAR(finer.at(x), sum, 3e-3) << "beta decides";
  }
}

TEST(WindingNumber, CountsTheTimesRound) {
  TriangleMesh mesh = joined(ball_mesh(3), ball_mesh(3, {}, 0.5));
  const TriangleTree tree(mesh);
  const WindingNumber winding(tree);
  EXPECT_NEAR(winding.at({0, 0, 0}), 2, 0.06) << "where all that is left out adds up";
  EXPECT_NEAR(winding.at({0.7, 0.1, 0}), 1, 0.01);
  EXPECT_NEAR(winding.at({1.1, 0.3, 0}), 0, 0.01);
  for (int i = 0; i < int(tree.triangles().size()); ++i) {
    const Point3 x = centroid(tree.triangles()[std::size_t(i)]);
    EXPECT_NEAR(winding.at(x, i), length(x) > 0.7 ? 0.5 : 1.5, 0.03) << "the mean of both sides";
  }
}

double signed_volume(const TriangleMesh& mesh) {
  double six = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle t = corners(mesh, i);
    six += dot(t[0], cross(t[1], t[2]));
  }
  return six / 6;
}

TEST(OrientMesh, MakesFlippedFacesAgree) {
  Exec ex({.threads = 2});
  const double volume = signed_volume(ball_mesh(3));
  for (const double share : {0., 0.3, 0.5, 1.}) {
    TriangleMesh mesh = ball_mesh(3, {3, 0, 0});
    flip_some(mesh, share);
    EXPECT_NEAR(signed_volume(oriented(ex, soup(mesh))), volume, 1e-9) << share;
  }
}

TEST(OrientMesh, KeepsCavitiesAndInnerParts) {
  Exec ex({.threads = 2});
  const TriangleMesh outer = ball_mesh(3), inner = ball_mesh(3, {}, 0.5);
  TriangleMesh cavity = inner;
  flip_some(cavity, 1);
  const double full = signed_volume(outer), small = signed_volume(inner);
  EXPECT_NEAR(signed_volume(oriented(ex, joined(outer, inner))), full + small, 1e-9);
  EXPECT_NEAR(signed_volume(oriented(ex, joined(outer, cavity))), full - small, 1e-9);
  TriangleMesh inside_out = joined(outer, cavity);
  flip_some(inside_out, 1);
  EXPECT_NEAR(signed_volume(oriented(ex, inside_out)), full - small, 1e-9) << "turned as a whole";
}

TEST(OrientMesh, TurnsEachPartBySight) {
  Exec ex({.threads = 2});
  TriangleMesh wrong = ball_mesh(3, {3, 0, 0}, 0.5);
  flip_some(wrong, 1);
  const TriangleMesh mesh = joined(holed(ball_mesh(4), {0, 0, 1}, 0.4), wrong);
  const TriangleMesh out = oriented(ex, mesh);
  const TriangleTree tree(out);
  EXPECT_GT(WindingNumber(tree).at({0, 0, -0.5}), 0.9);
  EXPECT_NEAR(WindingNumber(tree).at({3, 0, 0}), 1, 0.05);
}

}  // namespace
}  // namespace whorl
