// The mesh of a liquid: flat where it is flat, as large as its particles, and no drop lost.
#include "stages/liquid_mesh.h"

#include "base/rng.h"
#include "liquid_particles.h"
#include "particles/particles_near.h"
#include "stages/smooth_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace whorl {
namespace {

ParticleSet<3> particles_at(Exec& ex, const std::vector<Vec<double, 3>>& cells,
                            const Domain<3>& domain = {}) {
  ParticleSet<3> p;
  add_particles(ex, p, domain, {cells, std::vector<Vec<float, 3>>(cells.size())});
  return p;
}
TEST(Images, AreMirroredOrAPeriodAway) {
  Domain<3> domain = box_domain<3>({{-2, 0, 0}, {6, 8, 8}}, Side::periodic);
  domain.sides[0] = {Side::wall, Side::wall};
  const auto seen = [&](int axis, int cell, double x) {
    const CellImage image = image_along(domain, axis, cell);
    return std::pair(image.cell, image.sign * x + image.shift);
  };
  EXPECT_EQ(seen(0, 3, 3.25), std::pair(3, 3.25));
  EXPECT_EQ(seen(0, -3, -1.75), std::pair(-2, -2.25));
  EXPECT_EQ(seen(0, 6, 5.75), std::pair(5, 6.25));
  EXPECT_EQ(seen(0, 14, -1.75), std::pair(-2, 14.25));  // there and back
  EXPECT_EQ(seen(1, -1, 7.25), std::pair(7, -0.75));
  EXPECT_EQ(seen(1, 17, 1.5), std::pair(1, 17.5));
}

// A field of second order stays as it is, noise goes; where `part` is zero, nothing changes.
TEST(SmoothField, KeepsCurvesAndTakesBumpsOut) {
  Exec ex({.threads = 2});
  const int n = 24;
  const auto topology = Topology<3>::of_box(ex, {}, {Coord<3>::filled(-n), Coord<3>::filled(n)});
  Field<float, 3> part(ex, topology, 1.f), curved(ex, topology), bumps(ex, topology);
  for (const double width : {1., 2., 3.5}) {
    for_each_coord(Box<3>{Coord<3>::filled(-n), Coord<3>::filled(n)}, [&](const Coord<3>& c) {
      curved.set(c, float(0.01 * c[0] * c[0] + 0.02 * c[1] * c[2] - 0.03 * c[2] * c[2] + c[1]));
      bumps.set(c, Rng(1, std::uint64_t((c[0] * 100 + c[1]) * 100 + c[2])).uniform(-1, 1));
    });
    const Field<float, 3> before = curved.clone(ex);
    smooth_field(ex, curved, part, {.width = width});
    smooth_field(ex, bumps, part, {.width = width});
    const int inner = n - smoothing_reach(width);
    ASSERT_GT(inner, 0);
    double noise = 0;
    for_each_coord(Box<3>{Coord<3>::filled(-inner), Coord<3>::filled(inner)}, [&](const Coord<3>& c) {
      EXPECT_NEAR(curved.get(c), before.get(c), 1e-3);
      noise = std::max(noise, std::abs(double(bumps.get(c))));
    });
    EXPECT_LT(noise, 1.5 / std::pow(width, 1.5));
  }
  part.fill(ex, 0);
  const Field<float, 3> before = bumps.clone(ex);
  smooth_field(ex, bumps, part, {.width = 2});
  EXPECT_TRUE(std::equal(bumps.data(), bumps.data() + bumps.size(), before.data()));
}

// A sheet of one cell has no holes.
TEST(LiquidMesh, OfASheetHoldsTogether) {
  Exec ex({.threads = 2});
  const ParticleSet<3> p = particles_in(ex, BoxShape<3>{{-1.5, 0, -1.5}, {1.5, h, 1.5}}, cells);
  const RenderSurface s = render_surface(ex, p, {.h = h});
  EXPECT_LT(s.drops.size(), 10u);  // at its corners
  const TriangleMesh mesh = surface_mesh(ex, s.phi, h / 2);
  const auto euler = std::int64_t(mesh.vertices.size()) - std::int64_t(mesh.triangles.size() / 2);
  EXPECT_EQ(euler, 2) << "one piece, as a ball is";
}

// Particles alone are balls of their volume, wherever they are and however coarse the grid; also in a corner.
TEST(LiquidMesh, LosesNoDrop) {
  Exec ex({.threads = 2});
  const std::vector<Vec<double, 3>> places{
      {0.1, 0.1, 0.1}, {3.5, 3.5, 3.5}, {6, 2, 5.3}, {8, 8, 8}, {12.7, 3.3, 1}};
  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(16)}, Side::wall);
  for (const int refinement : {1, 2, 4}) {
    const ParticleSet<3> p = particles_at(ex, places, domain);
    EXPECT_NEAR(volume_ratio(ex, p, refinement), 1, 1e-9);
    const SurfaceMesh s = liquid_mesh(ex, p, {.surface = {.h = h, .refinement = refinement}});
    for (const auto& x : s.mesh.vertices)
      for (int a = 0; a < 3; ++a) EXPECT_GE(x[a], -1e-12);
    EXPECT_NEAR(4. / 3 * std::numbers::pi * std::pow(drop_radius({.h = h}), 3), particle, 1e-12);
  }
  // Two that touch, in every place of a cell.
  for (const double place : {0.01, 0.2, 0.37, 0.5, 0.63, 0.9})
    for (const int refinement : {1, 2, 4}) {
      const double ratio = volume_ratio(
          ex, particles_at(ex, {{place, place, place}, {place + 0.4, place, place}}), refinement);
      EXPECT_NEAR(ratio, 1, 1e-9) << place;
    }
}

