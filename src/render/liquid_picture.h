// The picture of a liquid: light followed along paths through clear water, glass and air. docs/rendering.md
//
// The camera, the lights and, if not given, the colour of the water depend on the domain alone, so the frames
// of a run go together. The bits of a picture do not depend on the number of threads.
#pragma once

#include "base/image.h"
#include "base/material.h"
#include "exec/exec.h"
#include "geometry/shape.h"
#include "geometry/surface_mesh.h"
#include "render/daylight.h"
#include "render/pixels.h"
#include "render/ray_scene.h"
#include "render/solid_motion.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace whorl {

inline constexpr double liquid_camera_elevation = 17;  // degrees that it looks down by, unless told

struct SolidLook {
  Material material = Material::matte;
  Rgb colour{0.62f, 0.60f, 0.57f};  // glass has none
};

struct LiquidScene {
  const SurfaceMesh* surface;         // m: closed
  Bounds<3> domain;                   // m: what the camera frames
  std::vector<Shape<3>> solids = {};  // m: where they are
  std::vector<SolidLook> looks = {};  // one for each
  // One for each, or none at all. Those that move are given as they see themselves.
  std::vector<SolidMotion> motions = {};
  std::vector<Speck> specks = {};  // spray, foam and bubbles
  bool floor = false;              // there is ground at the bottom of the domain
};

struct WaterLook {
  static constexpr double depth_of_diagonal = 0.18;

  Rgb colour{0.31f, 0.71f, 0.84f};   // what is left of white light after `depth` metres
  std::optional<double> depth = {};  // m; none: that part of the diagonal of the domain
  float scatter = 0.08f;             // how much of the day's light endless water of that colour sends back
};

inline constexpr int draft_samples = 2;

// Fewer paths than were asked for where there is no time for more: what the picture is depends on the machine
// and on what else it does.
struct TimeLimit {
  double seconds;
  std::function<double()> clock;  // the seconds that the picture has taken
};

struct LiquidPictureParams {
  int width = 960, height = 540;
  int samples = 8;       // paths a pixel, at most
  bool denoise = true;   // and a soft glow round what is bright
  bool caustics = true;  // light that water gathers on the ground
  std::optional<TimeLimit> limit = {};
  Exposure exposure;
  std::optional<View> view;  // none: all of the domain
  WaterLook water;
  Daylight day;
  std::uint64_t seed = 0;
};

Picture render_liquid(Exec& ex, const LiquidScene& scene, const LiquidPictureParams& params);
// The same as light, before it is made fit for a screen: 1 is a white sheet of paper in the sun, about.
Pixels<Rgb> liquid_light(Exec& ex, const LiquidScene& scene, const LiquidPictureParams& params);

}  // namespace whorl
