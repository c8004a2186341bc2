// Small scenes of clear things in a sky that is the same everywhere.
#pragma once

#include "render/liquid_picture.h"

#include <map>
#include <utility>

namespace whorl {

// Closed, its vertices on the sphere.
inline SurfaceMesh ball_mesh(const Point& centre, double radius, int finer = 5) {
  SurfaceMesh ball;
  TriangleMesh& mesh = ball.mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (const int x : {0, 1})
    for (const int y : {2, 3})
      for (const int z : {4, 5})
        if ((x + y + z) % 2 == 0)
          mesh.triangles.push_back({x, y, z});
        else
          mesh.triangles.push_back({x, z, y});
  for (int k = 0; k < finer; ++k) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int i, int j) {
      const auto [place, is_new] = middles.try_emplace(std::minmax(i, j), int(mesh.vertices.size()));
      if (is_new)
        mesh.vertices.push_back(normalised(mesh.vertices[std::size_t(i)] + mesh.vertices[std::size_t(j)]));
      return place->second;
    };
    std::vector<std::array<int, 3>> triangles;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(triangles);
  }
  for (Point& x : mesh.vertices) x = centre + x * radius;
  return ball;
}

// Its faces share no vertex.
inline SurfaceMesh box_mesh(const Point& lo, const Point& hi) {
  SurfaceMesh box;
  for (int a = 0; a < 3; ++a)
    for (const bool far : {false, true}) {
      const int b = (a + 1) % 3, c = (a + 2) % 3, first = int(box.mesh.vertices.size());
      for (int k = 0; k < 4; ++k) {
        Point x = far ? hi : lo;
        x[b] = k & 1 ? hi[b] : lo[b];
        x[c] = k & 2 ? hi[c] : lo[c];
        box.mesh.vertices.push_back(x);
      }
      for (const std::array<int, 3>& t : {std::array{0, 1, 2}, {1, 3, 2}})
        box.mesh.triangles.push_back({first + t[0], first + t[far ? 1 : 2], first + t[far ? 2 : 1]});
    }
  return box;
}

// In a cube of two metres round the origin, without a floor.
inline LiquidScene scene_with(const SurfaceMesh& surface) {
  return {.surface = &surface, .domain = {{-1, -1, -1}, {1, 1, 1}}};
}

// Clear water under a white sky, and nothing done to the paths' light.
inline LiquidPictureParams plain_params(int samples = 64) {
  LiquidPictureParams params;
  params.width = 32;
  params.height = 18;
  params.samples = samples;
  params.denoise = false;
  params.water = {.colour = {1, 1, 1}, .scatter = 0};
  params.day = Daylight::even({1, 1, 1});
  params.view = View{{0, 0, 5}, {0, 0, 0}, 20};
  return params;
}

inline double mean_of(const Pixels<Rgb>& light) {
  double sum = 0;
  for (const Rgb& x : light.values) sum += double(x[0] + x[1] + x[2]) / 3;
  return sum / double(light.values.size());
}

}  // namespace whorl
