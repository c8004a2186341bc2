#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int leaf_size = 4;
constexpr int most_waiting = 128;  // a tree of 2^31 triangles is less than 16 deep, and leaves 7 a step

Bounds<3> nothing() { return {Point::filled(infinity), Point::filled(-infinity)}; }

void grow(Bounds<3>& box, const Point& x) {
  for (int a = 0; a < 3; ++a) box.lo[a] = std::min(box.lo[a], x[a]), box.hi[a] = std::max(box.hi[a], x[a]);
}

struct Ray {
  Point origin, direction, inverse;
};

bool meets(const Bounds<3>& box, const Ray& ray) {
  double begin = 0, end = infinity;
  for (int a = 0; a < 3; ++a) {
    if (ray.direction[a] == 0) {
      if (ray.origin[a] < box.lo[a] || ray.origin[a] > box.hi[a]) return false;
      continue;
    }
    const double t0 = (box.lo[a] - ray.origin[a]) * ray.inverse[a];
    const double t1 = (box.hi[a] - ray.origin[a]) * ray.inverse[a];
    begin = std::max(begin, std::min(t0, t1));
    end = std::min(end, std::max(t0, t1));
  }
  return begin <= end;
}

// Möller & Trumbore 1997.
bool meets(const Triangle& t, const Ray& ray) {
  const Point u = t[1] - t[0], v = t[2] - t[0], p = cross(ray.direction, v), from = ray.origin - t[0];
  const double volume = dot(u, p);
  if (volume == 0) return false;
  const double s = dot(from, p) / volume;
  if (!(s >= 0 && s <= 1)) return false;
  const Point q = cross(from, u);
  const double r = dot(ray.direction, q) / volume;
  return r >= 0 && s + r <= 1 && dot(v, q) / volume > 0;
}

}  // namespace

// By the region of the triangle's plane that the point is over (Ericson 2005, §5.1.5).
Point closest_point(const Triangle& t, const Point& to) {
  const Point ab = t[1] - t[0], ac = t[2] - t[0], ap = to - t[0];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t[0];
  const Point bp = to - t[1];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t[1];
  const double c = d1 * d4 - d3 * d2;
  if (c <= 0 && d1 >= 0 && d3 <= 0) return t[0] + ab * (d1 / (d1 - d3));
  const Point cp = to - t[2];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t[2];
  const double b = d5 * d2 - d1 * d6;
  if (b <= 0 && d2 >= 0 && d6 <= 0) return t[0] + ac * (d2 / (d2 - d6));
  const double a = d3 * d6 - d5 * d4;
  if (a <= 0 && d4 >= d3 && d5 >= d6) return t[1] + (t[2] - t[1]) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double whole = 1 / (a + b + c);
  return t[0] + ab * (b * whole) + ac * (c * whole);
}

Bounds<3> TriangleTree::Node::box(int slot) const {
  Bounds<3> box;
  for (int a = 0; a < 3; ++a) box.lo[a] = lo[a][slot], box.hi[a] = hi[a][slot];
  return box;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) : order_(mesh.triangles.size()), bounds_(nothing()) {
  if (order_.empty()) return;
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Point> centroids(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) centroids[i] = centroid(corners(mesh, i));
  nodes_.push_back(Node{});
  nodes_[0].first[0] = 0, nodes_[0].count[0] = int(order_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) split(node, centroids);

  triangles_.reserve(order_.size());
  for (const int i : order_) triangles_.push_back(corners(mesh, std::size_t(i)));
  std::vector<Bounds<3>> boxes(nodes_.size(), nothing());
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    for (int k = 0; k < width; ++k) {
      Bounds<3> box = node.count[k] == 0 ? boxes[std::size_t(node.first[k])] : nothing();
      for (int i = node.first[k]; i < node.first[k] + node.count[k]; ++i)
        for (const Point& x : triangles_[std::size_t(i)]) grow(box, x);
      for (int a = 0; a < 3; ++a) node.lo[a][k] = box.lo[a], node.hi[a][k] = box.hi[a];
      if (node.count[k] < 0) continue;
      grow(boxes[n], box.lo);
      grow(boxes[n], box.hi);
    }
  }
  bounds_ = boxes[0];
  nodes_.shrink_to_fit();
}

