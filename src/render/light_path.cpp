#include "render/light_path.h"

#include <numbers>

namespace whorl {
namespace {

constexpr int most_events = 24;      // surfaces that a path meets
constexpr int most_after_matte = 8;  // once it has met one
constexpr int most_matte = 2;        // of them matte
constexpr int most_specks = 3;       // the same in foam, which is bright because light goes on in it
constexpr float brightest = 30,
                brightest_thrown = 5;  // that one path may be by day, straight and off a matte surface
constexpr double metal_width = 0.09;   // tangent of the half angle that metal blurs by

// Rare bright paths would be specks in the picture.
Rgb bounded(const Rgb& x, float most) {
  const float peak = std::max({x[0], x[1], x[2]});
  return peak > most ? x * (most / peak) : x;
}

}  // namespace

struct LightPaths::Path {
  Ray ray;
  float time = 0;
  Medium medium = {};
  Rgb weight{1, 1, 1};
  int events = 0, matte = 0;
  bool parts = true;  // at the next clear surface it becomes two
};

LightPaths::LightPaths(const LiquidWorld& world, const Daylight& day, const ClearWater& water,
                       const Caustics* caustics)
    : world_(world), day_(day), water_(water), caustics_(caustics) {}

SeenLight LightPaths::seen(const Ray& ray, float time, Sampler& sampler) const {
  SeenLight seen;
  seen.light = follow({.ray = ray, .time = time}, &seen, sampler);
  return seen;
}

Rgb LightPaths::follow(Path path, SeenLight* seen, Sampler& sampler) const {
  Rgb light{};
  const auto add = [&](const Rgb& more) {
    const float most = day_.brightness * (path.matte > 0 ? brightest_thrown : brightest);
    light = light + bounded(tint(path.weight, more), most);
  };
  bool first = seen != nullptr;  // for the pixel's features
  for (; path.events < most_events; ++path.events) {
    const LiquidWorld::Hit hit = world_.first(path.ray, path.time);
    // A speck half in the water may let a path out into the air: the sky is never behind water.
    if (path.medium.in_water() && hit.matter != Matter::sky) {
      const Rgb left = water_.transmittance(hit.distance);
      add(water_.scattered(left));
      path.weight = tint(path.weight, left);
    }
    if (first && hit.matter != Matter::sky) {
      seen->normal = convert<float>(hit.smooth);
      seen->nearness = float(world_.size() / hit.distance);
    }
    first = false;
    if (hit.matter == Matter::sky) {
      if (seen) seen->albedo = {1, 1, 1};
      add(day_.sky(path.ray.direction));
      // Matte surfaces have looked for the sun themselves.
      if (path.matte == 0) add(day_.disc(path.ray.direction));
      return light;
    }
    if (hit.clear()) {
      const ClearSurface surface(hit, path.ray.direction, path.medium);
      Path back = path, on = path;
      back.ray = surface.reflected_from(hit);
      if (surface.through) on.ray = surface.passed(hit);
      on.medium = surface.behind;
      if (path.parts && surface.back > 0 && surface.back < 1) {
        back.parts = on.parts = false;
        back.weight = path.weight * surface.back;
        on.weight = path.weight * (1 - surface.back);
        ++back.events;
        light = light + follow(back, nullptr, sampler);
        path = on;
      } else {
        path = sampler.one() < surface.back ? back : on;
      }
    } else if (hit.matter == Matter::metal) {
      if (seen) seen->albedo = hit.colour;
      seen = nullptr;
      path.weight = tint(path.weight, hit.colour);
      const Point mirror = mirrored(path.ray.direction, hit.normal);
      const Vec<float, 2> u = sampler.pair();
      const double r = metal_width * std::sqrt(double(u[0])), turn = 2 * std::numbers::pi * double(u[1]);
      const Point towards = normalised(Frame(mirror)({r * std::cos(turn), r * std::sin(turn), 1}));
      path.ray = {hit.x + hit.normal * hit.offset, dot(towards, hit.normal) > 0 ? towards : mirror};
    } else {
      const Point normal = dot(hit.normal, path.ray.direction) < 0 ? hit.normal : hit.normal * -1.;
      if (seen) seen->albedo = hit.colour;
      seen = nullptr;
      if (hit.ground) {
        const float haze = world_.haze(hit.x);
        const Point level{path.ray.direction[0], 0, path.ray.direction[2]};
        add(day_.sky(normalised(level)) * haze);
        path.weight = path.weight * (1 - haze);
      }
      path.weight = tint(path.weight, hit.colour);
      ++path.matte;
      add(sun_on(hit, normal, path, sampler));
      if (path.matte >= (hit.speck() ? most_specks : most_matte)) return light;
      path.events = std::max(path.events, most_events - most_after_matte);
      path.parts = false;
      const Vec<float, 2> u = sampler.pair();
      path.ray = hit.away(hit.speck() ? even_direction(u) : cosine_direction(normal, u), normal);
    }
    // Paths that matter little end by chance (Arvo & Kirk 1990).
    if (path.events > 3) {
      const float kept = std::min(1.f, 2 * std::max({path.weight[0], path.weight[1], path.weight[2]}));
      if (sampler.one() >= kept) return light;
      path.weight = path.weight * (1 / kept);
    }
  }
  return light;
}

// The sun's light that a white matte surface sends back.
Rgb LightPaths::sun_on(const LiquidWorld::Hit& hit, const Point& normal, const Path& path,
                       Sampler& sampler) const {
  const Vec<float, 2> u = sampler.pair();
  Rgb sum{};
  const bool counted = hit.ground && caustics_ && caustics_->covers(hit.x);
  if (counted) sum = caustics_->irradiance(hit.x);
  const Point towards = day_.towards_sun(u);
  const double facing = hit.speck() ? 0.25 : dot(normal, towards);  // a ball's section over its surface
  if (facing > 0) {
    const Ray ray = hit.away(towards, normal);
    sum = sum + tint(day_.sun_irradiance, arrives(ray, path.medium, path.time, !counted)) * float(facing);
  }
  return sum * float(1 / std::numbers::pi);
}

// What comes of light from the end of a ray. It passes clear things along a straight line: that is an
// approximation, as is the part that surfaces throw back, which is that of the side of the air.
Rgb LightPaths::arrives(Ray ray, Medium medium, float time, bool through_clear) const {
  constexpr int most_surfaces = 12;
  Rgb left{1, 1, 1};
  for (int k = 0; k < most_surfaces; ++k) {
    const LiquidWorld::Hit hit = world_.first(ray, time);
    if (hit.matter == Matter::sky) return left;
    if (medium.in_water()) left = tint(left, water_.transmittance(hit.distance));
    if (hit.clear()) {
      if (!through_clear) return {};
      const double cosine = dot(ray.direction, hit.smooth);
      const Medium behind = medium.beyond(hit, dot(ray.direction, hit.normal) < 0);
      const double thinner = std::min(medium.index(), behind.index()),
                   denser = std::max(medium.index(), behind.index());
      if (thinner < denser) left = left * (1 - reflectance(std::abs(cosine), thinner / denser));
      medium = behind;
    } else {
      return {};
    }
    ray.origin = hit.x + ray.direction * (2 * hit.offset);
  }
  return {};
}

}  // namespace whorl
