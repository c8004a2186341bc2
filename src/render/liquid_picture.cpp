#include "render/liquid_picture.h"

#include "render/bloom.h"
#include "render/denoise.h"
#include "render/light_path.h"

namespace whorl {
namespace {

constexpr int least_samples = 4;      // and half of those asked for: then a pixel may have enough
constexpr float good_enough = 0.01f;  // standard error of what is seen on the screen
constexpr float glow_from = 1.5f;     // light that is brighter glows

Camera camera_for(const LiquidScene& scene, const LiquidPictureParams& params) {
  if (!params.view) return {scene.domain, params.width, params.height, liquid_camera_elevation};
  return {params.view->position, params.view->target, params.view->field_of_view, params.width,
          params.height};
}

NoisyPixel exposed(const LightPaths& paths, const Camera& camera, const LiquidPictureParams& params,
                   int column, int row) {
  NoisyPixel sum;
  float squares = 0, shown = 0, shown_squares = 0;
  int n = 0;
  while (n < params.samples) {
    Sampler sampler(params.seed, std::uint64_t(row) << 32 | std::uint64_t(column), std::uint32_t(n));
    const Vec<float, 2> place = sampler.pair();
    const float time = sampler.one();
    const SeenLight seen =
        paths.seen(camera.ray(column + double(place[0]), row + double(place[1])), time, sampler);
    sum.light = sum.light + seen.light;
    sum.albedo = sum.albedo + seen.albedo;
    sum.normal = sum.normal + seen.normal;
    sum.nearness += seen.nearness;
    const float bright = luminance(seen.light), screen = bright / (1 + bright);
    squares += bright * bright;
    shown += screen;
    shown_squares += screen * screen;
    ++n;
    if (n < std::max(least_samples, params.samples / 2)) continue;
    const float mean = shown / float(n), spread = shown_squares / float(n) - mean * mean;
    // A few paths may agree by chance: less so where all of them have met the same plane, or the sky.
    const float agree = dot(sum.normal, sum.normal);
    const bool is_plane = agree == 0 || agree > 0.999f * float(n) * float(n);
    const float enough = is_plane ? good_enough : 0.3f * good_enough;
    if (spread < enough * enough * float(n)) break;
  }
  const float part = 1 / float(n);
  const float mean = luminance(sum.light) * part;
  return {.light = sum.light * part,
          .variance = std::max(0.f, squares * part - mean * mean) / float(std::max(1, n - 1)),
          .albedo = sum.albedo * part,
          .normal = sum.normal * part,
          .nearness = sum.nearness * part};
}

}  // namespace

Pixels<Rgb> liquid_light(Exec& ex, const LiquidScene& scene, const LiquidPictureParams& params) {
  CHECK(scene.looks.size() == scene.solids.size(), scene.looks.size(), " looks of ", scene.solids.size(),
        " solids");
  const LiquidWorld world = [&] {
    const Zone zone(ex.profile(), "ray_scene");
    return LiquidWorld(scene, params.exposure);
  }();
  const ClearWater water(params.water, world.size(), params.day);
  const int photons = params.caustics ? 2 * params.width * params.height : 0;
  const Caustics caustics(ex, world, params.day, water, photons, params.seed);
  const LightPaths paths(world, params.day, water, photons > 0 ? &caustics : nullptr);
  const Camera camera = camera_for(scene, params);
  const Pixels<NoisyPixel> noisy = [&] {
    const Zone zone(ex.profile(), "paths");
    return Pixels<NoisyPixel>(ex, params.width, params.height, [&](int column, int row) {
      return exposed(paths, camera, params, column, row);
    });
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
