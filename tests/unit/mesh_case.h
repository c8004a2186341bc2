// Meshes to test with.
#pragma once

#include "base/rng.h"
#include "geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace whorl {

using Point3 = Vec<double, 3>;

inline Point3 random_point(Rng& rng, double reach) {
  Point3 x;
  for (int a = 0; a < 3; ++a) x[a] = reach * (2 * double(rng.uniform()) - 1);
  return x;
}

// A ball as an octahedron with every triangle cut into four, `times` over, on its sphere.
inline TriangleMesh ball_mesh(int times, const Point3& centre = {}, double radius = 1) {
  TriangleMesh mesh{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                    {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (int k = 0; k < times; ++k) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int i, int j) {
      const auto [found, is_new] = middles.try_emplace(std::minmax(i, j), int(mesh.vertices.size()));
      if (is_new)
        mesh.vertices.push_back(normalised(mesh.vertices[std::size_t(i)] + mesh.vertices[std::size_t(j)]));
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& t : mesh.triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      for (const std::array<int, 3>& part :
           {std::array{t[0], a, c}, std::array{a, t[1], b}, std::array{c, b, t[2]}, std::array{a, b, c}})
        finer.push_back(part);
    }
    mesh.triangles = std::move(finer);
  }
  for (Point3& x : mesh.vertices) x = centre + x * radius;
  return mesh;
}

// Two triangles a face.
inline TriangleMesh box_mesh(const Point3& lo, const Point3& hi) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {corner & 1 ? hi[0] : lo[0], corner & 2 ? hi[1] : lo[1], corner & 4 ? hi[2] : lo[2]});
  for (const std::array<int, 4>& q :
       {std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3},
        std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}}) {
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

inline TriangleMesh joined(TriangleMesh mesh, const TriangleMesh& other) {
  const int first = int(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

// Every triangle with its own corners, as an STL file has them.
inline TriangleMesh soup(const TriangleMesh& mesh) {
  TriangleMesh apart;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const Point3& x : corners(mesh, i)) apart.vertices.push_back(x);
    const int first = int(3 * i);
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  return apart;
}

inline void flip_some(TriangleMesh& mesh, double share) {
  Rng rng(5, 0);
  for (auto& t : mesh.triangles)
    if (double(rng.uniform()) < share) std::swap(t[0], t[1]);
}

// Without the triangles whose middles are within a distance of a point.
inline TriangleMesh holed(TriangleMesh mesh, const Point3& at, double radius) {
  std::vector<std::array<int, 3>> kept;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (length(centroid(corners(mesh, i)) - at) >= radius) kept.push_back(mesh.triangles[i]);
  mesh.triangles = std::move(kept);
  return mesh;
}

// The v and f lines of a plain OBJ file.
inline TriangleMesh plain_obj(const std::string& path) {
  TriangleMesh mesh;
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Point3& x = mesh.vertices.emplace_back();
      words >> x[0] >> x[1] >> x[2];
    } else if (kind == "f") {
      std::array<int, 3>& t = mesh.triangles.emplace_back();
      words >> t[0] >> t[1] >> t[2];
      for (int& i : t) --i;
    }
  }
  return mesh;
}

}  // namespace whorl
