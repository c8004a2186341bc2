#include "geometry/winding_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

constexpr double per_sphere = 1 / (4 * std::numbers::pi);

double distance_to_farthest_corner(const Bounds<3>& box, const Point& x) {
  Point off;
  for (int a = 0; a < 3; ++a) off[a] = std::max(x[a] - box.lo[a], box.hi[a] - x[a]);
  return length(off);
}

}  // namespace

// van Oosterom & Strackee 1983, eq. 8.
double solid_angle(const Triangle& triangle, const Point& from) {
  const Point a = triangle[0] - from, b = triangle[1] - from, c = triangle[2] - from;
  const double la = length(a), lb = length(b), lc = length(c);
  const double volume = dot(a, cross(b, c));
  const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return volume == 0 ? 0 : 2 * std::atan2(volume, below) * per_sphere;
}

WindingNumber::WindingNumber(const TriangleTree& tree, double beta) : tree_(tree) {
  constexpr int width = TriangleTree::width;
  const auto nodes = tree.nodes();
  moments_.resize(nodes.size() * width);
  std::vector<Moments> parts;                             // of a box: its triangles, or the boxes in it
  for (std::size_t n = nodes.size() * width; n-- > 0;) {  // what is in a box comes before it
    const TriangleTree::Node& node = nodes[n / width];
    const std::size_t slot = n % width, first = std::size_t(node.first[slot]);
    const int count = node.count[slot];
    if (count < 0) continue;
    parts.clear();
    for (std::size_t i = first; i < first + std::size_t(count); ++i) {
      const Triangle& t = tree.triangles()[i];
      const Point area = area_vector(t);
      parts.push_back({centroid(t), length(area), 0, area, {}});
    }
    for (std::size_t i = first * width; count == 0 && i < (first + 1) * width; ++i)
      parts.push_back(moments_[i]);
    Moments& m = moments_[n];
    for (const Moments& part : parts) {
      m.area = m.area + part.area;
      m.centre = m.centre + part.centre * part.size;
      m.size += part.size;
    }
    m.centre = m.centre * (1 / m.size);
    m.reach = beta * distance_to_farthest_corner(node.box(int(slot)), m.centre);
    for (const Moments& part : parts)
      for (int a = 0; a < 3; ++a)
        m.slope[a] = m.slope[a] + part.slope[a] + part.area * (part.centre[a] - m.centre[a]);
  }
}

// The first two terms of the series of ∑ a · ∇G about the centre, G = -1 / (4π r) (Barill et al. 2018, eq. 9
// and 12).
double WindingNumber::far_term(const Moments& m, const Point& x) const {
  const Point d = m.centre - x;
  const double squared = dot(d, d), inverse = 1 / squared, cubed = inverse / std::sqrt(squared);
  double trace = 0, along = 0;
  for (int a = 0; a < 3; ++a) trace += m.slope[a][a], along += d[a] * dot(m.slope[a], d);
  return per_sphere * cubed * (dot(m.area, d) + trace - 3 * along * inverse);
}

double WindingNumber::at(const Point& x, int except) const {
  constexpr int width = TriangleTree::width;
  const auto nodes = tree_.nodes();
  double sum = 0;
  int stack[128], waiting = 0;  // as for TriangleTree::closest
  if (!nodes.empty()) stack[waiting++] = 0;
  while (waiting > 0) {
    const std::size_t n = std::size_t(stack[--waiting]);
    const TriangleTree::Node& node = nodes[n];
    for (int k = 0; k < width; ++k) {
      if (node.count[k] < 0) continue;
      const Moments& m = moments_[n * width + std::size_t(k)];
      const Point d = m.centre - x;
      if (dot(d, d) > m.reach * m.reach) {
        sum += far_term(m, x);
        continue;
      }
      if (node.count[k] == 0) stack[waiting++] = node.first[k];
      for (int i = node.first[k]; i < node.first[k] + node.count[k]; ++i)
        if (i != except) sum += solid_angle(tree_.triangles()[std::size_t(i)], x);
    }
  }
  return sum;
}

}  // namespace whorl
