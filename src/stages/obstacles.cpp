#include "stages/obstacles.h"

#include "geometry/outward.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr int most_slides = 4, most_steps = 24, most_rounds = 4, most_pushes = 8;
// A mesh's distance may be a tenth too large.
constexpr double surely_free = 0.9;  // of a distance

template <int D>
Carry<D> carry_of(const Solid<D>& solid, double dt) {
  if (solid.velocity == RigidVelocity<D>{}) return {};  // at rest, or it jumps and takes nothing along
  const auto* from = std::get_if<PosedShape<D>>(&solid.before.node());
  const auto* to = std::get_if<PosedShape<D>>(&solid.shape.node());
  const auto way = [&](const Vec<double, D>& x) {
    // A turn of a finite angle is not what its velocity says.
    return from && to ? to->turn.apply(from->turn.apply_inverse(x - from->translate)) + to->translate - x
                      : solid.velocity.at(x) * dt;
  };
  RigidVelocity<D> all{way({})};
  for (int a = 0; a < D; ++a) all.gradient[std::size_t(a)] = way(Vec<double, D>::unit(a)) - all.at_origin;
  return {all};
}

}  // namespace

template <int D>
Obstacles<D>::Obstacles(std::span<const Solid<D>> solids, const Domain<D>& domain, double h, double dt,
                        double skin)
    : h_(h), skin_(skin) {
  for (int a = 0; a < D; ++a) {
    const bool endless = domain.periodic(a);
    inside_.lo[a] = endless ? -HUGE_VAL : domain.cells.lo[a];
    inside_.hi[a] = endless ? HUGE_VAL : domain.cells.hi[a];
    for (const int high : {0, 1}) {
      const bool wall = domain.sides[std::size_t(a)][std::size_t(high)] == Side::wall;
      (high ? hi_ : lo_)[a] =
          !wall ? (high ? 1e300 : -1e300)
                : h * (high ? domain.cells.hi[a] : domain.cells.lo[a]) + (high ? -skin : skin);
    }
  }
  // Between solids that move alike there is no telling apart who is met first, so they are one.
  std::vector<UnionShape<D>> bodies;
  for (const Solid<D>& solid : solids) {
    const Carry<D> carry = carry_of(solid, dt);
    std::size_t k = 0;
    while (k < obstacles_.size() && !(obstacles_[k].carry == carry)) ++k;
    if (k == obstacles_.size()) {
      obstacles_.push_back({{}, carry, solid.velocity});
      bodies.emplace_back();
    }
    bodies[k].parts.push_back(solid.shape);
  }
  for (std::size_t k = 0; k < bodies.size(); ++k)
    obstacles_[k].shape = bodies[k].parts.size() == 1 ? bodies[k].parts[0] : Shape<D>(std::move(bodies[k]));
}

template <int D>
void Obstacles<D>::find_near(const Coord<D>& tile, double cells, std::vector<NearObstacle<D>>& found) const {
  found.clear();
  const double side = tile_side * h_, reach = 0.5 * side, way = cells * h_;
  const Vec<double, D> x = (convert<double>(tile) + Vec<double, D>::filled(0.5)) * side;
  // How far a particle may end from the middle of the tile: by itself, or pushed by what moves or has
  // jumped onto it. Seen from an obstacle, it also goes as far as it is not carried along.
  double most = std::sqrt(double(D)) * (reach + way);
  std::vector<double> distances;
  for (const Obstacle<D>& obstacle : obstacles_) {
    double carried = 0;
    for_each_coord(Box<D>{{}, Coord<D>::filled(2)}, [&](const Coord<D>& corner) {
      Vec<double, D> at = x;
      for (int a = 0; a < D; ++a) at[a] += corner[a] ? reach : -reach;
      carried = std::max(carried, length(obstacle.carry(at) - at));
    });
    distances.push_back(obstacle.shape.distance(x));
    most += carried + std::max(-distances.back(), 0.);
  }
  for (std::size_t k = 0; k < obstacles_.size(); ++k)
    if (surely_free * distances[k] < most) found.push_back({&obstacles_[k]});
}

template <int D>
void Obstacles<D>::look_from(const Vec<double, D>& x, std::span<NearObstacle<D>> near) const {
  for (NearObstacle<D>& n : near) {
    n.centre = n.obstacle->carry(x);
    n.radius = surely_free * n.obstacle->shape.distance(n.centre) - skin_;
  }
}

