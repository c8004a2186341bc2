// The light that smoke sends towards the eye, worked out once a frame at every other cell.
#pragma once

#include "render/bricks.h"
#include "render/colour.h"
#include "render/dense_grid.h"
#include "render/fire_light.h"
#include "render/lights.h"
#include "render/solids.h"

namespace whorl {

inline constexpr Rgb smoke_albedo{0.97f, 0.965f, 0.955f};
inline constexpr float smoke_forward = 0.55f;  // how much light keeps its way: Henyey and Greenstein's g

// For each bit of extinction on the way to the eye: the lights, scattered once and many times, the sky, and
// the fire.
class SmokeLight {
 public:
  static constexpr int side = tile_side / 2 + 2;  // every other cell, and one more on each side

  // `extinction` is the smoke's; the solids stand in the way of the lights, but not of the sky or the fire,
  // which is null where nothing burns.
  SmokeLight(Exec& ex, const Snapshot<3>& snapshot, const Bricks<3>& density,
             const DenseGrid<float>& extinction, const Solids& solids, const Lights& lights, const Point& eye,
             const FireLight* fire = nullptr);

  const DenseGrid<Rgb>& sky() const { return sky_; }

  // As Bricks::sample().
  Float4 sample(int brick, const Vec<float, 3>& at) const {
    float t[3];
    std::size_t base = std::size_t(brick);
    for (int a = 0; a < 3; ++a) {
      const float q = std::clamp(0.5f * at[a] + 0.5f, 0.f, float(side) - 1.001f);
      const int cell = int(q);
      t[a] = q - float(cell);
      base = base * side + std::size_t(cell);
    }
    const Float4* p = values_.data() + base;
    const auto row = [&](const Float4* q) { return q[0] + t[2] * (q[1] - q[0]); };
    const auto face = [&](const Float4* q) {
      const Float4 low = row(q), high = row(q + side);
      return low + t[1] * (high - low);
    };
    const Float4 low = face(p), high = face(p + side * side);
    return low + t[0] * (high - low);
  }

 private:
  DenseGrid<Rgb> sky_;
  Buffer<Float4> values_;  // [brick][side^3] red, green, blue, unused
};

}  // namespace whorl
