// Solids and the walls of the domain as what stands in a particle's way.
#pragma once

#include "grid/domain.h"
#include "stages/solids.h"

#include <algorithm>
#include <span>
#include <vector>

namespace whorl {

// Where a step takes places that go with a solid.
template <int D>
struct Carry {
  RigidVelocity<D> way;  // m in the step, by the place at its start

  Vec<double, D> operator()(const Vec<double, D>& x) const { return x + way.at(x); }
  bool operator==(const Carry&) const = default;
};

// Those solids that move as one body.
template <int D>
struct Obstacle {
  Shape<D> shape;  // at the end of the step
  Carry<D> carry;
  RigidVelocity<D> velocity;
};

// With a ball, in metres, that is surely free of it at the end of the step.
template <int D>
struct NearObstacle {
  const Obstacle<D>* obstacle;
  Vec<double, D> centre{};
  double radius = -1;  // negative: none is known
};

// All of a step's. In metres.
template <int D>
class Obstacles {
 public:
  // Particles keep `skin` from what they meet.
  Obstacles(std::span<const Solid<D>> solids, const Domain<D>& domain, double h, double dt, double skin);

  // Those that a particle may meet that starts in a tile and goes no further than so many cells along every
  // axis by itself.
  void find_near(const Coord<D>& tile, double cells, std::vector<NearObstacle<D>>& found) const;
  // Finds balls for particles that start near x.
  void look_from(const Vec<double, D>& x, std::span<NearObstacle<D>> near) const;

  // The end of a way from x to `to`; takes away the velocity that is lost on it. Nothing is ever crossed. A
  // particle that finds no place that all obstacles allow goes with one of them that takes it to such a
  // place; between two that leave it none, it may end in one, and walls have the last word.
  Vec<double, D> end_of_way(std::span<const NearObstacle<D>> near, const Vec<double, D>& x,
                            const Vec<double, D>& to, Vec<double, D>& velocity) const;
  // Whether no wall and no side through which particles leave has a part in a box, in cells.
  bool allow(const Vec<double, D>& lo, const Vec<double, D>& hi) const {
    for (int a = 0; a < D; ++a)
      if (!(lo[a] * h_ >= lo_[a] && hi[a] * h_ <= hi_[a] && lo[a] >= inside_.lo[a] && hi[a] < inside_.hi[a]))
        return false;
    return true;
  }
  Vec<double, D> within_walls(Vec<double, D> x, Vec<double, D>& velocity) const {
    for (int a = 0; a < D; ++a) {
      if (x[a] < lo_[a]) velocity[a] = std::max(velocity[a], 0.);
      if (x[a] > hi_[a]) velocity[a] = std::min(velocity[a], 0.);
      x[a] = std::clamp(x[a], lo_[a], hi_[a]);
    }
    return x;
  }

 private:
  struct Placed {
    Vec<double, D> at;
    double distance;  // of a shape from there
  };
  Vec<double, D> past(const NearObstacle<D>& near, const Vec<double, D>& x, const Vec<double, D>& to,
                      Vec<double, D>& velocity) const;
  double free_part(const Shape<D>& shape, const Placed& from, const Vec<double, D>& way) const;
  Vec<double, D> normal(const Shape<D>& shape, const Vec<double, D>& x) const;
  Placed outside(const Shape<D>& shape, Vec<double, D> x) const;

  std::vector<Obstacle<D>> obstacles_;
  double h_, skin_;
  Vec<double, D> lo_, hi_;
  Bounds<D> inside_;  // cells: where particles stay
};

}  // namespace whorl
