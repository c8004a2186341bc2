#include "fuzz/fuzzers.h"
#include "fuzz/input_file.h"
#include "fuzz/tiny_scenes.h"
#include "whorl/simulation.h"

#include <vector>

namespace whorl {
namespace {

std::vector<Simulation> tiny_simulations() {
  std::vector<Simulation> simulations;
  for (const TinyScene& scene : tiny_scenes) {
    const Result<SceneFile> parsed = SceneFile::parse(scene.text, "tiny.toml");
    Result<Simulation> made = Simulation::create(parsed.value(), {.threads = 1});
    simulations.push_back(std::move(made).value());
  }
  return simulations;
}

}  // namespace

void fuzz_checkpoint(std::string_view bytes) {
  static std::vector<Simulation> simulations = tiny_simulations();
  const std::string path = input_file("fuzz.whorl", bytes);
  for (Simulation& simulation : simulations) static_cast<void>(simulation.restore(path, /*changed=*/true));
}

}  // namespace whorl
