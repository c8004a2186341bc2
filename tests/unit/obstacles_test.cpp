// What stands in a particle's way.
#include "stages/obstacles.h"

#include "base/rng.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

template <int D>
Vec<double, D> random_place(Rng& rng, double reach) {
  Vec<double, D> x;
  for (int a = 0; a < D; ++a) x[a] = double(rng.uniform(-1, 1)) * reach;
  return x;
}

// A box that moves and turns. Ways that start round it end where they would without the balls that are free
// of it, and most of those of particles that start a few cells away need no more than these.
template <int D>
void expect_balls_to_change_nothing() {
  const Shape<D> box = BoxShape<D>{Vec<double, D>::filled(-3), Vec<double, D>::filled(3)};
  const Vec<double, D> way = Vec<double, D>::unit(0) * 1.5;
  Angles<D> turn{};
  turn[0] = 4;
  Solid<D> solid{PosedShape<D>{{box}}, PosedShape<D>{{box}, way, rotation<D>(turn)}, {}};
  solid.velocity.at_origin = way;
  const Obstacles<D> obstacles(std::span(&solid, 1), {}, 1, 1, 0.01);
  std::vector<NearObstacle<D>> unknown, known;
  obstacles.find_near({}, 7, unknown);
  ASSERT_EQ(unknown.size(), 1u);
  known = unknown;
  int within = 0, met = 0;
  constexpr int count = 4000;
  for (int k = 0; k < count; ++k) {
    Rng rng(5, std::uint64_t(k));
    Vec<double, D> x = random_place<D>(rng, 9);
    while (solid.before.distance(x) < 0.01) x = random_place<D>(rng, 9);
    const Vec<double, D> to = x + random_place<D>(rng, 3);
    obstacles.look_from(x + random_place<D>(rng, 0.5), known);
    const NearObstacle<D>& ball = known[0];
    within += length(to - ball.centre) <= ball.radius &&
              length(ball.obstacle->carry(x) - ball.centre) <= ball.radius;
    Vec<double, D> v = to - x, expected_v = v;
    const Vec<double, D> expected = obstacles.end_of_way(unknown, x, to, expected_v);
    EXPECT_EQ(obstacles.end_of_way(known, x, to, v), expected);
    EXPECT_EQ(v, expected_v);
    met += !(expected == to);
  }
  EXPECT_GT(within, count / 5);
  EXPECT_GT(met, count / 40);
}

TEST(Obstacles, BallsThatAreFreeOfThemChangeNothing2D) { expect_balls_to_change_nothing<2>(); }
TEST(Obstacles, BallsThatAreFreeOfThemChangeNothing3D) { expect_balls_to_change_nothing<3>(); }

}  // namespace
}  // namespace whorl
