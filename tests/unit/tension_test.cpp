// Surface tension of rough surfaces, at walls, and of a liquid of particles.
#include "base/rng.h"
#include "solvers/liquid.h"
#include "stages/seed_particles.h"
#include "stages/surface_tension.h"
#include "stages/tension_shape.h"
#include "stages_case.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

template <class T>
using Tension = Stages<T>;
TYPED_TEST_SUITE(Tension, Dimensions);

constexpr int n = 24;
constexpr double h = 0.1;

// The distance to a ball, in metres, known up to two cells from it and rough by a part of a cell.
template <int D>
Field<float, D> rough_ball(Exec& ex, const TopologyPtr<D>& topology, double radius, Vec<double, D> centre,
                           double rough) {
  Field<float, D> phi(ex, topology, float(2 * h));
  std::uint64_t k = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow(c[a] + 0.5 - centre[a], 2);
    const double distance = std::sqrt(square) - radius + rough * double(Rng(7, ++k).uniform(-1, 1));
    phi.set(c, float(h * std::clamp(distance, -2., 2.)));
  });
  return phi;
}

struct Pressures {
  double mean = 0, spread = 0, count = 0;
};

// Of the faces that the surface crosses.
template <int D>
Pressures pressures(const Field<float, D>& phi, const MacField<float, D>& at_surface) {
  Pressures found;
  double sum = 0, squares = 0;
  for (int a = 0; a < D; ++a)
    for_active_cells(*phi.topology(), [&](const Coord<D>& c) {
      if (c[a] == 0 || (phi.get(c) < 0) == (phi.get(c - Coord<D>::unit(a)) < 0)) return;
      const double p = at_surface[a].get(c);
      sum += p, squares += p * p, ++found.count;
    });
  found.mean = sum / found.count;
  found.spread = std::sqrt(std::max(squares / found.count - found.mean * found.mean, 0.));
  return found;
}

TYPED_TEST(Tension, FeelsTheShapeAndNotTheRoughness) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  const Field<float, D> solids(this->ex, topology, 1e9f);
  const Field<float, D> phi = rough_ball(this->ex, topology, 7, Vec<double, D>::filled(12.2), 0.05);
  const TensionShape<D> shape = tension_shape(this->ex, phi, solids, h);
  const Pressures smooth = pressures(phi, surface_tension(this->ex, phi, shape.phi, h, 2., shape.share));
  const Pressures rough = pressures(phi, surface_tension(this->ex, phi, phi, h, 2.));
  const double exact = 2. * (D - 1) / (7 * h);
  EXPECT_GT(smooth.count, 50);
  EXPECT_NEAR(smooth.mean, exact, 0.03 * exact);
  EXPECT_LT(smooth.spread, 0.1 * exact);
  EXPECT_GT(rough.spread, 0.3 * exact);
}

// Half a ball on a wall is as round there as anywhere else.
TYPED_TEST(Tension, MeetsWallsAtRightAngles) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  Vec<double, D> centre = Vec<double, D>::filled(12.2);
  centre[1] = 0;
  Field<float, D> phi(this->ex, topology, float(n * h));
  for_active_cells(*topology, [&](const Coord<D>& c) {
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow(c[a] + 0.5 - centre[a], 2);
    phi.set(c, float(h * (std::sqrt(square) - 8)));
  });
  const Pressures found = pressures(phi, surface_tension(this->ex, phi, phi, h, 2.));
  const double exact = 2. * (D - 1) / (8 * h);
  EXPECT_NEAR(found.mean, exact, 0.01 * exact);
  EXPECT_LT(found.spread, 0.01 * exact);
}

// A solid in the place of the wall: nothing is known in it.
TYPED_TEST(Tension, MeetsSolidsAtRightAngles) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  Vec<double, D> centre = Vec<double, D>::filled(12.2);
  centre[1] = 4;
  Field<float, D> phi = rough_ball(this->ex, topology, 7, centre, 0), solids(this->ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    solids.set(c, float(h * (c[1] + 0.5 - 4)));
    if (c[1] < 4) phi.set(c, float(2 * h));
  });
  const TensionShape<D> shape = tension_shape(this->ex, phi, solids, h);
  for (const int y : {4, 5, 9}) {  // at the solid and above it, where the ball ends along x
    Coord<D> c = Coord<D>::filled(12);
    c[1] = y;
    while (phi.get(c) < 0) ++c[0];
    const MacField<float, D> p = surface_tension(this->ex, phi, shape.phi, h, 2., shape.share);
    EXPECT_NEAR(p[0].get(c) * 7 * h / (2. * (D - 1)), 1, 0.15) << y;
  }
}

