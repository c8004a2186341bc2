#include "render/water.h"

#include "exec/shapes.h"

namespace whorl {
namespace {

constexpr Rgb depth_colour{0.05f, 0.22f, 0.30f};  // of what thick water scatters back
constexpr Rgb absorbed{3.2f, 0.95f, 0.55f};       // across the box

}  // namespace

Water::Water(Exec& ex, const Snapshot<3>& snapshot, const Bounds<3>& box) : box_(box), h_(snapshot.h) {
  const Field<float, 3>& field = *snapshot.find("surface");
  const Topology<3>& topology = *field.topology();
  absorption_ =
      absorbed *
      float(1 / std::cbrt((box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2])));
  Coord<3> lo = Coord<3>::filled(1 << 28), hi = Coord<3>::filled(-(1 << 28));
  for (const Coord<3>& tile : topology.tiles())
    for (int a = 0; a < 3; ++a) {
      lo[a] = std::min(lo[a], tile[a] * tile_side);
      hi[a] = std::max(hi[a], (tile[a] + 1) * tile_side);
    }
  if (topology.tile_count() == 0) lo = hi = {};
  Point corner;
  for (int a = 0; a < 3; ++a) corner[a] = snapshot.origin[a] + lo[a] * h_;
  surface_ = DenseGrid<float>(corner, h_, hi - lo);
  const float far = field.background();
  std::fill(surface_.values.begin(), surface_.values.end(), far);
  ex.parallel_for(topology.tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const Coord<3> first = topology.tiles()[std::size_t(tile)] * tile_side - lo;
      const float* values = field.data() + std::size_t(tile) * tile_cells<3>;
      for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& cell) {
        surface_.values[surface_.offset(first + cell)] = values[cell_offset<3>(cell)];
      });
    }
  });
}

double Water::distance(const Point& x) const {
  double outside = -1e300;
  for (int a = 0; a < 3; ++a) outside = std::max({outside, box_.lo[a] - x[a], x[a] - box_.hi[a]});
  if (surface_.values.empty()) return std::max(outside, h_);
  double beyond = 0;  // of what there is of the surface
  for (int a = 0; a < 3; ++a) {
    const double low = surface_.origin[a], high = low + surface_.size[a] * surface_.cell;
    beyond = std::max({beyond, low - x[a], x[a] - high});
  }
  if (beyond > h_) return std::max(outside, beyond);
  return std::max(outside, double(surface_.sample(x)));
}

std::optional<double> Water::crossing(const Ray& ray, double end, bool inside) const {
  double t = 0, before = 0;
  double last = inside ? -1 : 1;
  const double sign = inside ? -1 : 1;
  for (int k = 0; k < 2000 && before < end; ++k) {
    const double here = sign * distance(ray.at(t));
    if (here <= 0 && k > 0) {
      const double share = last / (last - here);
      return before + (t - before) * share;
    }
    before = t;
    last = std::max(here, 1e-9 * h_);
    t += std::max(0.7 * here, 0.2 * h_);
  }
  return {};
}

Point Water::normal(const Point& x) const {
  Point n;
  const double step = 0.75 * h_;
  for (int a = 0; a < 3; ++a) {
    const Point by = Point::unit(a, step);
    n[a] = distance(x + by) - distance(x - by);
  }
  const double size = length(n);
  return size > 0 ? n * (1 / size) : Point::unit(1);
}

Rgb Water::transmittance(double way) const {
  Rgb left;
  for (int c = 0; c < 3; ++c) left[c] = std::exp(-absorption_[c] * float(way));
  return left;
}

Rgb Water::scattered(double way) const { return tint(depth_colour, Rgb{1, 1, 1} - transmittance(way)); }

std::optional<Point> bent(const Point& direction, const Point& normal, double ratio) {
  const double cosine = -dot(direction, normal), rest = 1 - ratio * ratio * (1 - cosine * cosine);
  if (rest < 0) return {};
  return normalised(direction * ratio + normal * (ratio * cosine - std::sqrt(rest)));
}

}  // namespace whorl
