#include "geometry/clip_mesh.h"

#include "exec/shapes.h"
#include "geometry/outward.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace whorl {

namespace {

using Place = Vec<double, 3>;

constexpr double most_facing = -0.5;  // the cosine between the mesh's normal and the way out of a solid

// Where the nearest solid is, and which way leads out of it.
std::optional<Place> way_out(const Place& x, std::span<const Shape<3>> solids, double near) {
  const Shape<3>* nearest = nullptr;
  double least = near;
  for (const Shape<3>& solid : solids)
    if (const double distance = solid.distance(x); distance < least) {
      least = distance;
      nearest = &solid;
    }
  if (!nearest) return {};
  const Place n = outward(*nearest, x, 0.1 * near);
  if (n == Place{}) return {};
  return n;
}

std::vector<Place> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Place> normals(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const Place area = area_vector(corners(mesh, k));
    for (const int v : mesh.triangles[k]) normals[std::size_t(v)] = normals[std::size_t(v)] + area;
  }
  return normals;
}

// Cuts triangles where a number that vertices have changes its sign, and keeps where it is positive.
class Cut {
 public:
  Cut(const SurfaceMesh& from, const std::vector<double>& kept) : from_(from), kept_(kept) {
    place_.assign(kept.size(), -1);
    for (const NamedColumn& column : from.columns) out_.columns.push_back({column.name, {}});
  }

  void add(const std::array<int, 3>& triangle) {
    int corners[4], count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = triangle[k], next = triangle[(k + 1) % 3];
      if (inside(v)) corners[count++] = vertex(v);
      if (inside(v) != inside(next)) corners[count++] = between(v, next);
    }
    for (int k = 2; k < count; ++k) out_.mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  SurfaceMesh take() { return std::move(out_); }

 private:
  bool inside(int v) const { return kept_[std::size_t(v)] > 0; }
  int vertex(int v) {
    int& place = place_[std::size_t(v)];
    return place >= 0 ? place : place = put(v, v, 0);
  }
  int between(int v, int w) {
    const auto [lo, hi] = std::minmax(v, w);
    const auto [found, is_new] = cuts_.try_emplace({lo, hi}, 0);
    const double from = kept_[std::size_t(lo)], to = kept_[std::size_t(hi)];
    if (is_new) found->second = put(lo, hi, from / (from - to));
    return found->second;
  }
  // A vertex `part` of the way from one to another.
  int put(int from, int to, double part) {
    const auto mean = [&](const auto& values, auto weight) {
      const auto first = values[std::size_t(from)];
      return part == 0 ? first : first + (values[std::size_t(to)] - first) * weight;
    };
    out_.mesh.vertices.push_back(mean(from_.mesh.vertices, part));
    if (!from_.velocity.empty()) out_.velocity.push_back(mean(from_.velocity, float(part)));
    for (std::size_t c = 0; c < from_.columns.size(); ++c)
      out_.columns[c].values.push_back(mean(from_.columns[c].values, float(part)));
    return int(out_.mesh.vertices.size()) - 1;
  }

  const SurfaceMesh& from_;
  const std::vector<double>& kept_;
  std::vector<int> place_;                   // of a vertex among the new ones
  std::map<std::pair<int, int>, int> cuts_;  // of an edge
  SurfaceMesh out_;
};

}  // namespace

SurfaceMesh free_surface(Exec& ex, const SurfaceMesh& surface, const Bounds<3>& sides,
                         std::span<const Shape<3>> solids, double near) {
  const Zone zone(ex.profile(), "free_surface");
  const TriangleMesh& mesh = surface.mesh;
  std::vector<double> kept(mesh.vertices.size(), 1);
  if (!solids.empty()) {
    const std::vector<Place> normals = vertex_normals(mesh);
    for_points(ex, std::int64_t(kept.size()), [&](std::int64_t v) {
      const Place& n = normals[std::size_t(v)];
      const std::optional<Place> out = way_out(mesh.vertices[std::size_t(v)], solids, near);
      const double size = length(n);
      if (out && size > 0) kept[std::size_t(v)] = dot(n, *out) / size - most_facing;
    });
  }
  // Vertices on a side are there but for the last bits.
  const double close = 1e-6 * near;
  const auto on_a_side = [&](const std::array<int, 3>& triangle) {
    for (int a = 0; a < 3; ++a)
      for (const double plane : {sides.lo[a], sides.hi[a]})
        if (std::all_of(triangle.begin(), triangle.end(),
                        [&](int v) { return std::abs(mesh.vertices[std::size_t(v)][a] - plane) <= close; }))
          return true;
    return false;
  };
  Cut cut(surface, kept);
  for (const std::array<int, 3>& triangle : mesh.triangles)
    if (!on_a_side(triangle)) cut.add(triangle);
  return cut.take();
}

}  // namespace whorl
