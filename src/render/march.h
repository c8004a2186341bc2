// Rays through smoke.
#pragma once

#include "render/bricks.h"
#include "render/colour.h"
#include "render/smoke_light.h"

namespace whorl {

struct Smoke {
  const Snapshot<3>* snapshot;
  const Bricks<3>* density;
  const SmokeLight* light;  // null: dark
  double unit_extinction;   // 1/m
};

struct Through {
  Rgb light{};              // that the smoke adds
  float transmittance = 1;  // of what lies behind
};

// Emission and absorption along a ray, up to `end` metres from its origin: L += T (1 - exp(-σ ds)) S.
Through march(const Smoke& smoke, const Ray& ray, double end);

}  // namespace whorl
