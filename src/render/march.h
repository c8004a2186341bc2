// Rays through smoke and fire.
#pragma once

#include "render/bricks.h"
#include "render/colour.h"
#include "render/fire.h"
#include "render/smoke_colour.h"
#include "render/smoke_light.h"

namespace whorl {

struct Smoke {
  const Snapshot<3>* snapshot;
  const Bricks<3>* density;
  const SmokeLight* light;  // null: dark
  double unit_extinction;   // 1/m
  // Both have the density's bricks.
  const Fire<3>* fire = nullptr;           // null: nothing burns
  const SmokeColour<3>* colour = nullptr;  // null: grey
};

struct Through {
  Rgb light{};              // that the smoke adds
  float transmittance = 1;  // of what lies behind
  Rgb glow{};               // that the fire adds
};

// Emission and absorption along a ray, up to `end` metres from its origin: L += T (1 - exp(-σ ds)) S, with
// the mean S of smoke and fire by their parts in σ.
Through march(const Smoke& smoke, const Ray& ray, double end);

}  // namespace whorl
