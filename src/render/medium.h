// What a ray is in, and what happens to it at the surface of something clear.
#pragma once

#include "render/fresnel.h"
#include "render/liquid_world.h"

namespace whorl {

// Where water and glass overlap there is glass (after Schmidt & Budge 2002: the one of higher priority), so
// that water may reach into the wall of the vessel that holds it.
struct Medium {
  int water = 0, glass = 0;  // how many surfaces of each a ray is inside of

  bool in_water() const { return water > 0 && glass == 0; }
  double index() const { return glass > 0 ? 1.5 : water > 0 ? 1.333 : 1; }
  Medium beyond(const LiquidWorld::Hit& hit, bool enters) const;
};

// A ray at a clear surface.
struct ClearSurface {
  Medium behind;
  Point flat;                    // the surface's normal, towards where the ray comes from
  float back = 0;                // the part of light that is thrown back
  Point reflected;               // where that goes
  std::optional<Point> through;  // where the rest goes

  ClearSurface(const LiquidWorld::Hit& hit, const Point& direction, const Medium& before);

  Ray reflected_from(const LiquidWorld::Hit& hit) const { return {hit.x + flat * hit.offset, reflected}; }
  Ray passed(const LiquidWorld::Hit& hit) const { return {hit.x - flat * hit.offset, *through}; }
};

// Water as light passes through it.
struct ClearWater {
  Rgb absorption{};  // 1/m
  Rgb own{};         // what endless water sends back

  ClearWater(const WaterLook& look, double size, const Daylight& day);

  Rgb transmittance(double way) const;
  // Light added along a way of which `left` gets through.
  Rgb scattered(const Rgb& left) const { return tint(own, Rgb{1, 1, 1} - left); }
};

}  // namespace whorl
