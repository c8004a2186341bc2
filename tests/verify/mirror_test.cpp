// A scene and its mirror image give mirror-image states, along each axis, with open sides and at the sparse
// edge.
#include "smoke_case.h"
#include "stages/measure.h"
#include "stages/sides.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

// Two blobs of smoke and two swirls, nothing symmetric about them.
template <int D>
double density_at(const Vec<double, D>& x) {
  Vec<double, D> p = Vec<double, D>::filled(3), q = Vec<double, D>::filled(-5);
  p[0] = -6, q[1] = 4;
  return blob<D>(x, p, 3) + 0.6 * blob<D>(x, q, 2);
}
template <int D>
double velocity_at(const Vec<double, D>& x, int axis) {
  Vec<double, D> p = Vec<double, D>::filled(1), q = Vec<double, D>::filled(-4);
  p[D - 1] = 5;
  const int turned = (axis + D - 1) % D;  // the second swirl lies in another plane
  Vec<double, D> y = x;
  for (int a = 0; a < D; ++a) y[(a + D - 1) % D] = x[a];
  return swirl<D>(x, axis, p, 5, 1.) + swirl<D>(y, turned, q, 4, 0.7) + 0.3 * blob<D>(x, q, 6);
}

// Fills with the field, or with its image in the plane x_axis = 0.
template <int D>
SmokeState<D> start(Exec& ex, const TopologyPtr<D>& topology, int axis, bool mirrored) {
  SmokeState<D> s = make_smoke<D>(ex, topology);
  const auto place = [=](Vec<double, D> x) {
    if (mirrored) x[axis] = -x[axis];
    return x;
  };
  fill_smoke<D>(
      s, [&](const auto& x) { return density_at<D>(place(x)); },
      [&](const auto& x, int a) { return (mirrored && a == axis ? -1 : 1) * velocity_at<D>(place(x), a); });
  enforce_sides(ex, s.velocity, {});
  return s;
}

template <int D>
double mirror_error(const Domain<D>& domain, int axis, int steps) {
  Exec ex;
  SmokeParams<D> p;
  p.margin = 4;
  p.projection.solve.relative = 1e-10;
  const Box<D> box{Coord<D>::filled(-24), Coord<D>::filled(24)};
  const auto topology = Topology<D>::of_box(ex, domain, box);
  SmokeState<D> s = start<D>(ex, topology, axis, false), m = start<D>(ex, topology, axis, true);
  for (int k = 0; k < steps; ++k) {
    const double dt = step_length(ex, s, p, 3, 1e9);
    EXPECT_TRUE(step(ex, s, p, dt).pressure.converged);
    EXPECT_TRUE(step(ex, m, p, dt).pressure.converged);
  }
  EXPECT_EQ(s.topology()->active_cells(), m.topology()->active_cells());

  const double speed = max_component(ex, s.velocity);
  double worst = 0;
  for (const Coord<D>& tile : s.topology()->tiles())
    for_each_coord(
        Box<D>{tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)}, [&](const Coord<D>& c) {
          Coord<D> image = c;
          image[axis] = -1 - c[axis];
          worst = std::max(worst, std::abs(double(s.density.get(c)) - m.density.get(image)));
          for (int a = 0; a < D; ++a) {
            Coord<D> face = image;
            if (a == axis) face[a] = -c[a];
            const double sign = a == axis ? -1 : 1;
            worst = std::max(worst, std::abs(s.velocity[a].get(c) - sign * m.velocity[a].get(face)) / speed);
          }
        });
  return worst;
}

template <int D>
void expect_mirrored(const Domain<D>& domain, const char* name, int steps) {
  for (int axis = 0; axis < D; ++axis) {
    const double error = mirror_error<D>(domain, axis, steps);
    std::printf("D = %d, %s, axis %d: %.1e\n", D, name, axis, error);
    EXPECT_LE(error, 1e-6) << name << " along axis " << axis;
  }
}

TEST(Mirror, SparseEdge2D) { expect_mirrored<2>({}, "sparse edge", 20); }
TEST(Mirror, SparseEdge3D) { expect_mirrored<3>({}, "sparse edge", 5); }
TEST(Mirror, OpenSides2D) {
  expect_mirrored<2>(box_domain<2>({Coord<2>::filled(-16), Coord<2>::filled(16)}, Side::open), "open sides",
                     20);
  expect_mirrored<2>(box_domain<2>({Coord<2>::filled(-19), Coord<2>::filled(19)}, Side::open),
                     "open sides, 38 cells", 20);
}
TEST(Mirror, OpenSides3D) {
  expect_mirrored<3>(box_domain<3>({Coord<3>::filled(-16), Coord<3>::filled(16)}, Side::open), "open sides",
                     5);
}
TEST(Mirror, Walls) {
  expect_mirrored<2>(box_domain<2>({Coord<2>::filled(-16), Coord<2>::filled(16)}, Side::wall), "walls", 20);
  expect_mirrored<3>(box_domain<3>({Coord<3>::filled(-13), Coord<3>::filled(13)}, Side::wall),
                     "walls, 26 cells", 5);
}

}  // namespace
}  // namespace whorl
