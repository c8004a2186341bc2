#include "render/solid_rays.h"

#include "render/solids.h"

namespace whorl {

SolidRays::SolidRays(const std::vector<Shape<3>>& shapes, double size) : size_(size) {
  for (const Shape<3>& shape : shapes)
    parts_.push_back({shape, shape.bounds(), std::max(0.2 * offset(), 2 * mesh_cell(shape))});
}

std::optional<SolidRays::Hit> SolidRays::first(const Ray& ray, double end) const {
  std::optional<Hit> nearest;
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (const std::optional<double> t = crossing(parts_[k], ray, end)) {
      nearest = {*t, k};
      end = *t;
    }
  return nearest;
}

std::optional<double> SolidRays::crossing(const Part& part, const Ray& ray, double end) const {
  constexpr int most_steps = 200;
  double t = 0;
  if (part.bounds.empty() || !clip(ray, part.bounds, t, end)) return {};
  const double close = 0.1 * offset();
  t = std::max(0., t - close);
  const double side = part.shape.distance(ray.at(t)) < 0 ? -1 : 1;
  for (int k = 0; k < most_steps && t <= end + close; ++k) {
    const double d = side * part.shape.distance(ray.at(t));
    if (d < close) return t;
    t += d;
  }
  return {};
}

// Central differences over the corners of a tetrahedron: four distances rather than six.
Point SolidRays::normal(std::size_t solid, const Point& x) const {
  const Part& part = parts_[solid];
  Point sum{};
  for (const Point& corner : {Point{1, -1, -1}, Point{-1, -1, 1}, Point{-1, 1, -1}, Point{1, 1, 1}})
    sum = sum + corner * part.shape.distance(x + corner * part.step);
  const double l = length(sum);
  return l > 0 ? sum * (1 / l) : Point::unit(1);
}

}  // namespace whorl
