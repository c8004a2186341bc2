#include "render/pixel_paths.h"

namespace whorl {
namespace {

constexpr int least_samples = 4;      // and half of those asked for: then a pixel may have enough
constexpr float good_enough = 0.01f;  // standard error of what is seen on the screen

// A pixel as far as it is known.
struct PixelPaths {
  NoisyPixel sum;
  float squares = 0, shown = 0, shown_squares = 0;  // of luminance, and of what a screen shows of it
  int n = 0;
  bool done = false;

  NoisyPixel mean() const;
};

NoisyPixel PixelPaths::mean() const {
  const float part = 1 / float(n);
  const float bright = luminance(sum.light) * part;
  return {.light = sum.light * part,
          .variance = std::max(0.f, squares * part - bright * bright) / float(std::max(1, n - 1)),
          .albedo = sum.albedo * part,
          .normal = sum.normal * part,
          .nearness = sum.nearness * part};
}

// Goes on until there are `most`, or enough.
PixelPaths followed(PixelPaths pixel, const LightPaths& paths, const Camera& camera,
                    const LiquidPictureParams& params, int column, int row, int most) {
  auto& [sum, squares, shown, shown_squares, n, done] = pixel;
  while (n < most && !done) {
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
    done = spread < enough * enough * float(n);
  }
  return pixel;
}

Pixels<NoisyPixel> all_paths(Exec& ex, const LightPaths& paths, const Camera& camera,
                             const LiquidPictureParams& params) {
  return {ex, params.width, params.height, [&](int column, int row) {
            return followed({}, paths, camera, params, column, row, params.samples).mean();
          }};
}

// Those of a draft, then one more in every pixel as long as there is time for that, going by the one before.
Pixels<NoisyPixel> paths_in_time(Exec& ex, const LightPaths& paths, const Camera& camera,
                                 const LiquidPictureParams& params) {
  Pixels<PixelPaths> pixels(params.width, params.height);
  double before = params.limit->clock();
  for (int most = std::min(draft_samples, params.samples), more = most;; ++most, more = 1) {
    for_each_pixel(ex, params.width, params.height, [&](int column, int row) {
      PixelPaths& pixel = pixels(column, row);
      pixel = followed(pixel, paths, camera, params, column, row, most);
    });
    const double now = params.limit->clock(), each = (now - before) / more;
    if (most >= params.samples || now + each > params.limit->seconds) break;
    before = now;
  }
  return {ex, params.width, params.height, [&](int column, int row) { return pixels(column, row).mean(); }};
}

}  // namespace

Pixels<NoisyPixel> noisy_pixels(Exec& ex, const LightPaths& paths, const Camera& camera,
                                const LiquidPictureParams& params) {
  return params.limit ? paths_in_time(ex, paths, camera, params) : all_paths(ex, paths, camera, params);
}

}  // namespace whorl
