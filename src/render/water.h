// Clear liquid as rays see it: a surface that reflects, bends and, with depth, colours light.
#pragma once

#include "grid/snapshot.h"
#include "render/colour.h"
#include "render/dense_grid.h"

#include <optional>

namespace whorl {

class Water {
 public:
  // Of the snapshot's "surface", within the walls of `box`.
  Water(Exec& ex, const Snapshot<3>& snapshot, const Bounds<3>& box);

  // How far along a ray it enters the liquid, or leaves it if it begins inside, if nearer than `end`.
  std::optional<double> crossing(const Ray& ray, double end, bool inside) const;
  Point normal(const Point& x) const;  // outwards
  // What is left of light after a way through it, and what of its own colour it adds.
  Rgb transmittance(double way) const;
  Rgb scattered(double way) const;

 private:
  double distance(const Point& x) const;

  DenseGrid<float> surface_;  // m
  Bounds<3> box_;
  double h_;
  Rgb absorption_;  // 1/m
};

// The part of light that a surface between air and water throws back, for the cosine of the angle to its
// normal on the side of the air (Schlick 1994).
inline float reflectance(double cosine) {
  const float away = 1 - float(std::clamp(cosine, 0., 1.));
  return 0.02f + 0.98f * away * away * away * away * away;
}

// The direction of a ray bent by a surface; none where all of it is thrown back. `ratio` is of the indices
// before and behind it, the normal points towards where the ray comes from.
std::optional<Point> bent(const Point& direction, const Point& normal, double ratio);

}  // namespace whorl
