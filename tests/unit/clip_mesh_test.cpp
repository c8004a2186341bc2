// The free surface alone: a pool in a tank, round a ball that sticks out of it.
#include "geometry/clip_mesh.h"

#include "liquid_particles.h"

#include <cmath>

namespace whorl {
namespace {

TEST(ClipMesh, KeepsTheFreeSurfaceAlone) {
  Exec ex({.threads = 2});
  const Box<3> box{{0, 0, 0}, {24, 16, 20}};
  const Bounds<3> sides{{0, 0, 0}, {24 * h, 16 * h, 20 * h}};
  const double level = 8.3 * h;
  const SphereShape<3> ball{{1.2, 0.7, 1}, 0.45};
  const std::vector<Shape<3>> solids{ball};
  const Shape<3> pool = DifferenceShape<3>{{BoxShape<3>{{-1, -1, -1}, {4, level, 4}}, ball}};
  const SurfaceMesh capped =
      liquid_mesh(ex, particles_in(ex, pool, box, box_domain<3>(box, Side::wall)), {.surface = {.h = h}});
  expect_closed(capped.mesh);
  const SurfaceMesh clipped = free_surface(ex, capped, sides, solids, h);
  ASSERT_FALSE(clipped.mesh.triangles.empty());
  EXPECT_EQ(clipped.velocity.size(), clipped.mesh.vertices.size());

  const auto on_side = [&](const Vec<double, 3>& x) {
    for (int a = 0; a < 3; ++a)
      if (std::abs(x[a] - sides.lo[a]) < 1e-6 * h || std::abs(x[a] - sides.hi[a]) < 1e-6 * h) return true;
    return false;
  };
  std::size_t facing = 0;
  for (std::size_t k = 0; k < clipped.mesh.triangles.size(); ++k) {
    const Triangle t = corners(clipped.mesh, k);
    const Vec<double, 3> middle = centroid(t), normal = normalised(area_vector(t));
    EXPECT_FALSE(on_side(middle));
    EXPECT_NEAR(middle[1], level, 0.6 * h);  // the pool is flat
    facing += dot(normal, normalised(middle - ball.center)) < -0.8;
  }
  EXPECT_EQ(facing, 0u);
  // Its rim lies on the sides and on the ball.
  std::size_t at_ball = 0, at_side = 0;
  for (const MeshEdge& e : open_edges(clipped.mesh))
    for (const int v : {e.lo, e.hi}) {
      const Vec<double, 3>& x = clipped.mesh.vertices[std::size_t(v)];
      const double gap = std::abs(Shape<3>(ball).distance(x));
      EXPECT_TRUE(on_side(x) || gap < 0.7 * h) << gap / h;
      (on_side(x) ? at_side : at_ball) += 1;
    }
  EXPECT_GT(at_side, 100u);
  EXPECT_GT(at_ball, 20u);
  // What is left is the tank's area less the ball's.
  const double cut = ball.radius * ball.radius - std::pow(level - ball.center[1], 2);
  const double expected = 24 * 20 * h * h - M_PI * cut;
  EXPECT_NEAR(surface_area(clipped.mesh), expected, 0.04 * expected);
}

}  // namespace
}  // namespace whorl
