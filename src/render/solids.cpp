#include "render/solids.h"

#include "base/check.h"
#include "geometry/mesh_distance.h"

namespace whorl {
namespace {

constexpr int most_steps = 160;
constexpr double near_enough = 2e-4;  // of the distance travelled

}  // namespace

double mesh_cell(const Shape<3>& shape) {
  return std::visit(
      [](const auto& node) {
        using Node = std::remove_cvref_t<decltype(node)>;
        double largest = 0;
        if constexpr (std::is_same_v<Node, MeshShape<3>>) largest = node.mesh ? node.mesh->cell_size() : 0;
        if constexpr (requires { node.parts; })
          for (const Shape<3>& part : node.parts) largest = std::max(largest, mesh_cell(part));
        if constexpr (std::is_same_v<Node, TransformShape<3>>) largest *= node.scale;
        return largest;
      },
      shape.node());
}

Solids::Solids(const std::vector<Shape<3>>& shapes, const std::vector<Rgb>& colours) {
  CHECK(colours.empty() || colours.size() == shapes.size(), colours.size(), " colours of ", shapes.size(),
        " solids");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bounds_ = {Point::filled(infinity), Point::filled(-infinity)};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape<3>& shape = shapes[k];
    const Bounds<3> box = shape.bounds();
    if (box.empty()) continue;
    shapes_.push_back(shape);
    if (!colours.empty()) colours_.push_back(colours[k]);
    mesh_cells_.push_back(mesh_cell(shape));
    for (int a = 0; a < 3; ++a) {
      bounds_.lo[a] = std::min(bounds_.lo[a], box.lo[a]);
      bounds_.hi[a] = std::max(bounds_.hi[a], box.hi[a]);
    }
  }
}

double Solids::distance(const Point& x) const {
  double d = std::numeric_limits<double>::infinity();
  for (const Shape<3>& shape : shapes_) d = std::min(d, shape.distance(x));
  return d;
}

std::size_t Solids::nearest(const Point& x) const {
  std::size_t found = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < shapes_.size(); ++k)
    if (const double d = shapes_[k].distance(x); d < least) least = d, found = k;
  return found;
}

// Central differences over the corners of a tetrahedron: four distances rather than six.
Point Solids::normal(const Point& x, double step) const {
  if (!empty()) step = std::max(step, 2 * mesh_cells_[nearest(x)]);
  Point sum{};
  for (const Point& corner : {Point{1, -1, -1}, Point{-1, -1, 1}, Point{-1, 1, -1}, Point{1, 1, 1}})
    sum = sum + corner * distance(x + corner * step);
  const double size = length(sum);
  return size > 0 ? sum * (1 / size) : Point::unit(1);
}

bool clip(const Ray& ray, const Bounds<3>& box, double& begin, double& end) {
  for (int a = 0; a < 3; ++a) {
    const double inverse = 1 / ray.direction[a];
    const double t0 = (box.lo[a] - ray.origin[a]) * inverse, t1 = (box.hi[a] - ray.origin[a]) * inverse;
    if (std::isnan(t0) || std::isnan(t1)) continue;
    begin = std::max(begin, std::min(t0, t1));
    end = std::min(end, std::max(t0, t1));
  }
  return begin < end;
}

std::optional<double> Solids::hit(const Ray& ray, double end) const {
  double t = 0;
  if (empty() || !clip(ray, bounds_, t, end)) return {};
  const double size = end;
  bool inside = distance(ray.at(t)) < 0;
  if (inside && t > 0) return t;  // a face of the bounds is one of the solid's
  for (int k = 0; k < most_steps && t < end; ++k) {
    const double d = distance(ray.at(t)), close = near_enough * std::max(t, 1e-3 * size);
    if (inside) {
      inside = d < close;
      t += std::max(std::abs(d), close);
      continue;
    }
    if (d < close) return t;
    t += d;
  }
  return {};
}

// The narrowest the way gets, seen from the point, against the light's own width (Quílez 2010).
float Solids::seen(const Point& from, const Point& towards, double end) const {
  constexpr double light_width = 0.06;  // the tangent of its half angle
  const Ray ray{from, towards};
  double t = 0;
  if (empty() || !clip(ray, bounds_, t, end)) return 1;
  double open = 1;
  t = std::max(t, 1e-3 * end);
  for (int k = 0; k < most_steps && t < end; ++k) {
    const double d = distance(ray.at(t));
    open = std::min(open, 0.5 + 0.5 * d / (light_width * t));
    if (open <= 0) return 0;
    t += std::max(std::abs(d), 2e-3 * end);
  }
  return float(open * open * (3 - 2 * open));
}

float Solids::openness(const Point& x, const Point& normal, double reach) const {
  constexpr int taps = 5;
  if (empty()) return 1;
  double missing = 0, weight = 0.6;
  for (int k = 1; k <= taps; ++k, weight *= 0.7) {
    const double height = reach * k / taps;
    const double free = std::clamp(distance(x + normal * height), 0., height);
    missing += weight * (1 - free / height) * 0.6;
  }
  return float(std::max(1 - missing, 0.));
}

}  // namespace whorl
