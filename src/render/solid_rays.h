// The surfaces of solids as rays meet them from outside and from within: traced by their distance (Hart
// 1996), each solid by itself, so that edges stay sharp and one sees through those of glass.
#pragma once

#include "geometry/shape.h"
#include "render/camera.h"

#include <optional>
#include <vector>

namespace whorl {

class SolidRays {
 public:
  struct Hit {
    double distance = 0;
    std::size_t solid = 0;  // as they were given
  };

  // `size` is of the scene: how exact a hit is goes by it.
  SolidRays(const std::vector<Shape<3>>& shapes, double size);

  // A ray that goes on after a hit begins this far from the surface.
  double offset() const { return 1e-4 * size_; }
  std::optional<Hit> first(const Ray& ray, double end) const;
  Point normal(std::size_t solid, const Point& x) const;  // outwards

 private:
  struct Part {
    Shape<3> shape;
    Bounds<3> bounds;
    double step;  // that normals are taken over
  };
  std::optional<double> crossing(const Part& part, const Ray& ray, double end) const;

  std::vector<Part> parts_;
  double size_;
};

}  // namespace whorl
