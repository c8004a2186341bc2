#include "render/march.h"

namespace whorl {
namespace {

constexpr float opaque = 0.003f;  // a transmittance that no longer shows
constexpr float step = 1;         // cells between samples

// Goes along a ray up to `end` metres from its origin: f(brick, at) at each sample in a tile that is kept,
// until it returns false. Samples lie at the same distances from the origin on every ray: tiles that are
// passed over do not shift them, so no tile's edge shows. The cubic reconstruction has little left that a
// step of a cell would miss.
template <class F>
void for_each_sample(const Smoke& smoke, const Ray& ray, double end, const F& f) {
  const Bricks<3>& density = *smoke.density;
  if (density.empty()) return;

  // In cells, from the low corner of the smoke's tiles.
  const Coord<3> first = density.tile_bounds().lo, last = density.tile_bounds().hi;
  Vec<float, 3> origin, direction, inverse;
  float from = 0, to = float(std::min(end / smoke.snapshot->h, 1e9));
  for (int a = 0; a < 3; ++a) {
    origin[a] = float((ray.origin[a] - smoke.snapshot->origin[a]) / smoke.snapshot->h - first[a] * tile_side);
    direction[a] = std::abs(ray.direction[a]) > 1e-9 ? float(ray.direction[a]) : 1e-9f;
    inverse[a] = 1 / direction[a];
    const float t0 = -origin[a] * inverse[a];
    const float t1 = (float((last[a] - first[a]) * tile_side) - origin[a]) * inverse[a];
    from = std::max(from, std::min(t0, t1));
    to = std::min(to, std::max(t0, t1));
  }

  Coord<3> tile = Coord<3>::filled(-1);
  int brick = -1;
  for (double k = std::ceil(from / step - 0.5f);;) {  // a double counts on where a float would stand still
    const float t = (float(k) + 0.5f) * step;
    if (!(t < to)) break;
    Vec<float, 3> at = origin + direction * t;
    Coord<3> now;
    for (int a = 0; a < 3; ++a) {
      now[a] = int(std::max(at[a], 0.f)) / tile_side;
      at[a] -= float(now[a] * tile_side);
    }
    if (!(now == tile)) {
      tile = now;
      int side;
      brick = density.find(first + tile, side);
      if (brick < 0) {
        float leave = to;
        for (int a = 0; a < 3; ++a) {
          const int low = ((first[a] + tile[a]) & -side) - first[a];
          leave = std::min(
              leave, (float((low + (direction[a] > 0 ? side : 0)) * tile_side) - origin[a]) * inverse[a]);
        }
        k = std::max(k + 1, double(std::ceil(leave / step - 0.5f)));
        tile = Coord<3>::filled(-1);
        continue;
      }
    }
    k += 1;
    if (!f(brick, at)) break;
  }
}

float unit_depth(const Smoke& smoke) { return float(smoke.unit_extinction * smoke.snapshot->h) * step; }

Rgb to_rgb(const Float4& x) { return {x[0], x[1], x[2]}; }
Float4 to_float4(const Rgb& x) { return Float4{x[0], x[1], x[2], 0}; }

Through through_grey_smoke(const Smoke& smoke, const Ray& ray, double end) {
  const Bricks<3>& density = *smoke.density;
  const float extinction = unit_depth(smoke);
  Float4 light = {};
  float transmittance = 1;
  for_each_sample(smoke, ray, end, [&](int brick, const Vec<float, 3>& at) {
    if (!density.shows(brick, at)) return true;
    const float depth = extinction * density.sample(brick, at);
    if (!(depth > 1e-5f)) return true;
    const float stays = std::exp(-depth);
    if (smoke.light) light += transmittance * (1 - stays) * smoke.light->sample(brick, at);
    transmittance *= stays;
    return transmittance >= opaque;
  });
  return {to_rgb(light), transmittance < opaque ? 0 : transmittance};
}

Through through_fire_and_colours(const Smoke& smoke, const Ray& ray, double end) {
  const Bricks<3>& density = *smoke.density;
  const float extinction = unit_depth(smoke), fire_extinction = extinction * Fire<3>::extinction;
  Float4 light = {}, glow = {};
  float transmittance = 1;
  for_each_sample(smoke, ray, end, [&](int brick, const Vec<float, 3>& at) {
    const float amount = density.shows(brick, at) ? std::max(density.sample(brick, at), 0.f) : 0;
    const bool burns = smoke.fire && smoke.fire->shows(brick, at);
    const float depth = extinction * amount;
    const float fire_depth = burns ? fire_extinction * smoke.fire->strength(brick, at) : 0;
    const float both = depth + fire_depth;
    if (!(both > 1e-5f)) return true;
    const float stays = std::exp(-both), part = transmittance * (1 - stays) / both;
    if (smoke.light && depth > 0) {
      Float4 sent = smoke.light->sample(brick, at);
      if (smoke.colour) sent *= to_float4(smoke.colour->sample(amount, brick, at));
      light += part * depth * sent;
    }
    if (fire_depth > 0) glow += part * fire_depth * to_float4(smoke.fire->radiance(brick, at));
    transmittance *= stays;
    return transmittance >= opaque;
  });
  return {to_rgb(light), transmittance < opaque ? 0 : transmittance, to_rgb(glow)};
}

}  // namespace

Through march(const Smoke& smoke, const Ray& ray, double end) {
  return smoke.fire || smoke.colour ? through_fire_and_colours(smoke, ray, end)
                                    : through_grey_smoke(smoke, ray, end);
}

}  // namespace whorl
