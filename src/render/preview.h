// The preview: one look at a snapshot, good enough to judge a simulation by.
//
// In 3D smoke is lit by a key light, a rim light, the sky and the fire, and shadows itself, the solids and
// the floor; in 2D the picture is a section in colours. Of a snapshot's fields, "density" is smoke, grey or
// of the colours in "color_r", "color_g" and "color_b" (colour times density); "surface", in 2D, is liquid
// where it is negative; "flame" glows, from 0 to about 1, with the colour of its "temperature" in K. The
// camera, unless told, and the optical density of smoke depend on the domain alone, so the frames of a run go
// together. Liquids in 3D have pictures of their own: liquid_picture.h.
//
// The light of a picture in 3D is without the backdrop: its alpha says how much of that is hidden. In 2D it
// is the picture's colours, which have no more light in them than a screen shows.
#pragma once

#include "base/image.h"
#include "exec/exec.h"
#include "geometry/shape.h"
#include "grid/snapshot.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/light_params.h"

#include <optional>
#include <vector>

namespace whorl {

template <int D>
struct PreviewScene {
  const Snapshot<D>* snapshot;
  std::optional<Bounds<D>> domain;  // m: what the camera frames; without one it follows the smoke
  std::vector<Shape<D>> solids;     // m: where they are now
  bool floor = false;               // the bottom of the domain is a wall
  std::vector<std::optional<Rgb>> solid_colours = {};  // of each, or none at all; one without is grey
};

inline constexpr Rgb preview_solid_colour{0.34f, 0.33f, 0.32f};

struct PreviewParams {
  int width = 960, height = 540;
  std::optional<View> view = {};  // in 3D, as are the lights; none: all that is to be seen
  LightParams light = {};
};

template <int D>
Picture render_preview(Exec& ex, const PreviewScene<D>& scene, const PreviewParams& params = {});

}  // namespace whorl