// What has no cell well inside of it is too thin to have a shape.
TYPED_TEST(Tension, LeavesAloneWhatIsTooThin) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  const Field<float, D> solids(this->ex, topology, 1e9f);
  for (const double radius : {0.8, 3.}) {
    const Field<float, D> phi = rough_ball(this->ex, topology, radius, Vec<double, D>::filled(12.5), 0);
    const TensionShape<D> shape = tension_shape(this->ex, phi, solids, h);
    const Pressures found = pressures(phi, surface_tension(this->ex, phi, shape.phi, h, 2., shape.share));
    if (radius < 1)
      EXPECT_EQ(found.mean, 0);
    else
      EXPECT_GT(found.mean, 0.6 * 2. * (D - 1) / (radius * h));
  }
}

// A film is as thin on a solid as it is on a wall, though it is carried on into the solid to be measured.
TYPED_TEST(Tension, KnowsThinFilmsOnSolidsAsOnWalls) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  constexpr int height = 4;  // cells, of the solid
  const auto share_of_film = [&](double thickness, int ground) {
    Field<float, D> phi(this->ex, topology, float(2 * h)), solids(this->ex, topology, 1e9f);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      const double above = c[1] + 0.5 - ground;
      if (ground > 0) solids.set(c, float(h * above));
      phi.set(c, float(h * (above < 0 ? 2. : std::clamp(above - thickness, -2., 2.))));
    });
    return tension_shape(this->ex, phi, solids, h).share;
  };
  for (const double thickness : {0.6, 1.2, 1.6, 5.}) {
    const Field<float, D> on_wall = share_of_film(thickness, 0), on_solid = share_of_film(thickness, height);
    Coord<D> at_surface = Coord<D>::filled(n / 2);
    at_surface[1] = int(thickness);
    EXPECT_EQ(on_wall.get(at_surface), thickness > 1.5 ? 1.f : 0.f) << thickness;
    for_active_cells(*topology, [&](const Coord<D>& c) {
      if (c[1] + height >= n) return;
      ASSERT_EQ(on_solid.get(c + Coord<D>::unit(1) * height), on_wall.get(c)) << c << ", " << thickness;
    });
  }
}

// A drop of particles, weightless: the pressure in it is Laplace's, and it stays where it is.
TYPED_TEST(Tension, HoldsADropOfParticles) {
  constexpr int D = TestFixture::dimension;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::open);
  LiquidParams<D> p;
  p.h = h;
  p.tension = 0.01;
  p.projection.solve = {.relative = 1e-4, .absolute = 1e-4};
  const SphereShape<D> ball{Vec<double, D>::filled(12.2 * h), 7 * h};
  LiquidState<D> s = make_liquid<D>(this->ex, domain, seed_particles<D>(ball, domain.cells, h), p.transfer);
  const double dt = step_length(this->ex, s, p, 1, 1e9), exact = p.tension * (D - 1) / (7 * h);
  EXPECT_EQ(dt, smooth_capillary_step(h, p.tension));  // nothing else limits it
  double sum = 0, count = 0, fastest = 0;
  for (int k = 0; k < 30; ++k) {
    EXPECT_TRUE(step(this->ex, s, p, dt).converged);
    for_each_coord(Box<D>{Coord<D>::filled(10), Coord<D>::filled(15)},
                   [&](const Coord<D>& c) { sum += s.pressure.get(c), ++count; });
    double squares = 0;
    for (int a = 0; a < D; ++a)
      for (const float u : s.particles.velocity[std::size_t(a)]) squares += double(u) * double(u);
    fastest = std::max(fastest, std::sqrt(squares / double(s.particles.size())));
  }
  EXPECT_NEAR(sum / count, exact, 0.05 * exact);
  EXPECT_LT(fastest, 0.15 * std::sqrt(p.tension / (7 * h)));
}

}  // namespace
}  // namespace whorl
