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
SmokeState<D> start(Exec& ex, const TopologyPtr<D>& topology, int axis, bool mirrored,
                    const Inflow<D>& inflow) {
  SmokeState<D> s = make_smoke<D>(ex, topology);
  const auto place = [=](Vec<double, D> x) {
    if (mirrored) x[axis] = -x[axis];
    return x;
  };
  fill_smoke<D>(
      s, [&](const auto& x) { return density_at<D>(place(x)); },
      [&](const auto& x, int a) { return (mirrored && a == axis ? -1 : 1) * velocity_at<D>(place(x), a); });
  enforce_sides(ex, s.velocity, inflow);
  return s;
}

// The domain and its inflows seen in the mirror.
template <int D>
void mirror(Domain<D>& domain, Inflow<D>& inflow, int axis) {
  std::swap(domain.sides[std::size_t(axis)][0], domain.sides[std::size_t(axis)][1]);
  std::swap(inflow.velocity[axis][0], inflow.velocity[axis][1]);
  for (auto& sides : inflow.velocity)
    for (auto& velocity : sides) velocity[axis] = -velocity[axis];
}

template <int D>
double mirror_error(const Domain<D>& domain, int axis, int steps, const Inflow<D>& inflow = {}) {
  Exec ex;
  SmokeParams<D> p;
  p.margin = 4;
  p.projection.solve.relative = 1e-10;
  const Box<D> box{Coord<D>::filled(-24), Coord<D>::filled(24)};
  p.inflow = inflow;
  SmokeParams<D> q = p;
  Domain<D> image_domain = domain;
  mirror(image_domain, q.inflow, axis);
  SmokeState<D> s = start<D>(ex, Topology<D>::of_box(ex, domain, box), axis, false, p.inflow);
  SmokeState<D> m = start<D>(ex, Topology<D>::of_box(ex, image_domain, box), axis, true, q.inflow);
  for (int k = 0; k < steps; ++k) {
    const double dt = step_length(ex, s, p, {.cfl = 3, .longest = 1e9});
    EXPECT_TRUE(step(ex, s, p, dt).pressure.converged);
    EXPECT_TRUE(step(ex, m, q, dt).pressure.converged);
  }
  EXPECT_EQ(s.topology()->active_cells(), m.topology()->active_cells());

  const double speed = max_component(ex, s.velocity);
  double worst = 0;
  for (const Coord<D>& tile : s.topology()->tiles())
    for_each_coord(
        Box<D>{tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)}, [&](const Coord<D>& c) {
          Coord<D> image = c;
          image[axis] = -1 - c[axis];
          if (!domain.cells.contains(c)) return;
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
void expect_mirrored(const Domain<D>& domain, const char* name, int steps, const Inflow<D>& inflow = {}) {
  for (int axis = 0; axis < D; ++axis) {
    const double error = mirror_error<D>(domain, axis, steps, inflow);
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

// Every kind of side at once, different on the two ends of an axis, and an inflow that also blows along
// itself.
template <int D>
void expect_mirrored_with_mixed_sides(int steps) {
  Domain<D> domain = box_domain<D>({Coord<D>::filled(-13), Coord<D>::filled(13)}, Side::open);
  domain.sides[0] = {Side::inflow, Side::open};
  domain.sides[1] = {Side::wall, Side::open};
  Inflow<D> inflow;
  inflow.velocity[0][0] = Vec<float, D>::filled(0.4f);
  expect_mirrored<D>(domain, "mixed sides", steps, inflow);
}
TEST(Mirror, MixedSides) {
  expect_mirrored_with_mixed_sides<2>(10);
  expect_mirrored_with_mixed_sides<3>(4);
}

// Flow along an axis: every displacement across it is exactly zero, where a limiter could take sides.
TEST(Mirror, AlignedFlow) {
  for (const Limiter limiter : {Limiter::clamp, Limiter::revert})
    for (const float across : {0.f, 1.f}) {
      Exec ex;
      const auto topology = Topology<2>::of_box(ex, box_domain<2>({{-16, -16}, {16, 16}}, Side::periodic));
      Field<float, 2> q[2], moved;
      MacField<float, 2> u[2];
      for (const int k : {0, 1}) {
        q[k] = Field<float, 2>(ex, topology);
        for_each_coord(topology->domain().cells, [&](Coord<2> c) {
          const Coord<2> target = c;
          if (k == 1) c[0] = -1 - c[0];
          q[k].set(target, float(blob<2>({c[0] + 3.5, c[1] - 2.2}, {}, 2.)));
        });
        u[k] = MacField<float, 2>(ex, topology, {k == 0 ? across : -across, 0.7f});
        const Crossing<2> stay(ex, topology, topology);
        for (int step = 0; step < 10; ++step) {
          const Carried<2> carried{&q[k], &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
          advect<2>(ex, stay, {&u[k], {}}, {&carried, 1}, 1.f, {.limiter = limiter});
          std::swap(q[k], moved);
        }
      }
      for_each_coord(topology->domain().cells, [&](const Coord<2>& c) {
        ASSERT_NEAR(q[0].get(c), q[1].get({-1 - c[0], c[1]}), 1e-6f) << c;
      });
    }
}

}  // namespace
}  // namespace whorl
