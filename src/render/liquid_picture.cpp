#include "render/liquid_picture.h"

#include "render/bloom.h"
#include "render/pixel_paths.h"

namespace whorl {
namespace {

constexpr float glow_from = 1.5f;  // light that is brighter glows

}  // namespace

Pixels<Rgb> liquid_light(Exec& ex, const LiquidScene& scene, const LiquidPictureParams& params) {
  CHECK(scene.looks.size() == scene.solids.size(), scene.looks.size(), " looks of ", scene.solids.size(),
        " solids");
  CHECK(scene.motions.empty() || scene.motions.size() == scene.solids.size(), scene.motions.size(),
        " motions of ", scene.solids.size(), " solids");
  const LiquidWorld world = [&] {
    const Zone zone(ex.profile(), "ray_scene");
    return LiquidWorld(scene, params.exposure);
  }();
  const ClearWater water(params.water, world.size(), params.day);
  const int photons = params.caustics ? 2 * params.width * params.height : 0;
  const Caustics caustics(ex, world, params.day, water, photons, params.seed);
  const LightPaths paths(world, params.day, water, photons > 0 ? &caustics : nullptr);
  const Camera camera =
      camera_for(params.view, scene.domain, params.width, params.height, liquid_camera_elevation);
  const Pixels<NoisyPixel> noisy = [&] {
    const Zone zone(ex.profile(), "paths");
    return noisy_pixels(ex, paths, camera, params);
  }();
  if (params.denoise) return denoised(ex, noisy);
  return {ex, params.width, params.height, [&](int c, int r) { return noisy(c, r).light; }};
}

Picture render_liquid(Exec& ex, const LiquidScene& scene, const LiquidPictureParams& params) {
  const Zone zone(ex.profile(), "render");
  const Pixels<Rgb> light = liquid_light(ex, scene, params);
  const Pixels<Rgb> bright(ex, light.width, light.height, [&](int c, int r) {
    return roll_off(light(c, r) * std::max(0.f, 1 - glow_from / (luminance(light(c, r)) + 1e-6f)), 8);
  });
  const Pixels<Rgb> halo = bloom(ex, bright);
  const Pixels<Rgb> shown(ex, light.width, light.height,
                          [&](int c, int r) { return filmic(light(c, r) + halo(c, r)); });
  return {screen_image(ex, shown), light_image(light)};
}

}  // namespace whorl
