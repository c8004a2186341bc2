// A tree of boxes round triangles: the nearest triangle to a point, and whether a ray hits any.
#pragma once

#include "geometry/shape.h"
#include "geometry/triangle_mesh.h"

#include <limits>
#include <span>
#include <vector>

namespace whorl {

class TriangleTree {
 public:
  static constexpr int width = 8;

  // Boxes side by side, so that the distances to all of them are one loop.
  struct Node {
    double lo[3][width], hi[3][width];
    int first[width];  // a leaf's first triangle; else a node, which comes after this one
    int count[width];  // triangles of a leaf, 0 for a node, -1 where there is nothing

    Bounds<3> box(int slot) const;
  };
  struct Closest {
    double squared_distance;  // that of `within` where there is no triangle
    Vec<double, 3> point;
    int triangle;  // in the tree's order, -1 for none
  };

  struct Search {
    int hint = -1;                                            // a triangle that is probably near
    double slack = 0;                                         // how much too far the answer may be
    double within = std::numeric_limits<double>::infinity();  // what is not nearer than this is not found
  };

  TriangleTree() = default;
  explicit TriangleTree(const TriangleMesh& mesh);

  Closest closest(const Vec<double, 3>& to, const Search& search) const;
  Closest closest(const Vec<double, 3>& to) const { return closest(to, Search{}); }

  // Whether the ray meets a triangle other than `except`.
  bool is_hit(const Vec<double, 3>& origin, const Vec<double, 3>& direction, int except = -1) const;

  std::span<const Node> nodes() const { return nodes_; }  // the root first; none where there are no triangles
  std::span<const Triangle> triangles() const { return triangles_; }          // in the tree's order
  int original(int triangle) const { return order_[std::size_t(triangle)]; }  // in the mesh's order
  const Bounds<3>& bounds() const { return bounds_; }
  std::size_t bytes() const;

 private:
  void split(std::size_t node, std::span<const Vec<double, 3>> centroids);

  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;
  std::vector<int> order_;
  Bounds<3> bounds_;
};

// Of a triangle.
Vec<double, 3> closest_point(const Triangle& triangle, const Vec<double, 3>& to);

}  // namespace whorl
