#include <whorl/simulation.h>

#include <algorithm>
#include <iostream>

// Two frames of a small scene, looked at through the public headers alone.
int simulate() {
  const auto scene = whorl::SceneFile::parse(R"toml(
solver = "smoke"
dimension = 2
time = { frames = 2 }
domain = { max = [1, 1] }
grid = { resolution = 32 }
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.1 } }
density = 1
)toml",
                                             "consumer.toml");
  if (!scene) {
    std::cerr << scene.error().message << '\n';
    return 1;
  }
  auto simulation = whorl::Simulation::create(scene.value(), {.threads = 2});
  if (!simulation) return 1;
  while (simulation.value().frame() < scene.value().frames())
    if (!simulation.value().advance()) return 1;
  float most = 0;
  for (const whorl::FrameTile& tile : simulation.value().tiles("density"))
    for (const float x : tile.values) most = std::max(most, x);
  return most == 1 && simulation.value().tiles("porridge").empty() ? 0 : 1;
}
