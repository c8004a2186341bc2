// The surfaces of solids as rays meet them from outside and from within: traced by their distance (Hart
// 1996), each solid by itself, so that edges stay sharp and one sees through those of glass. Rays see a solid
// that moves where it is at their time, from 0, as the shutter opens, to 1.
#pragma once

#include "geometry/shape.h"
#include "render/camera.h"
#include "render/ray_scene.h"
#include "render/solid_motion.h"

#include <optional>
#include <vector>

namespace whorl {

class SolidRays {
 public:
  struct Hit {
    double distance = 0;
    std::size_t solid = 0;  // as they were given
  };

  // `motions` are empty or one for each, null for those at rest. `size` is of the scene: how exact a hit is
  // goes by it.
  SolidRays(const std::vector<Shape<3>>& shapes, const std::vector<SolidMotion>& motions,
            const Exposure& exposure, double size);

  // A ray that goes on after a hit begins this far from the surface.
  double offset() const { return 1e-4 * size_; }
  std::optional<Hit> first(const Ray& ray, double end, float time) const;
  Point normal(std::size_t solid, const Point& x, float time) const;  // outwards
  // A box round all places where it is while the shutter is open.
  const Bounds<3>& bounds(std::size_t solid) const { return parts_[solid].swept; }

 private:
  struct Part {
    Shape<3> shape;
    Bounds<3> bounds;
    double step;  // that normals are taken over
    Bounds<3> swept;
    SolidMotion motion;  // null: it rests
  };
  SolidPlace place(const Part& part, float time) const;
  Bounds<3> swept(const Part& part) const;
  static Point normal_of(const Part& part, const Point& x);
  std::optional<double> crossing(const Part& part, const Ray& ray, double end) const;

  std::vector<Part> parts_;
  Exposure exposure_;
  double size_;
};

}  // namespace whorl