// Between two bodies that face each other across a gap there is nothing, however dense the particles are:
// their mean lies in the gap.
TEST(LiquidMesh, HasNoFilmInAGap) {
  Exec ex({.threads = 2});
  ParticleSet<3> p;
  for (const std::uint64_t seed : {0, 1})
    for (const Shape<3>& body :
         {Shape<3>(BoxShape<3>{{-1, -1, -1}, {1, 0, 1}}), Shape<3>(BoxShape<3>{{-1, 0.3, -1}, {1, 1.3, 1}})})
      add_particles(ex, p, {}, seed_particles<3>(body, cells, h, seed));
  const RenderSurface s = render_surface(ex, p, {.h = h, .refinement = 3, .smoothing = 0});
  for_each_coord(Box<3>{{-20, 4, -20}, {20, 5, 20}}, [&](const Coord<3>& c) { EXPECT_GT(s.phi.get(c), 0); });
}

TEST(LiquidMesh, CrossesAPeriod) {
  Exec ex({.threads = 2});
  Domain<3> domain = box_domain<3>({{}, {16, 16, 16}}, Side::periodic);
  const ParticleSet<3> p = particles_in(ex, BoxShape<3>{{-1, 0.4, -1}, {9, 1.2, 9}}, domain.cells, domain);
  EXPECT_NEAR(volume_ratio(ex, p, 2), 1, 0.01);
}

