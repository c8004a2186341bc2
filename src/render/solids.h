// The solids of a scene as rays see them: traced by their distance (Hart 1996).
#pragma once

#include "geometry/shape.h"
#include "render/camera.h"
#include "render/colour.h"

#include <optional>
#include <vector>

namespace whorl {

// The largest cell of the meshes in a shape, m; 0 without a mesh.
double mesh_cell(const Shape<3>& shape);

// What of a stretch of a ray is in a box: whether there is any.
bool clip(const Ray& ray, const Bounds<3>& box, double& begin, double& end);

class Solids {
 public:
  // `colours`: one for each shape, or none where they are not asked for.
  explicit Solids(const std::vector<Shape<3>>& shapes, const std::vector<Rgb>& colours = {});

  bool empty() const { return shapes_.empty(); }
  const Bounds<3>& bounds() const { return bounds_; }
  double distance(const Point& x) const;
  // From distances `step` away, or two cells of a mesh, whose facets would show otherwise.
  Point normal(const Point& x, double step) const;

  const Rgb& colour(const Point& x) const { return colours_[nearest(x)]; }  // of the one there

  // How far along a ray the first surface is, if nearer than `end`. A ray that begins inside a solid starts
  // where it leaves it: so one sees into a container.
  std::optional<double> hit(const Ray& ray, double end) const;
  // How much of a light, a few degrees wide, is seen from a point: 0 to 1.
  float seen(const Point& from, const Point& towards, double end) const;
  // How much of the sky is seen from a point with a normal, as the solids within `reach` leave it: 0 to 1.
  float openness(const Point& x, const Point& normal, double reach) const;

 private:
  std::size_t nearest(const Point& x) const;

  std::vector<Shape<3>> shapes_;
  std::vector<Rgb> colours_;
  std::vector<double> mesh_cells_;  // of each shape, 0 without a mesh
  Bounds<3> bounds_;
};

}  // namespace whorl
