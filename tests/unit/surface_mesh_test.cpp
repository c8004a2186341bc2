// The zero level of a field as a closed mesh, and where it is.
#include "geometry/surface_mesh.h"

#include "base/rng.h"
#include "closed_mesh.h"
#include "geometry/cube_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace whorl {
namespace {

Field<float, 3> field_of(Exec& ex, const TopologyPtr<3>& topology, double h,
                         const std::function<double(const Vec<double, 3>&)>& f) {
  Field<float, 3> phi(ex, topology, 1.f);
  for (const Coord<3>& tile : topology->tiles())
    for_each_coord(Box<3>{tile * tile_side, tile * tile_side + Coord<3>::filled(tile_side)},
                   [&](const Coord<3>& c) {
                     Vec<double, 3> x;
                     for (int a = 0; a < 3; ++a) x[a] = h * (c[a] + 0.5);
                     phi.set(c, float(f(x)));
                   });
  return phi;
}

Field<float, 3> noise(Exec& ex, const TopologyPtr<3>& topology, std::uint64_t seed, float threshold) {
  Field<float, 3> phi(ex, topology, 1.f);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data()[i] = Rng(seed, i).uniform() - threshold;
  return phi;
}

TEST(CubeCases, HaveTrianglesWhereSignsDiffer) {
  const auto& cases = cube_cases();
  for (std::size_t k = 1; k < 255; ++k) EXPECT_FALSE(cases[k].empty()) << k;
  EXPECT_TRUE(cases[0].empty());
  EXPECT_TRUE(cases[255].empty());
  EXPECT_EQ(cases[1].size(), 1u);
  EXPECT_EQ(cases[0x0f].size(), 2u);  // flat
}

// Whatever the field, wherever the tiles, whatever the sides.
TEST(SurfaceMesh, OfNoiseIsClosedAndOriented) {
  Exec ex({.threads = 2});
  for (const float threshold : {0.2f, 0.4f, 0.5f, 0.7f, 0.95f}) {
    Domain<3> domain;
    // No sides at all: everything ends where no tile is.
    const auto scattered = Topology<3>::of_tiles(
        ex, domain, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 2, 1}, {-3, 0, 0}, {-3, 1, 1}});
    expect_closed(surface_mesh(ex, noise(ex, scattered, 1, threshold), 0.1));
    // Walls that lie anywhere in a tile, and a domain one cell thin.
    for (const Box<3>& cells : {Box<3>{{0, 0, 0}, {16, 16, 16}}, Box<3>{{1, -2, 3}, {14, 9, 20}},
                                Box<3>{{5, 7, 6}, {6, 9, 13}}, Box<3>{{-1, 15, 2}, {7, 17, 9}}}) {
      const auto topology = Topology<3>::of_box(ex, box_domain<3>(cells, Side::wall));
      const TriangleMesh mesh = surface_mesh(ex, noise(ex, topology, 2, threshold), 0.1);
      expect_closed(mesh);
      for (const auto& x : mesh.vertices)
        for (int a = 0; a < 3; ++a) {
          EXPECT_GE(x[a], 0.1 * cells.lo[a]);
          EXPECT_LE(x[a], 0.1 * cells.hi[a]);
        }
    }
    domain = box_domain<3>({{0, 0, 0}, {16, 8, 24}}, Side::periodic);
    domain.sides[1] = {Side::open, Side::wall};
    expect_closed(surface_mesh(ex, noise(ex, Topology<3>::of_box(ex, domain), 3, threshold), 0.1));
  }
}

TEST(SurfaceMesh, ClippedIsTheCappedOneWithoutItsCaps) {
  Exec ex({.threads = 2});
  const Box<3> cells{{1, -2, 3}, {14, 9, 20}};
  const auto topology = Topology<3>::of_box(ex, box_domain<3>(cells, Side::wall));
  const Field<float, 3> phi = noise(ex, topology, 2, 0.3f);
  const TriangleMesh capped = surface_mesh(ex, phi, 1),
                     clipped = surface_mesh(ex, phi, 1, MeshSides::clipped);
  const auto on_side = [&](const Vec<double, 3>& x) {
    for (int a = 0; a < 3; ++a)
      if (x[a] == cells.lo[a] || x[a] == cells.hi[a]) return true;
    return false;
  };
  std::size_t inner = 0;
  for (std::size_t i = 0; i < capped.triangles.size(); ++i) inner += !on_side(centroid(corners(capped, i)));
  EXPECT_GT(inner, 0u);
  EXPECT_EQ(clipped.triangles.size(), inner);
  for (const MeshEdge& e : open_edges(clipped)) {
    EXPECT_TRUE(on_side(clipped.vertices[std::size_t(e.lo)]));
    EXPECT_TRUE(on_side(clipped.vertices[std::size_t(e.hi)]));
  }
}

