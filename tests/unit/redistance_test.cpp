#include "geometry/redistance.h"

#include "geometry/surface_pieces.h"
#include "stages_case.h"

#include <cmath>

namespace whorl {
namespace {

// A ball of radius 0.3 in the unit box, as the zero level of a field whose slope is not one.
template <int D>
struct Ball {
  Exec ex{{.threads = 2}};
  int n;
  double h = 1. / n;
  TopologyPtr<D> topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  Vec<double, D> centre = Vec<double, D>::filled(0.5 + 0.013);

  explicit Ball(int cells) : n(cells) {}
  double distance(const Coord<D>& c) const {
    double square = 0;
    for (int a = 0; a < D; ++a) square += std::pow((c[a] + 0.5) * h - centre[a], 2);
    return std::sqrt(square) - 0.3;
  }
  Field<float, D> uneven() {
    Field<float, D> phi(ex, topology);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      const double d = distance(c);
      phi.set(c, float(d * (1 + 0.5 * std::sin(7 * c[0] * h + 3 * c[1] * h) + d)));
    });
    return phi;
  }
};

struct Errors {
  double near = 0, band = 0;  // cells next to the surface, all of the band; over the radius
};

template <int D>
Errors errors_at(int n, DistanceMethod method) {
  Ball<D> ball(n);
  Field<float, D> phi = ball.uneven();
  redistance(ball.ex, phi, ball.h, {.method = method, .width = 5});
  Errors e;
  for_active_cells(*ball.topology, [&](const Coord<D>& c) {
    const double d = ball.distance(c), error = std::abs(phi.get(c) - d) / 0.3;
    if (std::abs(d) < 0.7 * ball.h) e.near = std::max(e.near, error);
    if (std::abs(d) < 4.9 * ball.h) e.band = std::max(e.band, error);
  });
  return e;
}

template <int D>
void expect_order(int coarse) {
  for (const auto method : {DistanceMethod::fast_sweeping, DistanceMethod::fast_marching}) {
    const Errors a = errors_at<D>(coarse, method), b = errors_at<D>(2 * coarse, method);
    std::printf("%dD, %d and %d cells: surface %.2e, %.2e; band %.2e, %.2e\n", D, coarse, 2 * coarse, a.near,
                b.near, a.band, b.band);
    EXPECT_GT(std::log2(a.near / b.near), 1.9);
    EXPECT_GT(std::log2(a.band / b.band), 1.9);
    EXPECT_LT(b.band, 1e-3);
  }
}

TEST(Redistance, IsOfSecondOrder2D) { expect_order<2>(32), expect_order<2>(64); }
TEST(Redistance, IsOfSecondOrder3D) { expect_order<3>(24); }

template <class T>
using RedistanceIn = Stages<T>;
TYPED_TEST_SUITE(RedistanceIn, Dimensions);

TYPED_TEST(RedistanceIn, BothMethodsAgree) {
  constexpr int D = TestFixture::dimension;
  Ball<D> ball(32);
  Field<float, D> swept = ball.uneven(), marched = swept.clone(ball.ex);
  redistance(ball.ex, swept, ball.h, {.method = DistanceMethod::fast_sweeping});
  redistance(ball.ex, marched, ball.h, {.method = DistanceMethod::fast_marching});
  for_active_cells(*ball.topology, [&](const Coord<D>& c) {
    EXPECT_NEAR(swept.get(c), marched.get(c), 0.01 * ball.h) << c;
    EXPECT_LE(std::abs(swept.get(c)), 6.0001 * ball.h) << c;
  });
}

// What is a distance already stays as it is, however often: the surface does not creep.
TYPED_TEST(RedistanceIn, AgainAndAgainChangesLittle) {
  constexpr int D = TestFixture::dimension;
  Ball<D> ball(32);
  Field<float, D> phi = ball.uneven();
  redistance(ball.ex, phi, ball.h);
  const Field<float, D> once = phi.clone(ball.ex);
  for (int k = 0; k < 20; ++k) redistance(ball.ex, phi, ball.h);
  double most = 0;
  for_active_cells(*ball.topology, [&](const Coord<D>& c) {
    if (std::abs(ball.distance(c)) < ball.h)
      most = std::max(most, std::abs(double(phi.get(c)) - double(once.get(c))) / ball.h);
  });
  std::printf("%dD: the surface creeps by %.2e cells in 20 rounds\n", D, most);
  EXPECT_LT(most, 0.02);
}

TYPED_TEST(RedistanceIn, DoesNotDependOnThreads) {
  constexpr int D = TestFixture::dimension;
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 7}) {
    Ball<D> ball(40);
    Field<float, D> phi = ball.uneven();
    Exec some{{.threads = threads}};
    redistance(some, phi, ball.h);
    results.emplace_back(phi.data(), phi.data() + phi.size());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// A plane across a periodic axis is seen from both sides of the period.
TYPED_TEST(RedistanceIn, GoesRoundPeriodicAxesAndNotThroughWalls) {
  constexpr int D = TestFixture::dimension;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::wall);
  for (const bool periodic : {true, false}) {
    domain.sides[0] =
        periodic ? std::array{Side::periodic, Side::periodic} : std::array{Side::wall, Side::wall};
    const auto topology = Topology<D>::of_box(this->ex, domain);
    for (const auto method : {DistanceMethod::fast_sweeping, DistanceMethod::fast_marching}) {
      Field<float, D> phi(this->ex, topology);
      for_active_cells(*topology, [&](const Coord<D>& c) {  // inside from 1.25 to 13.25 cells
        const double x = c[0] + 0.5;
        phi.set(c, float(2 * (std::min(std::abs(x - 7.25), periodic ? std::abs(x - 31.25) : 24.) - 6)));
      });
      redistance(this->ex, phi, 1, {.method = method, .width = 20});
      for_active_cells(*topology, [&](const Coord<D>& c) {
        const double x = c[0] + 0.5;
        double d = std::abs(x - 7.25) - 6;
        if (periodic) d = std::min(d, std::abs(x - 24 - 7.25) - 6);
        if (std::abs(x - 7.25) < 2) return;  // where the two halves meet
        if (periodic && std::abs(x - 19.25) < 1) return;
        EXPECT_NEAR(phi.get(c), d, 1e-4) << c << (periodic ? " periodic" : " walls");
      });
    }
  }
}

TYPED_TEST(RedistanceIn, CurvatureOfADistanceIsOfFourthOrder) {
  constexpr int D = TestFixture::dimension;
  double worst[2];
  for (const int k : {0, 1}) {
    Ball<D> ball(24 << k);
    Field<float, D> phi(ball.ex, ball.topology);
    for_active_cells(*ball.topology, [&](const Coord<D>& c) { phi.set(c, float(ball.distance(c))); });
    worst[k] = 0;
    const TileSet<D> tiles = ball.topology->tile_set();
    for (int tile = 0; tile < tiles.count; ++tile)
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        const CellIndex<D> i{tile, tiles.neighbours + tile * neighbourhood<D>, at};
        if (std::abs(ball.distance(ball.topology->tiles()[std::size_t(tile)] * tile_side + at)) > ball.h)
          return;
        const double curvature = surface_curvature(phi, i, ball.h);
        worst[k] = std::max(worst[k], std::abs(curvature * 0.3 / (D - 1) - 1));
      });
  }
  std::printf("%dD: curvature off by %.2e, %.2e\n", D, worst[0], worst[1]);
  EXPECT_LT(worst[1], 0.001);
  EXPECT_GT(std::log2(worst[0] / worst[1]), 2.5);
}

}  // namespace
}  // namespace whorl
