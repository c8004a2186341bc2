#include "render/framing.h"

#include "exec/reduce.h"
#include "exec/shapes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace whorl {
namespace {

constexpr double free_paths_across = 24;
constexpr double cells_across = 128;  // of a scene without a domain

template <int D>
bool usable(const Bounds<D>& box) {
  for (int a = 0; a < D; ++a)
    if (!(box.hi[a] > box.lo[a] && std::isfinite(box.hi[a] - box.lo[a]))) return false;
  return true;
}

template <int D>
Bounds<D> around(Bounds<D> x, const Bounds<D>& y) {
  for (int a = 0; a < D; ++a) {
    x.lo[a] = std::min(x.lo[a], y.lo[a]);
    x.hi[a] = std::max(x.hi[a], y.hi[a]);
  }
  return x;
}

template <int D>
struct Moments {
  double mass = 0;
  Vec<double, D> sum{};
};

// Sums weight · f(x_a) over the cells, axis after axis. Smoke that hardly shows has no weight, and all that
// does show has about the same.
template <int D, class F>
Moments<D> moments(Exec& ex, const Snapshot<D>& snapshot, const Field<float, D>& density, const F& f) {
  const std::span<const Coord<D>> tiles = density.topology()->tiles();
  return reduce(
      ex, std::int64_t(tiles.size()), tiles_per_chunk<D>, Moments<D>{},
      [&](std::int64_t begin, std::int64_t end) {
        Moments<D> m;
        for (std::int64_t k = begin; k < end; ++k) {
          const float* value = density.data() + k * tile_cells<D>;
          for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
            const float d = *value++;
            if (!(d > 0.01f)) return;
            const double weight = std::min(d, 0.1f);
            const Vec<double, D> x = snapshot.centre(tiles[std::size_t(k)] * tile_side + at);
            m.mass += weight;
            for (int a = 0; a < D; ++a) m.sum[a] += weight * f(x[a], a);
          });
        }
        return m;
      },
      [](const Moments<D>& x, const Moments<D>& y) {
        return Moments<D>{x.mass + y.mass, x.sum + y.sum};
      });
}

template <int D>
Bounds<D> box_of_smoke(Exec& ex, const Snapshot<D>& snapshot, const Field<float, D>& density) {
  const Moments<D> first = moments(ex, snapshot, density, [](double x, int) { return x; });
  if (!(first.mass > 0)) return {};
  const Vec<double, D> centre = first.sum * (1 / first.mass);
  // On each side the sixteenth root of the mean sixteenth power: for smoke spread evenly that is some three
  // quarters of the true reach.
  Bounds<D> box;
  for (const double side : {-1., 1.}) {
    const Moments<D> high = moments(ex, snapshot, density, [&](double x, int a) {
      return std::pow(std::max(side * (x - centre[a]) / snapshot.h, 0.), 16);
    });
    for (int a = 0; a < D; ++a)
      (side < 0 ? box.lo : box.hi)[a] =
          centre[a] + side * snapshot.h * (1.3 * std::pow(high.sum[a] / high.mass, 1. / 16) + 2);
  }
  return box;
}

}  // namespace

template <int D>
Bounds<D> framed_box(Exec& ex, const PreviewScene<D>& scene) {
  if (scene.domain && usable(*scene.domain)) return *scene.domain;
  const Snapshot<D>& snapshot = *scene.snapshot;
  std::optional<Bounds<D>> seen;
  for (const char* name : {"density", "flame"}) {
    const Field<float, D>* field = snapshot.find(name);
    const Bounds<D> box = field ? box_of_smoke(ex, snapshot, *field) : Bounds<D>{};
    if (usable(box)) seen = seen ? around(*seen, box) : box;
  }
  if (seen) return *seen;
  for (const Shape<D>& solid : scene.solids)
    if (usable(solid.bounds())) return solid.bounds();
  const auto reach = Vec<double, D>::filled(cells_across / 2 * snapshot.h);
  return {snapshot.origin - reach, snapshot.origin + reach};
}

template <int D>
double unit_extinction(const PreviewScene<D>& scene) {
  if (!scene.domain || !usable(*scene.domain)) return free_paths_across / (cells_across * scene.snapshot->h);
  double volume = 1;
  for (int a = 0; a < D; ++a) volume *= scene.domain->hi[a] - scene.domain->lo[a];
  return free_paths_across / std::pow(volume, 1. / D);
}

template Bounds<2> framed_box(Exec&, const PreviewScene<2>&);
template Bounds<3> framed_box(Exec&, const PreviewScene<3>&);
template double unit_extinction(const PreviewScene<2>&);
template double unit_extinction(const PreviewScene<3>&);

}  // namespace whorl
