#include "render/liquid_world.h"

#include "base/rng.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

constexpr Rgb speck_colour{0.96f, 0.97f, 0.98f};
constexpr Rgb tile_colour{0.33f, 0.305f, 0.27f};
constexpr double tiles_across = 14;  // in the diagonal of the domain

void take_in(Bounds<3>& box, const Point& lo, const Point& hi) {
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = std::min(box.lo[a], lo[a]);
    box.hi[a] = std::max(box.hi[a], hi[a]);
  }
}

}  // namespace

LiquidWorld::LiquidWorld(const LiquidScene& scene, const Exposure& exposure)
    : scene_(scene),
      middle_((scene.domain.lo + scene.domain.hi) * 0.5),
      size_(length(scene.domain.hi - scene.domain.lo)),
      rays_(middle_, size_),
      solids_(scene.solids, scene.motions, exposure, size_) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  clear_ = {Point::filled(infinity), Point::filled(-infinity)};
  for (const Point& x : scene.surface->mesh.vertices) take_in(clear_, x, x);
  for (std::size_t k = 0; k < scene.solids.size(); ++k)
    if (const Bounds<3> box = solids_.bounds(k); scene.looks[k].material == Material::glass && !box.empty())
      take_in(clear_, box.lo, box.hi);
  for (int a = 0; a < 3; ++a) {
    clear_.lo[a] = std::max(clear_.lo[a], scene.domain.lo[a]);
    clear_.hi[a] = std::min(clear_.hi[a], scene.domain.hi[a]);
  }
  // A hair above the bottom: there is no film of air between the water and what it stands on.
  if (scene.floor) ground_ = scene.domain.lo[1] + 3e-4 * size_;
  if (!scene.specks.empty()) specks_ = rays_.add(scene.specks, exposure);
  if (!scene.surface->mesh.triangles.empty())
    rays_.add(scene.surface->mesh, scene.surface->velocity, exposure);
  rays_.finish();
}

Ray LiquidWorld::Hit::away(const Point& towards, const Point& side) const {
  if (speck()) return {x - normal * radius + towards * (radius + offset), towards};
  return {x + side * offset, towards};
}

LiquidWorld::Hit LiquidWorld::first(const Ray& ray, float time) const {
  Hit hit;
  double end = 1e3 * size_;
  if (ground_ && ray.direction[1] < 0 && ray.origin[1] > *ground_) {
    const double t = (*ground_ - ray.origin[1]) / ray.direction[1];
    if (t < end) {
      end = hit.distance = t;
      hit.matter = Matter::matte;
      hit.normal = hit.smooth = Point::unit(1);
      hit.ground = true;
      hit.offset = 1e-5 * size_;
    }
  }
  if (const std::optional<SolidRays::Hit> met = solids_.first(ray, std::min(end, 8 * size_), time)) {
    const SolidLook& look = scene_.looks[met->solid];
    end = met->distance;
    hit = {.matter = look.material == Material::glass   ? Matter::glass
                     : look.material == Material::metal ? Matter::metal
                                                        : Matter::matte,
           .distance = end,
           .normal = solids_.normal(met->solid, ray.at(end), time),
           .colour = look.colour,
           .offset = solids_.offset()};
    hit.smooth = hit.normal;
  }
  if (const std::optional<RayScene::Hit> met = rays_.first(ray, end, time)) {
    hit = {.matter = Matter::water,
           .distance = met->distance,
           .normal = met->normal,
           .smooth = met->smooth,
           .offset = 1e-5 * size_};
    if (met->object == specks_) {
      hit.matter = Matter::matte;
      hit.radius = double(scene_.specks[met->part].radius);
      hit.colour = speck_colour;
    }
  }
  if (hit.matter == Matter::sky) return hit;
  hit.x = ray.at(hit.distance);
  if (hit.ground) hit.colour = ground_colour(hit.x);
  return hit;
}

float LiquidWorld::haze(const Point& x) const {
  const double away = std::hypot(x[0] - middle_[0], x[2] - middle_[2]) / (20 * size_);
  return 1 - float(std::exp(-away * away));
}

// Square tiles, each a shade of its own, so that one sees how water bends what is below it. They fade away
// from the domain, where they would be smaller than pixels.
Rgb LiquidWorld::ground_colour(const Point& x) const {
  const double side = size_ / tiles_across;
  double joint = 0;  // 1 in the middle of a joint
  std::uint64_t tile = 0;
  for (const int a : {0, 2}) {
    const double at = (x[a] - middle_[a]) / side;
    joint = std::max(joint, std::abs(at - std::floor(at) - 0.5) * 2);
    tile = mix64(tile, std::uint64_t(std::int64_t(std::floor(at))));
  }
  const double away = std::hypot(x[0] - middle_[0], x[2] - middle_[2]) / (1.1 * size_);
  const float shown = float(std::exp(-away * away));
  const float shade =
      0.10f * (Rng(0, tile).uniform() - 0.5f) - 0.30f * smooth_step(0.955f, 0.975f, float(joint));
  return tile_colour * (1 + shown * shade);
}

}  // namespace whorl