// The triangles in slot 0 of a node, given out to its slots: halved three times, into as many triangles each,
// across the axis along which their centroids spread the most.
void TriangleTree::split(std::size_t node, std::span<const Point> centroids) {
  std::array<std::pair<int, int>, width> runs{};  // first, count
  runs[0] = {nodes_[node].first[0], nodes_[node].count[0]};
  for (int step = width / 2; step > 0; step /= 2)
    for (int slot = 0; slot < width; slot += 2 * step) {
      auto& [first, count] = runs[std::size_t(slot)];
      if (count <= leaf_size) continue;
      const auto begin = order_.begin() + first;
      Bounds<3> spread = nothing();
      for (auto i = begin; i != begin + count; ++i) grow(spread, centroids[std::size_t(*i)]);
      int axis = 0;
      for (int a = 1; a < 3; ++a)
        if (spread.hi[a] - spread.lo[a] > spread.hi[axis] - spread.lo[axis]) axis = a;
      const int half = count / 2;
      std::nth_element(begin, begin + half, begin + count, [&](int i, int j) {
        const double x = centroids[std::size_t(i)][axis], y = centroids[std::size_t(j)][axis];
        return x != y ? x < y : i < j;
      });
      runs[std::size_t(slot + step)] = {first + half, count - half};
      count = half;
    }
  for (int k = 0; k < width; ++k) {
    const auto [first, count] = runs[std::size_t(k)];
    const bool leaf = count <= leaf_size;
    nodes_[node].first[k] = leaf ? first : int(nodes_.size());
    nodes_[node].count[k] = count == 0 ? -1 : leaf ? count : 0;
    if (leaf) continue;
    nodes_.push_back(Node{});
    nodes_.back().first[0] = first, nodes_.back().count[0] = count;
  }
}

TriangleTree::Closest TriangleTree::closest(const Point& to, const Search& search) const {
  Closest best{search.within * search.within, {}, -1};
  double limit = best.squared_distance;  // squared: what is nearer than this is looked at
  const auto try_triangle = [&](int i) {
    const Point point = closest_point(triangles_[std::size_t(i)], to), off = point - to;
    const double squared = dot(off, off);
    if (!(squared < best.squared_distance)) return;
    best = {squared, point, i};
    const double nearer = search.slack > 0 ? std::max(std::sqrt(squared) - search.slack, 0.) : 0;
    limit = search.slack > 0 ? nearer * nearer : squared;
  };
  if (nodes_.empty()) return best;
  if (search.hint >= 0) try_triangle(search.hint);
  struct Waiting {
    double squared;
    int node, slot;
  } stack[most_waiting];
  int waiting = 0;
  for (int at = 0;;) {
    const Node& node = nodes_[std::size_t(at)];
    double squared[width];
    for (int k = 0; k < width; ++k) {
      squared[k] = 0;
      for (int a = 0; a < 3; ++a) {
        const double off = std::max(std::max(node.lo[a][k] - to[a], to[a] - node.hi[a][k]), 0.);
        squared[k] += off * off;
      }
    }
    const int base = waiting;
    for (int k = 0; k < width; ++k) {
      if (!(squared[k] < limit) || node.count[k] < 0) continue;
      int place = waiting++;  // the nearest on top
      for (; place > base && stack[place - 1].squared < squared[k]; --place) stack[place] = stack[place - 1];
      stack[place] = {squared[k], at, k};
    }
    for (at = -1; at < 0 && waiting > 0;) {
      const Waiting next = stack[--waiting];
      if (next.squared >= limit) continue;
      const Node& from = nodes_[std::size_t(next.node)];
      const int first = from.first[next.slot], count = from.count[next.slot];
      if (count == 0) at = first;
      for (int i = first; i < first + count; ++i) try_triangle(i);
    }
    if (at < 0) return best;
  }
}

bool TriangleTree::is_hit(const Point& origin, const Point& direction, int except) const {
  const Ray ray{origin, direction, {1 / direction[0], 1 / direction[1], 1 / direction[2]}};
  int stack[most_waiting], waiting = 0;
  if (!nodes_.empty()) stack[waiting++] = 0;
  while (waiting > 0) {
    const Node& node = nodes_[std::size_t(stack[--waiting])];
    for (int k = 0; k < width; ++k) {
      if (node.count[k] < 0 || !meets(node.box(k), ray)) continue;
      for (int i = node.first[k]; i < node.first[k] + node.count[k]; ++i)
        if (i != except && meets(triangles_[std::size_t(i)], ray)) return true;
      if (node.count[k] == 0) stack[waiting++] = node.first[k];
    }
  }
  return false;
}

std::size_t TriangleTree::bytes() const {
  return nodes_.size() * sizeof(Node) + triangles_.size() * sizeof(Triangle) + order_.size() * sizeof(int);
}

}  // namespace whorl
