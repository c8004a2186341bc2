#include "render/march.h"

namespace whorl {
namespace {

constexpr float opaque = 0.003f;  // a transmittance that no longer shows
constexpr float step = 1;         // cells between samples

}  // namespace

// Samples lie at the same distances from the origin on every ray: tiles that are passed over do not shift
// them, so no tile's edge shows. The cubic reconstruction has little left that a step of a cell would miss.
Through march(const Smoke& smoke, const Ray& ray, double end) {
  Through out;
  const Bricks<3>& density = *smoke.density;
  if (density.empty()) return out;

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
  const float extinction = float(smoke.unit_extinction * smoke.snapshot->h) * step;

  Coord<3> tile = Coord<3>::filled(-1);
  int brick = -1;
  Float4 light = {};
  float transmittance = 1;
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
    if (!density.shows(brick, at)) continue;
    const float depth = extinction * density.sample(brick, at);
    if (!(depth > 1e-5f)) continue;
    const float stays = std::exp(-depth);
    if (smoke.light) light += transmittance * (1 - stays) * smoke.light->sample(brick, at);
    transmittance *= stays;
    if (transmittance < opaque) {
      transmittance = 0;
      break;
    }
  }
  out.light = {light[0], light[1], light[2]};
  out.transmittance = transmittance;
  return out;
}

}  // namespace whorl
