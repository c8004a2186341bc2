#include "render/solid_rays.h"

#include "render/solids.h"

namespace whorl {

SolidRays::SolidRays(const std::vector<Shape<3>>& shapes, const std::vector<SolidMotion>& motions,
                     const Exposure& exposure, double size)
    : exposure_(exposure), size_(size) {
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape<3>& shape = shapes[k];
    const Bounds<3> own = shape.bounds();
    parts_.push_back({shape, own, std::max(0.2 * offset(), 2 * mesh_cell(shape)), own, {}});
    if (motions.empty() || !motions[k]) continue;
    parts_.back().motion = motions[k];
    parts_.back().swept = swept(parts_.back());
  }
}

SolidPlace SolidRays::place(const Part& part, float time) const {
  return part.motion(exposure_.open + double(time) * (exposure_.close - exposure_.open));
}

// As some moments have it, and as much more as it goes between two of them.
Bounds<3> SolidRays::swept(const Part& part) const {
  constexpr int moments = 16;
  const auto at = [&](int k) {
    const SolidPlace there = place(part, float(k) / moments);
    return Shape<3>(PosedShape<3>{{part.shape}, there.translate, there.turn}).bounds();
  };
  Bounds<3> before = at(0), all = before;
  double step = offset();
  for (int k = 1; k <= moments; ++k) {
    const Bounds<3> now = at(k);
    for (int a = 0; a < 3; ++a) {
      if (std::isfinite(now.lo[a])) step = std::max(step, std::abs(now.lo[a] - before.lo[a]));
      if (std::isfinite(now.hi[a])) step = std::max(step, std::abs(now.hi[a] - before.hi[a]));
      all.lo[a] = std::min(all.lo[a], now.lo[a]);
      all.hi[a] = std::max(all.hi[a], now.hi[a]);
    }
    before = now;
  }
  return {all.lo - Point::filled(step), all.hi + Point::filled(step)};
}

std::optional<SolidRays::Hit> SolidRays::first(const Ray& ray, double end, float time) const {
  std::optional<Hit> nearest;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    double from = 0, to = end;
    if (part.motion && !clip(ray, part.swept, from, to)) continue;
    if (const std::optional<double> t =
            crossing(part, part.motion ? place(part, time).inside(ray) : ray, end)) {
      nearest = {*t, k};
      end = *t;
    }
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
Point SolidRays::normal_of(const Part& part, const Point& x) {
  Point sum{};
  for (const Point& corner : {Point{1, -1, -1}, Point{-1, -1, 1}, Point{-1, 1, -1}, Point{1, 1, 1}})
    sum = sum + corner * part.shape.distance(x + corner * part.step);
  const double l = length(sum);
  return l > 0 ? sum * (1 / l) : Point::unit(1);
}

Point SolidRays::normal(std::size_t solid, const Point& x, float time) const {
  const Part& part = parts_[solid];
  if (!part.motion) return normal_of(part, x);
  const SolidPlace there = place(part, time);
  return there.turn.apply(normal_of(part, there.inside(x)));
}

}  // namespace whorl
