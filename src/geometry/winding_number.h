// The generalised winding number of a surface (Jacobson, Kavan & Sorkine-Hornung 2013): how often it goes
// round a point, its solid angle over 4π. 1 inside a closed surface, 0 outside, in between where there are
// holes. Triangles far away are taken together (Barill, Dickson, Schmidt, Levin & Jacobson 2018).
#pragma once

#include "geometry/triangle_tree.h"

#include <vector>

namespace whorl {

class WindingNumber {
 public:
  // `tree` must outlive it. Triangles within a ball of radius r are taken together from beta·r on.
  explicit WindingNumber(const TriangleTree& tree, double beta = 2);

  // `except`, a triangle in the tree's order, is left out: on that triangle this is the mean of what holds on
  // its two sides, which are half more and half less.
  double at(const Vec<double, 3>& x, int except = -1) const;

 private:
  struct Moments {
    Vec<double, 3> centre{};    // weighted by area
    double size = 0;            // area
    double reach = 0;           // from here on taken together
    Vec<double, 3> area{};      // sum of the area vectors a
    Vec<double, 3> slope[3]{};  // sum of a (centroid - centre) along each axis
  };
  double far_term(const Moments& m, const Vec<double, 3>& x) const;

  const TriangleTree& tree_;
  std::vector<Moments> moments_;  // of each box of each node
};

// Of a triangle seen from a point, over 4π; positive from behind.
double solid_angle(const Triangle& triangle, const Vec<double, 3>& from);

}  // namespace whorl
