// A checkpoint of each of the tiny scenes, after two frames.
#pragma once

#include "fuzz/tiny_scenes.h"
#include "whorl/simulation.h"

#include <filesystem>

namespace whorl {

// As FOLDER/NAME.whorl; false where that did not work.
inline bool write_tiny_checkpoints(const std::filesystem::path& folder) {
  for (const TinyScene& scene : tiny_scenes) {
    const Result<SceneFile> parsed = SceneFile::parse(scene.text, "tiny.toml");
    if (!parsed) return false;
    Result<Simulation> made = Simulation::create(parsed.value(), {.threads = 1});
    if (!made) return false;
    Simulation simulation = std::move(made).value();
    for (int frame = 1; frame <= 2; ++frame) {
      if (!simulation.advance()) return false;
      const std::string specks = folder / ".specks.ply";
      if (parsed.value().wants_whitewater() && !simulation.write_whitewater(specks)) return false;
      std::filesystem::remove(specks);
    }
    if (!simulation.save(folder / (std::string(scene.name) + ".whorl"))) return false;
  }
  return true;
}

}  // namespace whorl
