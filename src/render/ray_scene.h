// Triangles and balls that move for the length of an exposure, as rays meet them. Embree finds them.
#pragma once

#include "geometry/triangle_mesh.h"
#include "render/specks.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace whorl {

// When the shutter opens and closes, from the time of the frame on.
struct Exposure {
  double open = 0, close = 0;  // s
};

class RayScene {
 public:
  struct Hit {
    double distance = 0;
    Point normal;  // of the triangle or the ball, outwards
    Point smooth;  // without a step from one triangle to the next, but at edges
    int object = 0;
    std::size_t part = 0;  // which triangle or ball
  };

  // Lengths are seen beside `size`, and places from `middle`: Embree has floats.
  RayScene(const Point& middle, double size);
  ~RayScene();
  RayScene(RayScene&&) noexcept;

  // Each returns its number as an object. `velocity` is of the vertices, or empty.
  int add(const TriangleMesh& mesh, std::span<const Vec<float, 3>> velocity, const Exposure& exposure);
  int add(std::span<const Speck> balls, const Exposure& exposure);
  void finish();  // then rays may be cast

  // What a ray meets first before `end`, at a time from 0, as the shutter opens, to 1.
  std::optional<Hit> first(const Ray& ray, double end, float time) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace whorl
