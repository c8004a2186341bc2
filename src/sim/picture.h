// The pictures of a simulation, or of a frame that one has written.
#pragma once

#include "geometry/surface_mesh.h"
#include "render/liquid_picture.h"
#include "render/preview.h"
#include "render/specks.h"
#include "scene/config.h"
#include "sim/run_folder.h"
#include "sim/run_stages.h"

#include <optional>
#include <string>
#include <vector>

namespace whorl {

std::optional<View> view_of(const RenderConfig& render);
LightParams light_of(const RenderConfig& render);

template <int D>
std::optional<Rgb> given_colour(const SolidConfig<D>& solid) {
  return solid.color ? std::optional(convert<float>(*solid.color)) : std::nullopt;
}

// The preview. `Any` has a dimension, a scene(), a snapshot() and solids().
template <class Any>
Picture picture(Exec& ex, const Any& shown) {
  constexpr int D = Any::dimension;
  const Scene<D>& scene = shown.scene();
  const Snapshot<D> snapshot = shown.snapshot();
  PreviewScene<D> preview;
  preview.snapshot = &snapshot;
  if (scene.domain) {
    preview.domain = Bounds<D>{scene.domain->min, scene.domain->max};
    preview.floor = scene.domain->sides.of(1, 0) == Side::wall;
  }
  preview.solids = shown.solids();
  for (const SolidConfig<D>& solid : scene.solid) preview.solid_colours.push_back(given_colour(solid));
  return render_preview(ex, preview,
                        {.width = scene.output.width,
                         .height = scene.output.height,
                         .view = view_of(scene.render),
                         .light = light_of(scene.render)});
}

Result<void> write_picture(const RunPaths& paths, const PictureFiles& files, int frame,
                           const Picture& picture);

// What a solid is made of, as pictures show it.
SolidLook look_of(const SolidConfig<3>& solid);

// What is to be said of the pictures before they are made, or nothing.
std::string picture_warning(const RenderConfig& render);

// A frame of a liquid with the surface that it has then, as [render] asks for it.
Picture liquid_picture(Exec& ex, const Scene<3>& scene, int frame, const SurfaceMesh& surface,
                       std::vector<Speck> specks);

}  // namespace whorl