template <int D>
Vec<double, D> Obstacles<D>::end_of_way(std::span<const NearObstacle<D>> near, const Vec<double, D>& x,
                                        const Vec<double, D>& to, Vec<double, D>& velocity) const {
  const std::size_t count = near.size() + 1;
  const auto allowed_by = [&](std::size_t k, const Vec<double, D>& end, Vec<double, D>& v) {
    return k < near.size() ? past(near[k], x, end, v) : within_walls(end, v);
  };
  // Each in turn says where the way ends, until none objects.
  Vec<double, D> end = to;
  std::size_t agreed = 0;
  for (std::size_t k = 0; k < most_rounds * count && agreed < count; ++k) {
    const Vec<double, D> next = allowed_by(k % count, end, velocity);
    agreed = next == end ? agreed + 1 : 1;
    end = next;
  }
  if (agreed == count) return end;
  Vec<double, D> ignored = velocity;
  for (const NearObstacle<D>& n : near) {
    const Vec<double, D> with = n.obstacle->carry(x);
    std::size_t k = 0;
    while (k < count && allowed_by(k, with, ignored) == with) ++k;
    if (k < count) continue;
    velocity = n.obstacle->velocity.at(with);
    return with;
  }
  return end;
}

// Seen from the obstacle at the end of the step, the way starts where it would have carried x.
template <int D>
Vec<double, D> Obstacles<D>::past(const NearObstacle<D>& near, const Vec<double, D>& x,
                                  const Vec<double, D>& to, Vec<double, D>& velocity) const {
  const Obstacle<D>& obstacle = *near.obstacle;
  const Vec<double, D> carried = obstacle.carry(x);
  if (std::max(length(carried - near.centre), length(to - near.centre)) <= near.radius) return to;
  const Shape<D>& shape = obstacle.shape;
  const auto lose_into_it = [&](const Vec<double, D>& at, const Vec<double, D>& n, Vec<double, D>& way) {
    way = way - n * std::min(dot(way, n), 0.);
    velocity = velocity - n * std::min(dot(velocity - obstacle.velocity.at(at), n), 0.);
  };
  Placed now = outside(shape, carried);
  const Vec<double, D> start = now.at;
  Vec<double, D> way = to - start;
  const auto go = [&](const Vec<double, D>& by) {
    now.at = now.at + by;
    now.distance = shape.distance(now.at);
  };
  for (int slide = 0; slide < most_slides && length(way) > 0; ++slide) {
    const double part = free_part(shape, now, way);
    if (part == 1 && slide == 0) return to;
    go(way * part);
    way = way * (1 - part);
    if (part == 1) break;
    if (now.distance < 0.5 * skin_) {
      lose_into_it(now.at, normal(shape, now.at), way);
      now = outside(shape, now.at);
    }
    // Near a wall a free step is short, so it goes on above it, high enough to arrive.
    const Vec<double, D> high = normal(shape, now.at) * (1.5 * length(way) / most_steps),
                         up = high * free_part(shape, now, high);
    go(up);
    const double along = free_part(shape, now, way);
    go(way * along);
    way = way * (1 - along);
    const double down = free_part(shape, now, up * -1.);
    go(up * -down);
    if (down < 1) {
      now = outside(shape, now.at);
      lose_into_it(now.at, normal(shape, now.at), way);
    }
  }
  now = outside(shape, now.at);
  return now.distance > 0 ? now.at : start;
}

// The part of a straight way that is free: as far as the distance says that nothing can be met, again and
// again (Hart 1996).
template <int D>
double Obstacles<D>::free_part(const Shape<D>& shape, const Placed& from, const Vec<double, D>& way) const {
  const double all = length(way);
  if (all == 0) return 1;
  double gone = 0, distance = from.distance;
  for (int k = 0; k < most_steps && distance >= 0.5 * skin_; ++k) {
    gone += surely_free * distance;
    if (gone >= all) return 1;
    distance = shape.distance(from.at + way * (gone / all));
  }
  return gone / all;
}

template <int D>
Vec<double, D> Obstacles<D>::normal(const Shape<D>& shape, const Vec<double, D>& x) const {
  const Vec<double, D> n = outward(shape, x, 0.1 * skin_);
  return n == Vec<double, D>{} ? Vec<double, D>::unit(D - 1) : n;
}

// The place itself, or one near it that is the skin's width outside.
template <int D>
typename Obstacles<D>::Placed Obstacles<D>::outside(const Shape<D>& shape, Vec<double, D> x) const {
  double distance = shape.distance(x);
  for (int k = 0; k < most_pushes && distance < 0.5 * skin_; ++k) {
    x = x + normal(shape, x) * (skin_ - distance);
    distance = shape.distance(x);
  }
  return {x, distance};
}

template class Obstacles<2>;
template class Obstacles<3>;

}  // namespace whorl
