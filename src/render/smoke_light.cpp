#include "render/smoke_light.h"

#include "render/extinction_grid.h"
#include "render/light_volume.h"
#include "render/sky_light.h"

#include <numbers>

namespace whorl {
namespace {

// Henyey & Greenstein 1941.
float phase(float g, float cosine) {
  const float d = 1 + g * g - 2 * g * cosine;
  return float(0.25 / std::numbers::pi) * (1 - g * g) / (d * std::sqrt(d));
}

// Light scattered many times, as octaves of single scattering with ever less extinction, strength and
// direction (Wrenninge, Kulla & Lundqvist 2013, with a = 1/2, b and c below).
struct Octaves {
  static constexpr int count = 3;
  static constexpr float strength = 0.42f, direction = 0.5f;

  float weight[count];  // strength and phase, for one angle between light and view

  explicit Octaves(float cosine) {
    float w = 1, g = smoke_forward;
    for (int n = 0; n < count; ++n, w *= strength, g *= direction) weight[n] = w * phase(g, cosine);
  }
  float scattered(float depth) const {
    // An octave has half the extinction of the one before: its transmittance squared is that one's.
    float through = std::exp(-depth / (1 << (count - 1))), sum = 0;
    for (int n = count - 1; n >= 0; --n, through *= through) sum += weight[n] * through;
    return sum;
  }
};

}  // namespace

SmokeLight::SmokeLight(Exec& ex, const Snapshot<3>& snapshot, const Bricks<3>& density,
                       const DenseGrid<float>& extinction, const Solids& solids, const Lights& lights,
                       const Point& eye, const FireLight* fire)
    : sky_(sky_light(ex, extinction, lights)) {
  const Zone zone(ex.profile(), "smoke_light");
  DenseGrid<float> blocking = extinction;
  if (!solids.empty()) add_solids(ex, blocking, solids);
  std::vector<LightVolume> volumes;
  for (const Light& light : lights.each()) volumes.emplace_back(ex, blocking, light.towards);
  DenseGrid<Rgb> by_fire;
  if (fire) by_fire = fire->on_smoke(ex, extinction, sky_);
  constexpr int count = side * side * side;
  values_ = ex.buffer<Float4>(density.tiles().size() * count);
  ex.parallel_for(std::int64_t(density.tiles().size()), 1, [&](std::int64_t begin, std::int64_t) {
    Float4* out = values_.data() + begin * count;
    const Coord<3> corner = density.tiles()[std::size_t(begin)] * tile_side;
    for_each_coord(Box<3>{{}, Coord<3>::filled(side)}, [&](const Coord<3>& at) {
      Point x;
      for (int a = 0; a < 3; ++a) x[a] = snapshot.origin[a] + (corner[a] + 2 * at[a] - 1) * snapshot.h;
      Rgb sum = sky_.sample(x);
      if (fire) sum = sum + by_fire.sample(x);
      const Point view = normalised(x - eye);
      for (std::size_t k = 0; k < volumes.size(); ++k) {
        const Light& light = lights.each()[k];
        const Octaves octaves(float(dot(view, light.towards)));
        sum = sum + light.colour * octaves.scattered(volumes[k].depth(x));
      }
      sum = tint(sum, smoke_albedo);
      *out++ = Float4{sum[0], sum[1], sum[2], 0};
    });
  });
}

}  // namespace whorl
