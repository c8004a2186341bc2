#include "render/medium.h"

namespace whorl {

Medium Medium::beyond(const LiquidWorld::Hit& hit, bool enters) const {
  Medium after = *this;
  int& count = hit.matter == Matter::glass ? after.glass : after.water;
  count = std::max(0, count + (enters ? 1 : -1));
  return after;
}

ClearSurface::ClearSurface(const LiquidWorld::Hit& hit, const Point& direction, const Medium& before) {
  const bool enters = dot(direction, hit.normal) < 0;
  const double side = enters ? 1 : -1;
  behind = before.beyond(hit, enters);
  flat = hit.normal * side;
  Point normal = hit.smooth * side;
  if (dot(direction, normal) > -1e-3) normal = flat;  // one would see it from behind
  const double ratio = before.index() / behind.index();
  if (ratio == 1) {
    through = direction;
    reflected = direction;
    return;
  }
  through = bent(direction, normal, ratio);
  if (through && dot(*through, flat) >= 0) through = bent(direction, flat, ratio);
  back = through ? reflectance(-dot(direction, normal), ratio) : 1;
  reflected = mirrored(direction, normal);
  if (dot(reflected, flat) <= 0) reflected = mirrored(direction, flat);
}

ClearWater::ClearWater(const WaterLook& look, double size, const Daylight& day) {
  const double depth = look.depth.value_or(WaterLook::depth_of_diagonal * size);
  const Rgb mean = day.mean();
  for (int c = 0; c < 3; ++c) {
    absorption[c] = -std::log(std::clamp(look.colour[c], 1e-3f, 1.f)) / float(depth);
    own[c] = look.scatter * look.colour[c] * look.colour[c] * mean[c];
  }
}

Rgb ClearWater::transmittance(double way) const {
  Rgb left;
  for (int c = 0; c < 3; ++c) left[c] = std::exp(-absorption[c] * float(way));
  return left;
}

}  // namespace whorl
