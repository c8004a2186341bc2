// The preview of a simulation, or of a frame that one has written.
#pragma once

#include "render/preview.h"
#include "scene/config.h"

#include <utility>
#include <vector>

namespace whorl {

// `Any` has a dimension, a scene(), a snapshot() and solids().
template <class Any>
Image picture(Exec& ex, const Any& shown, std::vector<Speck> specks = {}) {
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
  preview.specks = std::move(specks);
  return render_preview(ex, preview, {.width = scene.output.width, .height = scene.output.height});
}

}  // namespace whorl
