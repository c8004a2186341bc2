#include "fuzz/fuzzers.h"
#include "scene/key_texts.h"
#include "sim/scene_content.h"
#include "whorl/simulation.h"

namespace whorl {
namespace {

// Few enough that a simulation is made at once.
template <int D>
bool is_small(const Scene<D>& scene) {
  constexpr double most_cells = 4096;
  if (!scene.domain) return false;
  const GridLayout<D> layout = grid_layout(scene);
  double cells = 1;
  for (int a = 0; a < D; ++a) cells *= layout.domain.extent(a);
  return cells <= most_cells;
}

}  // namespace

void fuzz_scene(std::string_view bytes) {
  const Result<SceneFile> scene = SceneFile::parse(std::string(bytes), "fuzz.toml");
  if (!scene) return;
  key_texts(scene.value().content().config);
  if (std::visit([](const auto& own) { return is_small(own); }, scene.value().content().config))
    static_cast<void>(Simulation::create(scene.value(), {.threads = 1}));
}

}  // namespace whorl
