// A cylinder and a ball set in motion in air at rest: the flow just after is the potential flow of a dipole,
// as every textbook has it (Lamb, Hydrodynamics, §68 and §92).
#include "stages/box_cells.h"
#include "stages/project.h"
#include "stages/sides.h"
#include "stages/solids.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// For a body at the origin that moves along x with unit speed.
template <int D>
Vec<double, D> dipole(const Vec<double, D>& x, double radius) {
  double r2 = 0;
  for (int a = 0; a < D; ++a) r2 += x[a] * x[a];
  const double strength = std::pow(radius, D) / (D - 1) / std::pow(r2, D / 2.);
  Vec<double, D> u = x * (D * strength * x[0] / r2);
  u[0] -= strength;
  return u;
}

// Root mean square error, in parts of the body's speed, between one and a half and three radii.
template <int D>
double error_of_flow(int radius, int side) {
  Exec ex;
  const auto topology = Topology<D>::of_box(
      ex, box_domain<D>({Coord<D>::filled(-side / 2), Coord<D>::filled(side / 2)}, Side::open));
  Solid<D> body;
  body.shape = SphereShape<D>{{}, double(radius)};
  body.velocity.at_origin = Vec<double, D>::unit(0);
  MacField<float, D> u(ex, topology);
  CutFaces<D> faces = cut_faces<D>(ex, topology, {&body, 1}, &Solid<D>::shape, 1., WallMode::cut);
  enforce_solids(ex, u, faces);
  Field<double, D> pressure(ex, topology);
  const SolveReport report =
      project(ex, u, pressure, pressure_system(ex, std::move(faces.open)), faces.walls, {}, 1., 1.);
  EXPECT_TRUE(report.converged);
  double sum = 0, count = 0;
  for_each_coord(Box<D>{Coord<D>::filled(-3 * radius), Coord<D>::filled(3 * radius)}, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const Vec<double, D> x = sample_place(c, a, 1.);
      const double r = body.shape.distance(x) + radius;
      if (r < 1.5 * radius || r > 3 * radius) continue;
      const double error = u[a].get(c) - dipole<D>(x, radius)[a];
      sum += error * error;
      count += 1;
    }
  });
  return std::sqrt(sum / count);
}

// At eight cells a radius the steps of the surface cost half a per cent.
TEST(PotentialFlow, RoundACylinder) {
  const double error = error_of_flow<2>(8, 192);
  RecordProperty("error", std::to_string(error));
  EXPECT_LT(error, 0.01);
}

TEST(PotentialFlow, RoundABall) {
  const double error = error_of_flow<3>(8, 96);
  RecordProperty("error", std::to_string(error));
  EXPECT_LT(error, 0.005);
}

}  // namespace
}  // namespace whorl
