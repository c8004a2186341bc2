// Scenes of liquid, by what a user of the library sees of them.
#pragma once

#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <string>

namespace whorl {

inline Result<Simulation> simulation_of(const std::string& text) {
  const Result<SceneFile> scene = SceneFile::parse(text, "test.toml");
  if (!scene) return scene.error();
  return Simulation::create(scene.value());
}

// The statistics of the last of these frames.
inline FrameStatistics advance(Simulation& simulation, int frames) {
  FrameStatistics last;
  for (int k = 0; k < frames; ++k) {
    const Result<FrameStatistics> frame = simulation.advance();
    EXPECT_TRUE(frame) << (frame ? "" : frame.error().message);
    if (frame) last = frame.value();
  }
  return last;
}

}  // namespace whorl
