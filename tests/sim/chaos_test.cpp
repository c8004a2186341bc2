// Random scenes: each ends well, or with an error that says what is wrong.
//
// All 200, in some ten minutes:
//   WHORL_CHAOS=200 build/release/bin/sim_tests --gtest_filter='*Chaos*'
// One alone is '*Chaos*/17', and WHORL_CHAOS_SHOW=1 prints each scene before it is simulated. Without
// WHORL_CHAOS there are as many as tests/CMakeLists.txt says, and under sanitizers they end sooner.
#include "scene/catalogue.h"
#include "sim/random_scene.h"
#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr int wanted_steps = 20;
constexpr int most_steps = 40;  // a frame is finished until then, for its statistics

int scene_count() {
  const char* count = std::getenv("WHORL_CHAOS");
  return count ? std::atoi(count) : WHORL_CHAOS_SCENES;
}

// Of all steps together: 20 of 48 cells a side, or what a build that is tested along has time for.
std::int64_t cell_limit() { return std::getenv("WHORL_CHAOS") ? 2'500'000 : WHORL_CHAOS_CELLS; }

void collect_names(const SceneKey& table, std::set<std::string>& names) {
  for (const SceneKey& key : table.keys) {
    names.insert(key.name);
    collect_names(key, names);
  }
}

// Whether a message speaks of a key of scenes.
bool names_a_key(const std::string& message) {
  std::set<std::string> names;
  collect_names(catalogue(3).scene, names);
  for (const std::string& name : names)
    if (message.find(name + ":") != std::string::npos || message.find("(" + name) != std::string::npos ||
        message.find("." + name) != std::string::npos)
      return true;
  return false;
}

void expect_clear(const Error& error) {
  EXPECT_NE(error.code, ErrorCode::internal) << error.message;
  EXPECT_NE(error.code, ErrorCode::usage) << error.message;
  const bool diverged = error.code == ErrorCode::diverged;
  EXPECT_TRUE((diverged && error.message.starts_with("at t = ")) || names_a_key(error.message))
      << error.message;
  EXPECT_FALSE(diverged && error.message.find("nan") != std::string::npos) << error.message;
}

// What the reader refuses is taken out, so that the rest of the scene is simulated all the same.
Result<SceneFile> read_scene(std::string& text) {
  for (;;) {
    Result<SceneFile> scene = SceneFile::parse(text, std::string(WHORL_SCENES) + "/chaos.toml");
    if (scene) return scene;
    expect_clear(scene.error());
    std::printf("refused: %s\n", scene.error().message.c_str());
    const std::string rest = without_refused(text, scene.error().message);
    if (rest == text) return scene;
    text = rest;
  }
}

void expect_finite_fields(const Simulation& simulation, const std::string& quantity) {
  for (const FrameTile& tile : simulation.tiles(quantity))
    for (const float value : tile.values)
      if (!std::isfinite(value)) {
        ADD_FAILURE() << quantity << " is " << value;
        return;
      }
}

void expect_sound(const Simulation& simulation, const FrameStatistics& frame) {
  EXPECT_LE(frame.max_divergence, frame.pressure_tolerance);
  EXPECT_EQ(to_json(frame).find("null"), std::string::npos)
      << to_json(frame);  // how JSON has what is not finite
  for (const auto& [quantity, amount] : frame.mass) expect_finite_fields(simulation, quantity);
}

void run(int number, const std::string& solver) {
  std::string text = random_scene(std::uint64_t(number), solver);
  if (std::getenv("WHORL_CHAOS_SHOW")) std::printf("%s\n", text.c_str()), std::fflush(stdout);
  SCOPED_TRACE(text);
  const auto ended = [&](int frames, int steps, const std::string& how) {
    std::printf("scene %d: %d frames, %d steps: %s\n", number, frames, steps, how.c_str());
  };
  const Result<SceneFile> scene = read_scene(text);
  if (!scene) return ended(0, 0, scene.error().message);
  Result<Simulation> made = Simulation::create(scene.value(), {.threads = 2});
  if (!made) return expect_clear(made.error()), ended(0, 0, made.error().message);
  Simulation& simulation = made.value();
  int steps = 0;
  std::int64_t cells = 0;
  const std::int64_t most_cells = cell_limit();
  const auto go_on = [&](const StepProgress& step) {
    cells += step.active_cells;
    return ++steps < most_steps && cells < most_cells;
  };
  while (steps < wanted_steps && cells < most_cells && simulation.frame() < scene.value().frames()) {
    const Result<FrameStatistics> frame = simulation.advance(go_on);
    if (frame) {
      expect_sound(simulation, frame.value());
    } else if (frame.error().code != ErrorCode::interrupted) {
      expect_clear(frame.error());
      return ended(simulation.frame(), steps, frame.error().message);
    }
  }
  for (const char* quantity : {"density", "temperature", "surface"})
    expect_finite_fields(simulation, quantity);
  ended(simulation.frame(), steps, "fine");
}

class Chaos : public testing::TestWithParam<int> {};
TEST_P(Chaos, EndsWellOrSaysWhy) { run(GetParam(), "smoke"); }
TEST_P(Chaos, LiquidEndsWellOrSaysWhy) { run(GetParam(), "liquid"); }

INSTANTIATE_TEST_SUITE_P(Scenes, Chaos, testing::Range(0, scene_count()));

// "smoke.energy" and "energy = \"ivock\"" of what one reads, a key a line.
std::set<std::string> keys_in(const std::string& text) {
  std::set<std::string> keys;
  std::string table, line;
  for (std::istringstream in(text); std::getline(in, line);) {
    if (line.starts_with('['))
      table = line.substr(line.find_last_of('[') + 1, line.find(']') - line.find_last_of('[') - 1) + ".";
    else if (const std::size_t equals = line.find(" = "); equals != std::string::npos)
      keys.insert({table + line.substr(0, equals), table + line});
  }
  return keys;
}

// Of many scenes, each key of each table is in some, each of its words, and each key of what is nested. Most
// scenes are read but for a key or two.
TEST(RandomScene, DrawsEveryKey) {
  std::string texts;
  std::set<std::string> drawn;
  for (const std::string& solver : word_list<SolverKind>()) {
    int read = 0;
    for (int number = 0; number < 200; ++number) {
      std::string text = random_scene(std::uint64_t(number), solver);
      EXPECT_EQ(text, random_scene(std::uint64_t(number), solver));
      read += bool(read_scene(text));
      drawn.merge(keys_in(text));
      texts += text;
    }
    EXPECT_GT(read, 190) << solver;
  }
  std::set<std::string> nested;
  collect_names(catalogue(3).shape, nested);
  for (const SceneKey& table : catalogue(3).scene.keys)
    for (const SceneKey& key : table.keys) {
      EXPECT_TRUE(drawn.contains(table.name + "." + key.name)) << table.name + "." + key.name;
      for (const std::string& word : key.words) {
        const std::string line = fmt::format("{}.{} = \"{}\"", table.name, key.name, word);
        EXPECT_TRUE(drawn.contains(line)) << line;
      }
      collect_names(key, nested);
    }
  for (const std::string& name : nested) EXPECT_NE(texts.find(name + " = "), std::string::npos) << name;
}

}  // namespace
}  // namespace whorl