TEST(SurfaceMesh, OfASphereIsOfSecondOrder) {
  Exec ex({.threads = 2});
  const double radius = 0.31, exact = 4. / 3 * std::numbers::pi * radius * radius * radius;
  const Vec<double, 3> centre{0.03, -0.01, 0.02};
  double error[3];
  for (int level = 0; level < 3; ++level) {
    const int n = 16 << level;
    const double h = 1. / n;
    const auto topology = Topology<3>::of_box(ex, {}, {Coord<3>::filled(-n / 2), Coord<3>::filled(n / 2)});
    const TriangleMesh mesh = surface_mesh(
        ex, field_of(ex, topology, h, [&](const Vec<double, 3>& x) { return length(x - centre) - radius; }),
        h);
    expect_closed(mesh);
    error[level] = std::abs(enclosed_volume(mesh) / exact - 1);
    for (const auto& x : mesh.vertices) EXPECT_NEAR(length(x - centre), radius, h * h);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const Triangle t = corners(mesh, i);
      EXPECT_GT(dot(area_vector(t), centroid(t) - centre), -1e-12);
    }
  }
  std::printf("volume of a sphere off by %.2e, %.2e, %.2e\n", error[0], error[1], error[2]);
  EXPECT_GT(std::log2(error[0] / error[1]), 1.8);
  EXPECT_GT(std::log2(error[1] / error[2]), 1.8);
}

// Water against walls that cut tiles anywhere, level or sloping.
TEST(SurfaceMesh, OfATankHasItsVolume) {
  Exec ex({.threads = 2});
  const double h = 0.1;
  const Domain<3> domain = box_domain<3>({{-3, 2, 1}, {18, 20, 16}}, Side::wall);
  const auto topology = Topology<3>::of_box(ex, domain);
  for (const double level : {0.83, 1.0, 1.05, 1.23}) {
    const TriangleMesh mesh =
        surface_mesh(ex, field_of(ex, topology, h, [&](const Vec<double, 3>& x) { return x[1] - level; }), h);
    expect_closed(mesh);
    EXPECT_NEAR(enclosed_volume(mesh) / (2.1 * (level - 0.2) * 1.5), 1, 1e-3);
  }
  // The whole tank, to the last corner.
  const TriangleMesh full = surface_mesh(ex, field_of(ex, topology, h, [](const auto&) { return -1.; }), h);
  expect_closed(full);
  EXPECT_NEAR(enclosed_volume(full), 2.1 * 1.8 * 1.5, 1e-9);
  EXPECT_NEAR(surface_area(full), 2 * (2.1 * 1.8 + 1.8 * 1.5 + 1.5 * 2.1), 1e-9);
  for (std::size_t i = 0; i < full.triangles.size(); ++i)
    EXPECT_GT(length(area_vector(corners(full, i))), 1e-4 * h * h);
}

TEST(SurfaceMesh, CrossesAPeriodWithoutAStep) {
  Exec ex({.threads = 2});
  const double h = 1. / 16;
  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(16)}, Side::periodic);
  const auto wave = [](const Vec<double, 3>& x) {
    return x[1] - 0.5 - 0.2 * std::sin(2 * std::numbers::pi * x[0]);
  };
  const TriangleMesh mesh = surface_mesh(ex, field_of(ex, Topology<3>::of_box(ex, domain), h, wave), h);
  expect_closed(mesh);
  double highest[2] = {0, 0};  // of the surface, where it meets either side
  for (const auto& x : mesh.vertices)
    for (int side = 0; side < 2; ++side)
      if (x[0] == side && x[1] < 0.75) highest[side] = std::max(highest[side], x[1]);
  EXPECT_EQ(highest[0], highest[1]);
  EXPECT_NEAR(highest[0], 0.5, 0.01);
}

TEST(SurfaceMesh, OfNothingIsEmpty) {
  Exec ex({.threads = 1});
  EXPECT_TRUE(
      surface_mesh(ex, Field<float, 3>(ex, Topology<3>::of_tiles(ex, {}, {}), 1.f), 1).vertices.empty());
  EXPECT_TRUE(surface_mesh(ex, Field<float, 3>(ex, Topology<3>::of_tiles(ex, {}, {{0, 0, 0}}), 1.f), 1)
                  .triangles.empty());
}

TEST(SurfaceMesh, IsTheSameOnAnyThreads) {
  std::vector<TriangleMesh> meshes;
  for (const int threads : {1, 2, 7})
    for (const Backend backend : built_backends()) {
      Exec ex({.threads = threads, .backend = backend});
      const auto topology = Topology<3>::of_box(ex, box_domain<3>({{}, Coord<3>::filled(45)}, Side::wall));
      meshes.push_back(surface_mesh(ex, noise(ex, topology, 5, 0.4f), 0.1));
    }
  for (const TriangleMesh& mesh : meshes) {
    EXPECT_TRUE(mesh.vertices == meshes[0].vertices);
    EXPECT_TRUE(mesh.triangles == meshes[0].triangles);
  }
}

}  // namespace
}  // namespace whorl
