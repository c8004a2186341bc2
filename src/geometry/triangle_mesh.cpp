#include "geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace whorl {
namespace {

using Point = Vec<double, 3>;

bool finite(const Point& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

// The longest side of the box round all vertices.
double extent(const TriangleMesh& mesh) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (const Point& x : mesh.vertices)
      if (finite(x)) lo = std::min(lo, x[a]), hi = std::max(hi, x[a]);
    longest = std::max(longest, hi - lo);
  }
  return longest;
}

// For each vertex the first one that coincides with it, up to a millionth of the mesh's size; -1 for one that
// is not a number.
std::vector<int> first_of_same(const TriangleMesh& mesh) {
  constexpr double coincident = 1e-6;
  const double step = extent(mesh) * coincident, scale = step > 0 ? 1 / step : 0;
  std::vector<Point> place(mesh.vertices.size());
  std::vector<int> order, first(mesh.vertices.size(), -1);
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (!finite(mesh.vertices[i])) continue;
    for (int a = 0; a < 3; ++a) place[i][a] = std::round(mesh.vertices[i][a] * scale);
    order.push_back(int(i));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return place[std::size_t(i)] < place[std::size_t(j)]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = std::size_t(order[k]), before = std::size_t(order[k ? k - 1 : 0]);
    first[i] = k && place[i] == place[before] ? first[before] : int(i);
  }
  return first;
}

bool has_area(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const Triangle x{mesh.vertices[std::size_t(t[0])], mesh.vertices[std::size_t(t[1])],
                   mesh.vertices[std::size_t(t[2])]};
  return length(area_vector(x)) > 0;
}

// Keeps the first of each three corners, in the order of the file.
void drop_copies(std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::array<int, 3>> sorted = triangles;
  for (auto& t : sorted) std::sort(t.begin(), t.end());
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto of = [&](int i) -> const std::array<int, 3>& { return sorted[std::size_t(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return of(i) < of(j); });
  std::vector<char> copy(triangles.size(), 0);
  for (std::size_t k = 1; k < order.size(); ++k)
    copy[std::size_t(order[k])] = of(order[k]) == of(order[k - 1]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (!copy[i]) triangles[kept++] = triangles[i];
  triangles.resize(kept);
}

}  // namespace

double surface_area(const TriangleMesh& mesh) {
  double area = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) area += length(area_vector(corners(mesh, i)));
  return area;
}

double enclosed_volume(const TriangleMesh& mesh) {
  // About a corner of its own, so that a small mesh far from the origin keeps its digits.
  const Point origin = mesh.vertices.empty() ? Point{} : mesh.vertices[0];
  double volume = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle t = corners(mesh, i);
    volume += dot(t[0] - origin, area_vector(t)) / 3;
  }
  return volume;
}

TriangleMesh cleaned(const TriangleMesh& mesh) {
  const std::vector<int> first = first_of_same(mesh);
  std::vector<std::array<int, 3>> triangles;
  for (std::array<int, 3> t : mesh.triangles) {
    bool usable = true;
    for (int& corner : t) {
      corner = corner >= 0 && std::size_t(corner) < first.size() ? first[std::size_t(corner)] : -1;
      usable = usable && corner >= 0;
    }
    if (usable && has_area(mesh, t)) triangles.push_back(t);
  }
  drop_copies(triangles);

  TriangleMesh result;
  std::vector<int> place(first.size(), -1);
  for (auto& t : triangles)
    for (int& corner : t) {
      int& to = place[std::size_t(corner)];
      if (to < 0)
        to = int(result.vertices.size()), result.vertices.push_back(mesh.vertices[std::size_t(corner)]);
      corner = to;
    }
  result.triangles = std::move(triangles);
  return result;
}

std::vector<MeshEdge> edges_of(const TriangleMesh& mesh) {
  std::vector<MeshEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int side = 0; side < 3; ++side) {
      const int from = mesh.triangles[i][std::size_t(side)],
                to = mesh.triangles[i][std::size_t(side + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), int(i), side, from < to});
    }
  std::sort(edges.begin(), edges.end(), [](const MeshEdge& x, const MeshEdge& y) {
    return std::tie(x.lo, x.hi, x.triangle, x.side) < std::tie(y.lo, y.hi, y.triangle, y.side);
  });
  return edges;
}

int boundary_edges(const TriangleMesh& mesh) {
  const std::vector<MeshEdge> edges = edges_of(mesh);
  const auto same = [&](std::size_t i, std::size_t j) {
    return i < edges.size() && j < edges.size() && edges[i].lo == edges[j].lo && edges[i].hi == edges[j].hi;
  };
  int count = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) count += !(i > 0 && same(i, i - 1)) && !same(i, i + 1);
  return count;
}

}  // namespace whorl
