#include "render/caustics.h"

#include "render/sampler.h"

#include <atomic>
#include <cmath>

namespace whorl {
namespace {

constexpr float unit_photon = 1024;  // whole numbers add up to the same in any order
constexpr int most_surfaces = 12;

// A rectangle square to the sun's light through which all of it comes that meets a box.
struct Window {
  Frame axes;
  Point corner;
  double width = 0, height = 0;

  Window(const Bounds<3>& box, const Point& sun) : axes(sun) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Point lo = Point::filled(infinity), hi = Point::filled(-infinity);
    for (int k = 0; k < 8; ++k) {
      Point x;
      for (int a = 0; a < 3; ++a) x[a] = k >> a & 1 ? box.hi[a] : box.lo[a];
      const Point local{dot(x, axes.x), dot(x, axes.y), dot(x, axes.z)};
      for (int a = 0; a < 3; ++a) {
        lo[a] = std::min(lo[a], local[a]);
        hi[a] = std::max(hi[a], local[a]);
      }
    }
    width = hi[0] - lo[0];
    height = hi[1] - lo[1];
    corner = axes({lo[0], lo[1], hi[2] + 0.01 * (width + height)});
  }
};

struct Landing {
  Point x;
  Rgb left;  // of the photon
};

// Where a photon meets the ground, if that is after something clear.
std::optional<Landing> followed(Ray ray, float time, const LiquidWorld& world, const ClearWater& water,
                                Sampler& sampler) {
  Medium medium;
  Rgb left{1, 1, 1};
  bool met_clear = false;
  for (int k = 0; k < most_surfaces; ++k) {
    const LiquidWorld::Hit hit = world.first(ray, time);
    if (medium.in_water()) left = tint(left, water.transmittance(hit.distance));
    if (hit.clear()) {
      const ClearSurface surface(hit, ray.direction, medium);
      met_clear = true;
      if (sampler.one() < surface.back) {
        ray = surface.reflected_from(hit);
      } else {
        ray = surface.passed(hit);
        medium = surface.behind;
      }
    } else if (hit.ground && met_clear) {
      return Landing{hit.x, left};
    } else {
      return {};
    }
  }
  return {};
}

}  // namespace

Caustics::Caustics(Exec& ex, const LiquidWorld& world, const Daylight& day, const ClearWater& water,
                   int photons, std::uint64_t seed) {
  const Zone zone(ex.profile(), "caustics");
  const Bounds<3>& box = world.clear_bounds();
  if (!world.ground() || box.empty() || photons <= 0) return;
  // All of the shadow, and some way beyond it for light that is thrown aside.
  const double margin = 0.1 * world.size();
  Point lo = box.lo, hi = box.hi;
  for (const int axis : {0, 2}) {
    const double shadow = -day.sun[axis] / std::max(day.sun[1], 0.2) * (box.hi[1] - *world.ground());
    lo[axis] = box.lo[axis] + std::min(shadow, 0.) - margin;
    hi[axis] = box.hi[axis] + std::max(shadow, 0.) + margin;
  }
  x_ = lo[0];
  z_ = lo[2];
  const double wide = hi[0] - lo[0], deep = hi[2] - lo[2];
  cell_ = std::sqrt(wide * deep * 5 / photons);
  width_ = int(wide / cell_) + 1;
  depth_ = int(deep / cell_) + 1;

  const Window window(box, day.sun);
  std::vector<std::atomic<std::uint32_t>> counts(std::size_t(width_) * std::size_t(depth_) * 3);
  ex.parallel_for(photons, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      Sampler sampler(mix64(seed, 1), 0, std::uint32_t(k));  // all together are spread evenly
      const Vec<float, 2> place = sampler.pair();
      const float time = sampler.one();
      const Ray ray{window.corner + window.axes.x * (window.width * double(place[0])) +
                        window.axes.y * (window.height * double(place[1])),
                    day.towards_sun(sampler.pair()) * -1.};
      const std::optional<Landing> landing = followed(ray, time, world, water, sampler);
      if (!landing || !covers(landing->x)) continue;
      const auto i = std::size_t((landing->x[0] - x_) / cell_), j = std::size_t((landing->x[2] - z_) / cell_);
      for (int c = 0; c < 3; ++c)
        counts[(j * std::size_t(width_) + i) * 3 + std::size_t(c)].fetch_add(
            std::uint32_t(landing->left[c] * unit_photon), std::memory_order_relaxed);
    }
  });
  const double each = window.width * window.height / (double(photons) * cell_ * cell_ * double(unit_photon));
  cells_.resize(counts.size() / 3);
  for (std::size_t k = 0; k < cells_.size(); ++k)
    for (int c = 0; c < 3; ++c)
      cells_[k][c] = day.sun_irradiance[c] * float(each * double(counts[3 * k + std::size_t(c)].load()));
}

bool Caustics::covers(const Point& x) const {
  return x[0] > x_ && x[2] > z_ && x[0] < x_ + width_ * cell_ && x[2] < z_ + depth_ * cell_;
}

Rgb Caustics::at(int i, int j) const {
  i = std::clamp(i, 0, width_ - 1);
  j = std::clamp(j, 0, depth_ - 1);
  return cells_[std::size_t(j) * std::size_t(width_) + std::size_t(i)];
}

// Quadratic B-splines between the middles of cells: they smooth the noise of counting.
Rgb Caustics::irradiance(const Point& x) const {
  const auto weights = [](double at, int& first, float(&w)[3]) {
    const int middle = int(std::floor(at));
    const float t = float(at - middle);
    first = middle - 1;
    w[0] = 0.5f * (1 - t) * (1 - t);
    w[2] = 0.5f * t * t;
    w[1] = 1 - w[0] - w[2];
  };
  int i, j;
  float u[3], v[3];
  weights((x[0] - x_) / cell_, i, u);
  weights((x[2] - z_) / cell_, j, v);
  Rgb sum{};
  for (int b = 0; b < 3; ++b)
    for (int a = 0; a < 3; ++a) sum = sum + at(i + a, j + b) * (u[a] * v[b]);
  return sum;
}

}  // namespace whorl