TEST(LiquidMesh, CarriesVelocityAndColumns) {
  Exec ex({.threads = 2});
  ParticleSet<3> p = particles_in(ex, SphereShape<3>{{}, 0.5}, cells);
  add_particles(ex, p, {}, {{{15, 15, 15}}, {{}}});
  p.others.push_back(ex.buffer<float>(std::size_t(p.size())));
  const auto spin = [](const Vec<double, 3>& x) { return Vec<float, 3>{float(-x[2]), 2, float(x[0])}; };
  const ParticleSet<3>& all = p;
  for (int t = 0; t < all.topology->tile_count(); ++t)
    for (std::uint32_t i = all.tile_begin(t); i < all.tile_end(t); ++i) {
      Vec<double, 3> x;
      for (int a = 0; a < 3; ++a)
        x[a] = h *
               (all.topology->tiles()[std::size_t(t)][a] * tile_side + double(p.position[std::size_t(a)][i]));
      const Vec<float, 3> v = spin(x);
      for (int a = 0; a < 3; ++a) p.velocity[std::size_t(a)][i] = v[a];
      p.others[0][i] = x[0] > 1 ? 7.f : 3.f;
    }
  SurfaceMesh s = liquid_mesh(ex, p, {.surface = {.h = h}, .columns = {"age"}});
  ASSERT_EQ(s.velocity.size(), s.mesh.vertices.size());
  ASSERT_EQ(s.columns.size(), 1u);
  EXPECT_EQ(s.columns[0].name, "age");
  ASSERT_EQ(s.columns[0].values.size(), s.mesh.vertices.size());
  int of_drop = 0;
  for (std::size_t i = 0; i < s.velocity.size(); ++i) {
    const bool drop = s.mesh.vertices[i][0] > 1;
    of_drop += drop;
    EXPECT_NEAR(s.columns[0].values[i], drop ? 7 : 3, 1e-4);
    EXPECT_NEAR(length(s.velocity[i] - spin(s.mesh.vertices[i])), 0,
                0.06);  // half a cell's worth of the spin
  }
  EXPECT_EQ(of_drop, 42);

  // From a grid: linear fields are met exactly.
  MacField<float, 3> grid(ex, Topology<3>::of_box(ex, {}, cells));
  for (int a = 0; a < 3; ++a)
    for_each_coord(cells, [&](const Coord<3>& c) {
      Vec<double, 3> x;
      for (int b = 0; b < 3; ++b) x[b] = h * (c[b] + (b == a ? 0 : 0.5));
      grid[a].set(c, spin(x)[a]);
    });
  set_velocity(ex, s, grid, h);
  for (std::size_t i = 0; i < s.velocity.size(); ++i)
    EXPECT_NEAR(length(s.velocity[i] - spin(s.mesh.vertices[i])), 0, 1e-5);
}

TEST(LiquidMesh, OfNothingIsEmpty) {
  Exec ex({.threads = 1});
  EXPECT_TRUE(liquid_mesh(ex, {}, {}).mesh.vertices.empty());
  ParticleSet<3> p = particles_at(ex, {{1, 1, 1}});
  keep_particles(ex, p, std::vector<std::uint8_t>{0});
  EXPECT_TRUE(liquid_mesh(ex, p, {}).mesh.vertices.empty());
}

TEST(LiquidMesh, IsTheSameOnAnyThreads) {
  std::vector<SurfaceMesh> meshes;
  for (const int threads : {1, 2, 7})
    for (const Backend backend : built_backends()) {
      Exec ex({.threads = threads, .backend = backend});
      const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(12)}, Side::wall);
      ParticleSet<3> p = particles_in(ex, BoxShape<3>{{0, 0, 0}, {1.2, 0.5, 1.2}}, domain.cells, domain);
      add_particles(ex, p, domain, seed_particles<3>(SphereShape<3>{{0.6, 0.9, 0.6}, 0.15}, domain.cells, h));
      add_particles(ex, p, domain, {{{1, 10, 1}, {1.5, 10, 1}, {10, 11, 3}}, std::vector<Vec<float, 3>>(3)});
      meshes.push_back(liquid_mesh(ex, p, {.surface = {.h = h}}));
    }
  for (const SurfaceMesh& s : meshes) {
    EXPECT_TRUE(s.mesh.vertices == meshes[0].mesh.vertices);
    EXPECT_TRUE(s.mesh.triangles == meshes[0].mesh.triangles);
    EXPECT_TRUE(s.velocity == meshes[0].velocity);
  }
}

}  // namespace
}  // namespace whorl
