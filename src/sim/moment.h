// A moment of a scene, whatever is simulated in it.
#pragma once

#include "grid/snapshot.h"
#include "scene/config.h"
#include "sim/motion.h"

#include <vector>

namespace whorl {

// When and where; the fields are to be put in.
template <int D>
Snapshot<D> moment_of(const Scene<D>& scene, int frame, double time) {
  const GridLayout<D> layout = grid_layout(scene);
  Snapshot<D> s;
  s.frame = frame;
  s.time = time;
  s.fps = scene.time.fps;
  s.origin = layout.origin;
  s.h = layout.cell_size;
  return s;
}

// In the scene's metres.
template <int D>
std::vector<Shape<D>> solids_at(const Scene<D>& scene, double time) {
  std::vector<Shape<D>> shapes;
  for (const SolidConfig<D>& solid : scene.solid) shapes.push_back(shape_at(solid, time));
  return shapes;
}

}  // namespace whorl
