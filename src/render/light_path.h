// The light that comes along a ray: paths followed backwards, from the eye to the sky (Kajiya 1986).
//
// Clear surfaces bend and throw back light by Snell and Fresnel. Matte ones look for the sun, along a
// straight line even through water, and send the path on; the sky is found by paths that end there. Water
// takes light away by Beer's law, and adds a little of its own colour as if the day were equally bright in
// all of it.
#pragma once

#include "render/caustics.h"
#include "render/liquid_world.h"
#include "render/medium.h"
#include "render/sampler.h"

namespace whorl {

// What a path sees, and what tells its pixel from others.
struct SeenLight {
  Rgb light{};
  Rgb albedo{};            // of the first matte or metal thing, white for the sky
  Vec<float, 3> normal{};  // of the first thing, none for the sky
  float nearness = 0;      // one over the distance of the first thing, in sizes of the scene
};

class LightPaths {
 public:
  // `caustics` may be null.
  LightPaths(const LiquidWorld& world, const Daylight& day, const ClearWater& water,
             const Caustics* caustics);

  SeenLight seen(const Ray& ray, float time, Sampler& sampler) const;

 private:
  struct Path;
  Rgb follow(Path path, SeenLight* seen, Sampler& sampler) const;
  Rgb sun_on(const LiquidWorld::Hit& hit, const Point& normal, const Path& path, Sampler& sampler) const;
  Rgb arrives(Ray ray, Medium medium, float time, bool through_clear) const;

  const LiquidWorld& world_;
  const Daylight& day_;
  const ClearWater& water_;
  const Caustics* caustics_;
};

}  // namespace whorl
