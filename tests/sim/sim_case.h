// Small scenes to simulate.
#pragma once

#include "scene/scene.h"
#include "sim/smoke_simulation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace whorl {

// Air at rest in a box of 1 m, 32 cells a side; a test adds what it is about.
template <int D>
std::string box_of_air() {
  return D == 2 ? "solver = \"smoke\"\ndimension = 2\n[domain]\nmax = [1, 1]\n[grid]\nresolution = 32\n"
                : "solver = \"smoke\"\ndimension = 3\n[domain]\nmax = [1, 1, 1]\n[grid]\nresolution = 32\n";
}

// The same in 2D, with no way out.
inline std::string closed_box() { return box_of_air<2>() + "[domain.sides]\ndefault = \"wall\"\n"; }

template <int D>
Scene<D> scene_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<SceneConfig> scene = parse_scene(text, "test.toml", overrides);
  if (!scene) {
    ADD_FAILURE() << scene.error().message;
    return {};
  }
  return std::get<Scene<D>>(scene.value());
}

template <int D>
SmokeSimulation<D> simulation_of(Exec& ex, const std::string& text,
                                 const std::vector<std::string>& overrides = {}) {
  Result<SmokeSimulation<D>> simulation = SmokeSimulation<D>::create(ex, scene_of<D>(text, overrides));
  EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().message);
  return std::move(simulation).value();
}

// Why a scene cannot be simulated.
inline std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Exec ex;
  const Result<SmokeSimulation<2>> simulation = SmokeSimulation<2>::create(ex, scene_of<2>(text, overrides));
  return simulation ? "no error" : simulation.error().message;
}

template <int D>
FrameStatistics next_frame(Exec& ex, SmokeSimulation<D>& simulation) {
  const Result<FrameStatistics> frame = simulation.advance(ex, {});
  EXPECT_TRUE(frame) << (frame ? "" : frame.error().message);
  return frame ? frame.value() : FrameStatistics();
}

inline double mass_of(const FrameStatistics& s, const std::string& name) {
  for (const auto& [quantity, mass] : s.mass)
    if (quantity == name) return mass;
  ADD_FAILURE() << "no mass of " << name;
  return 0;
}

}  // namespace whorl
