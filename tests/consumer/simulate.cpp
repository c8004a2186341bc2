#include <whorl/simulation.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>

namespace {

// To the end; the hash of the last state.
whorl::Result<std::uint64_t> finish(whorl::Simulation& simulation, int frames) {
  std::uint64_t hash = 0;
  while (simulation.frame() < frames) {
    const auto frame = simulation.advance();
    if (!frame) return frame.error();
    hash = frame.value().state_hash;
  }
  return hash;
}

// The same, by a simulation that is stopped after its first step and by another that goes on from there.
whorl::Result<std::uint64_t> finish_in_two(const whorl::SceneFile& scene) {
  const std::string path = "consumer.checkpoint";
  auto first = whorl::Simulation::create(scene);
  if (!first) return first.error();
  const auto stopped = first.value().advance([](const whorl::StepProgress&) { return false; });
  if (!stopped && stopped.error().code != whorl::ErrorCode::interrupted) return stopped.error();
  if (const auto saved = first.value().save(path); !saved) return saved.error();
  auto second = whorl::Simulation::create(scene, {.threads = 1});
  if (!second) return second.error();
  if (const auto restored = second.value().restore(path); !restored) return restored.error();
  std::filesystem::remove(path);
  return finish(second.value(), scene.frames());
}

whorl::Result<void> try_out() {
  const auto scene = whorl::SceneFile::parse(R"toml(
solver = "smoke"
dimension = 2
time = { frames = 9 }
domain = { max = [1, 1] }
grid = { resolution = 32 }
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.1 } }
density = 1
)toml",
                                             "consumer.toml", {"time.frames=2", "time.max_step=0.02"});
  if (!scene) return scene.error();
  auto made = whorl::Simulation::create(scene.value(), {.threads = 2});
  if (!made) return made.error();
  const auto hash = finish(made.value(), scene.value().frames()), again = finish_in_two(scene.value());
  if (!hash) return hash.error();
  if (!again) return again.error();
  float most = 0;
  for (const whorl::FrameTile& tile : made.value().tiles("density"))
    for (const float x : tile.values) most = std::max(most, x);
  if (hash.value() != again.value() || most != 1 || !made.value().tiles("porridge").empty())
    return whorl::Error{whorl::ErrorCode::internal, "the frames are not what they should be"};
  return {};
}

}  // namespace

// Two frames of a small scene, looked at through the public headers alone.
int simulate() {
  const auto done = try_out();
  if (!done) std::cerr << done.error().message << '\n';
  return done ? 0 : 1;
}
