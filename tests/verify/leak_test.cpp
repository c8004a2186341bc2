// Water in vessels that are shaken hard stays on its side of their walls.
#include "exec/reduce.h"
#include "geometry/mesh_distance.h"
#include "solvers/liquid.h"
#include "solvers/liquid_parts.h"
#include "stages/seed_particles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>

namespace whorl {
namespace {

constexpr double pi = std::numbers::pi;
using Point = Vec<double, 3>;

enum class Place : std::uint8_t { inside, wall, outside, above };

// In metres from the middle of its floor.
struct Vessel {
  Shape<3> shape, room;  // its material, and a shape that ends in it and holds what it can hold
  double rim;            // the height from which on it is open

  Place at(const Point& x, double rounding) const {
    if (shape.distance(x) < -rounding) return Place::wall;
    return x[1] > rim ? Place::above : room.contains(x) ? Place::inside : Place::outside;
  }
  // Whether a straight way goes through the wall, well below the rim.
  bool crosses(const Point& from, const Point& to, double h) const {
    constexpr int pieces = 64;
    for (int k = 1; k < pieces; ++k) {
      const Point x = from + (to - from) * (double(k) / pieces);
      if (x[1] < rim - 2 * h && shape.distance(x) < -0.1 * h) return true;
    }
    return false;
  }
};

Vessel closed_box(double side, double wall) {
  const auto grown = [&](double by) {
    const double half = side / 2 + by;
    return BoxShape<3>{{-half, -by, -half}, {half, side + by, half}};
  };
  return {DifferenceShape<3>{{grown(wall), grown(0)}}, grown(wall / 2), HUGE_VAL};
}

// A closed surface round the material of a cup: rings of corners from its bottom out and up, and down again.
TriangleMesh cup_mesh(double radius, double height, double wall) {
  constexpr int sides = 24;
  const Vec<double, 2> rings[] = {
      {radius + wall, -wall}, {radius + wall, height}, {radius, height}, {radius, 0}};
  TriangleMesh mesh;
  for (const auto& ring : rings)
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * pi * k / sides;
      mesh.vertices.push_back({ring[0] * std::cos(angle), ring[1], ring[0] * std::sin(angle)});
    }
  const int bottom = int(mesh.vertices.size()), floor = bottom + 1;
  mesh.vertices.push_back({0, -wall, 0});
  mesh.vertices.push_back({0, 0, 0});
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    mesh.triangles.push_back({bottom, k, next});
    for (int ring = 0; ring < 3; ++ring) {
      const int at = ring * sides, up = at + sides;
      mesh.triangles.push_back({at + k, up + k, up + next});
      mesh.triangles.push_back({at + k, up + next, at + next});
    }
    mesh.triangles.push_back({3 * sides + k, floor, 3 * sides + next});
  }
  return mesh;
}

Vessel mesh_cup(Exec& ex, double side, double wall, double h) {
  MeshShape<3> material;
  material.mesh = std::make_shared<MeshDistance>(ex, cup_mesh(side / 2, side, wall), h / 2);
  return {material, CylinderShape<3>{{0, side / 2, 0}, (side + wall) / 2, side + wall}, side};
}

// To and fro at up to 20 m/s, ten times a second, aslant.
struct Shaking {
  Point middle;
  double rock = 0;  // degrees to both sides about z
  double frequency = 10;
  Point way = normalised(Point{1, 0.6, 0.4}) * (20 / (2 * pi * 10));

  double part(double t) const { return std::sin(2 * pi * frequency * t); }
  PosedShape<3> pose(const Shape<3>& shape, double t) const {
    return {{shape}, middle + way * part(t), rotation<3>(Angles<3>{0, 0, rock * part(t)})};
  }
  Solid<3> solid(const Shape<3>& shape, double t, double dt) const {
    const PosedShape<3> from = pose(shape, t), to = pose(shape, t + dt);
    const Point spin{0, 0, rock * pi / 180 * (part(t + dt) - part(t)) / dt};
    Solid<3> solid{from, to, {}};
    solid.velocity.at_origin = (to.translate - from.translate) * (1 / dt) - cross(spin, to.translate);
    for (int a = 0; a < 3; ++a) solid.velocity.gradient[std::size_t(a)] = cross(spin, Point::unit(a));
    return solid;
  }
  double fastest(double reach) const { return 2 * pi * frequency * (length(way) + rock * pi / 180 * reach); }
};

struct Leaks {
  std::int64_t crossings = 0, in_walls = 0;

  Leaks operator+(const Leaks& more) const { return {crossings + more.crossings, in_walls + more.in_walls}; }
};

// Particles by their ids, seen from the vessel.
class Watch {
 public:
  Watch(const Vessel& vessel, const Shaking& shaking, double h) : vessel_(vessel), shaking_(shaking), h_(h) {}

  Point seen(const Point& x, double t) const { return seen(x, shaking_.pose({}, t)); }

