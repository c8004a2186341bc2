// How flat the mesh of a pool is, and how much meshes of pools, balls and sheets hold.
#include "unit/liquid_particles.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// Water in a tank, at levels anywhere in a cell: flat to the walls.
TEST(LiquidMesh, OfAPoolIsFlatAndHasItsVolume) {
  Exec ex({.threads = 2});
  const Domain<3> domain = box_domain<3>({{}, {24, 16, 20}}, Side::wall);
  for (const int refinement : {1, 2, 3})
    for (const double level : {0.8, 0.83}) {
      const BoxShape<3> water{Vec<double, 3>::filled(-1), {9, level, 9}};
      const ParticleSet<3> p = particles_in(ex, water, domain.cells, domain);
      const SurfaceMesh s = liquid_mesh(ex, p, {.surface = {.h = h, .refinement = refinement}});
      expect_closed(s.mesh);
      double mean = 0, square = 0, worst = 0;
      int count = 0;
      const auto for_surface = [&](const auto& f) {
        for (const auto& x : s.mesh.vertices)
          if (x[1] > 0.5 && x[0] > 0 && x[0] < 2.4 && x[2] > 0 && x[2] < 2) f(x[1]);
      };
      for_surface([&](double y) { mean += y, ++count; });
      mean /= count;
      for_surface([&](double y) {
        square += (y - mean) * (y - mean);
        worst = std::max(worst, std::abs(y - mean));
      });
      const double bumps = std::sqrt(square / count) / h,
                   ratio = enclosed_volume(s.mesh) / (double(p.size()) * particle);
      std::printf("refinement %d, level %.2f: bumps %.3f h, at worst %.3f h, volume %.4f\n", refinement,
                  level, bumps, worst / h, ratio);
      EXPECT_LT(bumps, 1. / 20);
      EXPECT_LT(worst / h,
                level == 0.8 ? 1. / 10 : 1. / 7);  // where a cell is cut, particles are fewer by chance
      EXPECT_NEAR(ratio, 1, 0.001);
    }
}

TEST(LiquidMesh, OfBallsAndSheetsHasAboutTheirVolume) {
  Exec ex({.threads = 2});
  const auto ball = [&](double radius) {
    return volume_ratio(ex, particles_in(ex, SphereShape<3>{{0.013, 0.02, 0.03}, radius}, cells), 2);
  };
  const auto sheet = [&](double thick, double at) {
    return volume_ratio(ex, particles_in(ex, BoxShape<3>{{-1.5, at, -1.5}, {1.5, at + thick, 1.5}}, cells),
                        2);
  };
  EXPECT_NEAR(ball(1.5), 1, 0.01);
  EXPECT_NEAR(ball(1.0), 1, 0.02);
  EXPECT_NEAR(ball(0.5), 1, 0.05);
  EXPECT_NEAR(ball(0.2), 1, 0.2);
  EXPECT_NEAR(sheet(0.05, 0), 1, 0.2);
  EXPECT_NEAR(sheet(0.1, 0), 1, 0.05);
  EXPECT_NEAR(sheet(0.1, 0.043), 1, 0.1);
  EXPECT_NEAR(sheet(0.2, 0), 1, 0.03);
  EXPECT_NEAR(sheet(0.4, 0), 1, 0.02);
}

}  // namespace
}  // namespace whorl
