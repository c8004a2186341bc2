#include "sim/odd_places.h"

#include "base/rng.h"
#include "geometry/outward.h"
#include "sim/motion.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

constexpr int samples = 40000;             // of a shape
constexpr double thinnest = 2;             // cells
constexpr double thin_share = 0.02;        // of a surface, from which on it is said
constexpr double swallowed_share = 0.95;   // of a source
constexpr std::uint64_t places_seed = 71;  // of the samples

template <int D>
using Place = Vec<double, D>;

template <int D>
std::string text(const Place<D>& x) {
  std::vector<double> list(&x[0], &x[0] + D);
  return fmt::format("[{:.3g}]", fmt::join(list, ", "));
}

// f(place) at random ones in a box.
template <int D, class F>
void for_samples(const Bounds<D>& box, const F& f) {
  Rng rng(places_seed, 0);
  for (int k = 0; k < samples; ++k) {
    Place<D> x;
    for (int a = 0; a < D; ++a) x[a] = box.lo[a] + (box.hi[a] - box.lo[a]) * double(rng.uniform());
    f(x);
  }
}

// The box round a shape, and within the domain if there is one; none for what has no end.
template <int D>
std::optional<Bounds<D>> box_round(const Shape<D>& shape, const Scene<D>& scene) {
  Bounds<D> box = shape.bounds();
  for (int a = 0; a < D; ++a) {
    if (scene.domain) {
      box.lo[a] = std::max(box.lo[a], scene.domain->min[a]);
      box.hi[a] = std::min(box.hi[a], scene.domain->max[a]);
    }
    if (!(box.hi[a] - box.lo[a] < 1e6) || !(box.hi[a] > box.lo[a])) return {};
  }
  return box;
}

template <int D>
bool outside(const Place<D>& x, const Bounds<D>& box) {
  for (int a = 0; a < D; ++a)
    if (x[a] < box.lo[a] || x[a] > box.hi[a]) return true;
  return false;
}

// Where one goes in at a surface and is out again within two cells.
template <int D>
std::optional<std::string> thin_wall(const SolidConfig<D>& solid, const Scene<D>& scene, double h) {
  const Shape<D> shape = shape_at(solid, 0);
  const std::optional<Bounds<D>> box = box_round(shape, scene);
  if (!box) return {};
  double volume = 1;
  for (int a = 0; a < D; ++a) volume *= box->hi[a] - box->lo[a];
  const double near = std::max(h, std::pow(volume / samples, 1. / D));  // samples that say something
  int seen = 0, thin = 0;
  Place<D> where{};
  for_samples<D>(*box, [&](const Place<D>& x) {
    const double d = shape.distance(x);
    if (!(std::abs(d) < near)) return;
    const Place<D> n = outward(shape, x, 0.1 * h), surface = x - n * d;
    if (std::abs(shape.distance(surface)) > 0.1 * h) return;  // the distance is a bound here
    ++seen;
    const Place<D> behind = surface - n * (0.95 * thinnest * h);
    if (shape.distance(behind) <= 0 || outside(behind, *box)) return;
    if (dot(n, outward(shape, behind, 0.1 * h)) > -0.85) return;  // an edge, and no wall
    if (thin++ == 0) where = surface;
  });
  if (thin < thin_share * seen || thin == 0) return {};
  return fmt::format(
      "solid \"{}\": its wall is thinner than two cells ({:.3g} m) near {}, and may leak; make it thicker, "
      "or "
      "the cells smaller",
      solid.name, thinnest * h, text(where));
}

template <int D>
std::optional<std::string> swallowed(const char* kind, const std::string& name, const Shape<D>& shape,
                                     const Scene<D>& scene, double t) {
  if (scene.solid.empty()) return {};
  const std::optional<Bounds<D>> box = box_round(shape, scene);
  if (!box) return {};
  std::vector<Shape<D>> solids;
  for (const SolidConfig<D>& solid : scene.solid) solids.push_back(shape_at(solid, t));
  int own = 0, inside = 0;
  for_samples<D>(*box, [&](const Place<D>& x) {
    if (!shape.contains(x)) return;
    ++own;
    inside += std::any_of(solids.begin(), solids.end(), [&](const Shape<D>& s) { return s.contains(x); });
  });
  if (own == 0 || inside < swallowed_share * own) return {};
  return fmt::format("{} \"{}\" lies inside of a solid, and nothing comes of it; move it out", kind, name);
}

}  // namespace

template <int D>
std::vector<std::string> odd_places(const Scene<D>& scene) {
  const double h = grid_layout(scene).cell_size;
  std::vector<std::string> found;
  const auto note = [&](std::optional<std::string> sentence) {
    if (sentence) found.push_back(std::move(*sentence));
  };
  for (const SolidConfig<D>& solid : scene.solid) note(thin_wall(solid, scene, h));
  for (const SourceConfig<D>& source : scene.source)
    if (source.solid.empty() && source.motion.keys.empty())
      note(swallowed("source", source.name, source.shape, scene, source.start));
  for (const FillConfig<D>& fill : scene.fill)
    note(swallowed("fill", fill.name, fill.shape, scene, fill.start));
  return found;
}

template std::vector<std::string> odd_places(const Scene<2>&);
template std::vector<std::string> odd_places(const Scene<3>&);

}  // namespace whorl