  // Those that have gone through a wall since the last look, and those that are in one.
  Leaks look(Exec& ex, const ParticleSet<3>& p, double t) {
    const bool first = last_.empty();
    last_.resize(p.made);
    place_.resize(p.made);
    const PosedShape<3> pose = shaking_.pose({}, t);
    return reduce(
        ex, p.topology->tile_count(), 4, Leaks{},
        [&](std::int64_t begin, std::int64_t end) {
          Leaks found;
          for (int tile = int(begin); tile < int(end); ++tile)
            for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
              Point x;
              for (int a = 0; a < 3; ++a)
                x[a] = h_ * (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                             double(p.position[std::size_t(a)][i]));
              x = seen(x, pose);
              const Place now = vessel_.at(x, 1e-4 * h_), before = place_[p.id[i]];
              found.in_walls += now == Place::wall;
              const bool other_side = (before == Place::inside && now == Place::outside) ||
                                      (before == Place::outside && now == Place::inside);
              found.crossings += !first && other_side && vessel_.crosses(last_[p.id[i]], x, h_);
              last_[p.id[i]] = x;
              place_[p.id[i]] = now;
            }
          return found;
        },
        std::plus<Leaks>());
  }

 private:
  static Point seen(const Point& x, const PosedShape<3>& pose) {
    return pose.turn.apply_inverse(x - pose.translate);
  }

  const Vessel& vessel_;
  const Shaking& shaking_;
  double h_;
  std::vector<Point> last_;
  std::vector<Place> place_;
};

// Half full, the vessel is shaken for some seconds, with steps as long as may be.
void expect_no_leaks(Exec& ex, const char* name, const Vessel& vessel, const Shaking& shaking, Side sides,
                     int cells, double seconds) {
  LiquidParams<3> p;
  p.h = 1. / cells;
  p.gravity = {0, -9.81, 0};
  p.projection.solve = {.relative = 1e-2, .absolute = 1e-2};
  const int room = int(std::ceil(2 * shaking.middle[0] * cells));
  const Domain<3> domain = box_domain<3>({{}, Coord<3>::filled(room)}, sides);
  Watch watch(vessel, shaking, p.h);
  NewParticles<3> water;
  for (const Point& x : seed_particles<3>(shaking.pose(vessel.room, 0), domain.cells, p.h).position) {
    const Point at = watch.seen(x * p.h, 0);
    if (at[1] > 0.5 || vessel.shape.distance(at) < double(p.move.skin) * p.h) continue;
    water.position.push_back(x);
    water.velocity.push_back({});
  }
  LiquidState<3> s = make_liquid<3>(ex, domain, water, p.transfer);
  const std::int64_t count = s.particles.size();
  Leaks leaks = watch.look(ex, s.particles, 0);
  while (s.time < seconds) {
    const double dt =
        step_length(ex, s, p, most_cells_a_step, most_cells_a_step * p.h / shaking.fastest(1.3));
    p.solids = {shaking.solid(vessel.shape, s.time, dt)};
    EXPECT_TRUE(step(ex, s, p, dt).converged);
    leaks = leaks + watch.look(ex, s.particles, s.time);
    if (s.steps % 100 == 0)
      std::printf("%s: %.3f s after %lld steps, %lld crossings\n", name, s.time,
                  static_cast<long long>(s.steps), static_cast<long long>(leaks.crossings + leaks.in_walls)),
          std::fflush(stdout);
  }
  std::printf("%s: %lld particles, %lld steps: %lld crossings, %lld times in a wall\n", name,
              static_cast<long long>(count), static_cast<long long>(s.steps),
              static_cast<long long>(leaks.crossings), static_cast<long long>(leaks.in_walls));
  EXPECT_EQ(leaks.crossings, 0);
  EXPECT_EQ(leaks.in_walls, 0);
  EXPECT_EQ(s.particles.size(), count);
}

// A box with walls one cell thick. What left it would leave the domain.
void shake_box(int cells, double seconds, double rock) {
  Exec ex;
  expect_no_leaks(ex, "box", closed_box(1, 1. / cells), {.middle = {1.01, 0.71, 1.02}, .rock = rock},
                  Side::open, cells, seconds);
}
// A cup with walls two cells thick in a room, whose water meets it from outside, too.
void shake_cup(int cells, double seconds) {
  Exec ex;
  expect_no_leaks(ex, "cup", mesh_cup(ex, 1, 2. / cells, 1. / cells), {.middle = {1.11, 0.61, 1.12}},
                  Side::wall, cells, seconds);
}

TEST(Leaks, NoneThroughAClosedBox) { shake_box(16, 1, 0); }
TEST(Leaks, NoneThroughABoxThatRocks) { shake_box(16, 0.4, 20); }
TEST(Leaks, NoneThroughACup) { shake_cup(20, 0.4); }

// A million particles; each takes an hour or two.
TEST(Leaks, DISABLED_NoneThroughALargeBox) { shake_box(64, 5, 0); }
TEST(Leaks, DISABLED_NoneThroughALargeCup) { shake_cup(70, 5); }

}  // namespace
}  // namespace whorl
