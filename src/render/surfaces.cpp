#include "render/surfaces.h"

#include "render/sky_light.h"

namespace whorl {
namespace {

constexpr Rgb floor_albedo{0.072f, 0.078f, 0.090f};

}  // namespace

Surfaces::Surfaces(const Solids& solids, const Lights& lights, const Point& ahead, const Bounds<3>& framed,
                   bool floor, const LightVolume* shadow, const DenseGrid<Rgb>* sky, const FireLight* fire)
    : solids_(solids),
      lights_(lights),
      ahead_(ahead),
      middle_((framed.lo + framed.hi) * 0.5),
      size_(length(framed.hi - framed.lo)),
      shadow_(shadow),
      sky_(sky),
      fire_(fire),
      open_sky_(open_sky(lights)) {
  if (floor) floor_ = framed.lo[1];
}

// Dark above and below, a soft glow at the height of the eye.
Rgb Surfaces::backdrop(const Point& towards) const {
  const float up = float(towards[1]);
  const float glow = std::exp(-12 * (up + 0.06f) * (up + 0.06f));
  const float side = float(1 - dot(towards, ahead_));
  return mix({0.010f, 0.012f, 0.017f}, {0.075f, 0.088f, 0.112f}, glow * std::exp(-7 * side)) *
         lights_.sky_part();
}

// How much of the sky the smoke leaves, as the grid round the smoke has it; further away, ever more.
Rgb Surfaces::sky_left(const Point& x) const {
  Rgb all{1, 1, 1};
  if (!sky_) return all;
  double outside = 0;
  for (int a = 0; a < 3; ++a) {
    const double low = sky_->origin[a], high = low + sky_->size[a] * sky_->cell;
    outside = std::max({outside, low - x[a], x[a] - high});
  }
  const Rgb seen = sky_->sample(x);
  Rgb left;
  for (int c = 0; c < 3; ++c) left[c] = open_sky_[c] > 0 ? seen[c] / open_sky_[c] : 1;
  return mix(left, all, smooth_step(0, 0.5f, float(outside / size_)));
}

Rgb Surfaces::lit(const Point& x, const Point& normal, const Rgb& albedo) const {
  const Point above = x + normal * (1e-3 * size_);
  constexpr float room = 2;  // surfaces also get what the room throws back, or shadows would be holes
  Rgb sum = tint(lights_.sky(normal) * room, sky_left(above));
  sum = sum * solids_.openness(x, normal, 0.08 * size_);
  for (const Light& light : lights_.each()) {
    const float facing = float(dot(normal, light.towards));
    if (facing <= 0) continue;
    float arrives = facing * solids_.seen(above, light.towards, 2 * size_);
    if (&light == &lights_.key() && shadow_) arrives *= std::exp(-shadow_->depth(above));
    sum = sum + light.colour * (arrives * float(std::numbers::inv_pi));
  }
  if (fire_) sum = sum + fire_->on_surface(above, normal, solids_);
  return tint(sum, albedo);
}

Surface Surfaces::at(const Ray& ray) const {
  Surface nearest{std::numeric_limits<double>::infinity(), backdrop(ray.direction)};
  if (floor_ && ray.direction[1] < 0) {
    const double t = (*floor_ - ray.origin[1]) / ray.direction[1];
    if (t > 0) {
      const Point x = ray.at(t);
      // The floor has no edge: it fades.
      const double away = length(x - Point{middle_[0], *floor_, middle_[2]}) / size_;
      const float fade = std::exp(-float(0.8 * away * away));
      nearest.distance = t;
      const Rgb floor = lit(x, Point::unit(1), floor_albedo);
      nearest.colour = mix(nearest.colour, floor, fade);
      nearest.own = with_alpha(floor * fade, fade);
    }
  }
  if (const auto t = solids_.hit(ray, std::min(nearest.distance, 20 * size_))) {
    const Point x = ray.at(*t);
    const Rgb colour = lit(x, solids_.normal(x, 5e-4 * size_), solids_.colour(x));
    nearest = {*t, colour, with_alpha(colour, 1), true};
  }
  return nearest;
}

}  // namespace whorl
