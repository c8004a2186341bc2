// What a simulation saves is all that its future depends on, and what is wrong with a file is told.
#include "sim/checkpoint.h"

#include "grid/archive.h"
#include "io/temporary_folder.h"
#include "scene/key_texts.h"
#include "scene/scene.h"
#include "whorl/simulation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace whorl {
namespace {

namespace fs = std::filesystem;

struct Example {
  const char* name;
  const char* scene;
};

// Between them: everything that goes on from step to step.
const Example examples[] = {
    {"Fire", R"(
solver = "smoke"
[domain]
max = [1, 1.5, 1]
sides = { default = "open", bottom = "wall" }
[grid]
resolution = 24
[smoke]
color = [0.5, 0.4, 0.3]
[fire]
[[source]]
shape = { sphere = { center = [0.5, 0.2, 0.5], radius = 0.2 } }
fuel_rate = 5
temperature = 800
expansion = 0.5
vortex_particles = { rate = 200, acceleration = 2, radius = 0.1 }
[[solid]]
shape = { sphere = { center = [0.5, 0.8, 0.5], radius = 0.15 } }
motion = { keys = [{ t = 0 }, { t = 1, translate = [0.3, 0, 0] }] }
)"},
    {"MapsOnASparseGrid", R"(
solver = "smoke"
dimension = 2
[time]
cfl = 1
[grid]
cell_size = 0.02
[smoke]
advection = "bimocq"
velocity_advection = "bimocq"
energy = "none"
wind = [1, 0]
[[quantity]]
name = "dye"
initial = "exp(-20 * x*x) * exp(-20 * y*y) + 0"
[[source]]
shape = { sphere = { center = [0, 0], radius = 0.1 } }
density_rate = 8
temperature = 500
)"},
    {"SpoutsAndWhitewater", R"(
solver = "liquid"
[time]
fps = 12
[domain]
max = [1, 1, 0.5]
sides = { default = "wall", top = "open" }
[grid]
resolution = 12
[[fill]]
shape = { box = { min = [0, 0, 0], max = [0.4, 0.6, 0.5] } }
velocity = [2, 0, 0]
[[fill]]
shape = { sphere = { center = [0.7, 0.8, 0.25], radius = 0.15 } }
start = 0.3
[[source]]
shape = { sphere = { center = [0.85, 0.85, 0.25], radius = 0.1 } }
velocity = [-1, 0, 0]
[[source]]
shape = { sphere = { center = [0.1, 0.1, 0.25], radius = 0.1 } }
sink = 5
[whitewater]
speed = [0.01, 1]
trapped_air = [0.01, 0.5]
trapped_air_rate = 50
)"},
    {"NarrowBand", R"(
solver = "liquid"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 48
[liquid]
narrow_band = true
transfer = "polypic"
[[fill]]
shape = { box = { min = [0, 0], max = [0.6, 0.7] } }
)"},
    {"LevelSet", R"(
solver = "liquid"
dimension = 2
[domain]
max = [1, 1]
sides = { default = "wall", top = "open" }
[grid]
resolution = 32
[liquid]
surface = "level_set"
surface_tension = 20
[[fill]]
shape = { box = { min = [0, 0], max = [0.4, 0.4] } }
[[source]]
shape = { sphere = { center = [0.8, 0.8], radius = 0.08 } }
velocity = [-1, 0]
[[solid]]
shape = { sphere = { center = [0.6, 0.2], radius = 0.12 } }
motion = { keys = [{ t = 0 }, { t = 1, translate = [0.3, 0] }] }
)"},
    {"SidesWithWater", R"(
solver = "liquid"
dimension = 2
[domain]
max = [1, 0.5]
sides = { default = "wall", left = "inflow", right = "open", top = "open" }
inflow_velocity = { left = [0.7, 0] }
water_level = 0.2
[grid]
resolution = 40
[[fill]]
shape = { box = { min = [0, 0], max = [1, 0.25] } }
)"},
};

SceneFile parsed(const std::string& text, std::vector<std::string> overrides = {}) {
  for (const char* small : {"output.width=48", "output.height=32"}) overrides.push_back(small);
  const Result<SceneFile> scene = SceneFile::parse(text, "test.toml", overrides);
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  return scene.value();
}

Simulation simulation_of(const SceneFile& scene, int threads = 2) {
  Result<Simulation> made = Simulation::create(scene, {.threads = threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return std::move(made).value();
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What a frame says but for the time and memory it took.
std::string physics(FrameStatistics statistics) {
  statistics.seconds.clear();
  statistics.peak_memory_bytes = 0;
  return to_json(statistics);
}

class Checkpoints : public testing::TestWithParam<Example> {
 protected:
  SceneFile scene(const std::vector<std::string>& overrides = {}) {
    return parsed(GetParam().scene, overrides);
  }

  // The next frame: its statistics, and its specks where it has any.
  std::string next(Simulation& simulation) {
    const Result<FrameStatistics> frame = simulation.advance();
    EXPECT_TRUE(frame) << (frame ? "" : frame.error().message);
    if (!frame) return "";
    std::string text = physics(frame.value());
    if (!scene().wants_whitewater()) return text;
    const Result<void> written = simulation.write_whitewater(folder / "specks.ply");
    EXPECT_TRUE(written) << (written ? "" : written.error().message);
    return text + bytes_of(folder / "specks.ply");
  }

  const TemporaryFolder folder;
  const std::string file = folder / "state.whorl";
};

TEST_P(Checkpoints, GoOnAsIfNothingHadBeen) {
  Simulation whole = simulation_of(scene());
  for (int frame = 0; frame < 3; ++frame) next(whole);
  ASSERT_TRUE(whole.save(file));
  Simulation rest = simulation_of(scene(), 1);
  const Result<void> restored = rest.restore(file);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(rest.frame(), 3);
  EXPECT_EQ(rest.time(), whole.time());
  ASSERT_TRUE(whole.write_image(folder / "whole.png") && rest.write_image(folder / "rest.png"));
  EXPECT_EQ(bytes_of(folder / "whole.png"), bytes_of(folder / "rest.png"));
  for (int frame = 4; frame <= 6; ++frame) ASSERT_EQ(next(whole), next(rest)) << frame;
  if (scene().wants_whitewater()) {
    EXPECT_GT(fs::file_size(folder / "specks.ply"), 5000u) << "there is spray to lose";
  }
}

TEST_P(Checkpoints, GoOnInTheMiddleOfAFrame) {
  const SceneFile fine = scene({"time.max_step=0.01"});
  Simulation whole = simulation_of(fine), stopped = simulation_of(fine);
  next(whole), next(stopped);
  const Result<FrameStatistics> interrupted =
      stopped.advance([](const StepProgress& step) { return step.substep < 2; });
  ASSERT_FALSE(interrupted);
  ASSERT_TRUE(stopped.save(file));
  Simulation rest = simulation_of(fine);
  ASSERT_TRUE(rest.restore(file));
  EXPECT_EQ(rest.frame(), 1);
  EXPECT_GT(rest.time(), 1 / fine.fps());
  // What is written is the state as it stands, not that of a frame before.
  ASSERT_TRUE(stopped.write_image(folder / "stopped.png") && rest.write_image(folder / "rest.png"));
  EXPECT_EQ(bytes_of(folder / "stopped.png"), bytes_of(folder / "rest.png"));
  ASSERT_TRUE(stopped.write_vdb(folder / "stopped.vdb") && rest.write_vdb(folder / "rest.vdb"));
  EXPECT_EQ(bytes_of(folder / "stopped.vdb").size(), bytes_of(folder / "rest.vdb").size());
  for (int frame = 2; frame <= 3; ++frame) {
    const std::string expected = next(whole);
    ASSERT_EQ(expected, next(rest)) << frame;
    ASSERT_EQ(expected, next(stopped)) << frame;  // nor does the call itself lose anything
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Checkpoints, testing::ValuesIn(examples),
                         [](const auto& example) { return std::string(example.param.name); });

class BadCheckpoint : public testing::Test {
 protected:
  BadCheckpoint() {
    Simulation simulation = simulation_of(parsed(text));
    EXPECT_TRUE(simulation.advance());
    EXPECT_TRUE(simulation.save(file));
  }

  // Why the file is refused; what stood before stands after it.
  Error refusal(const std::vector<std::string>& overrides = {}, bool changed = false) {
    Simulation simulation = simulation_of(parsed(text, overrides));
    const Result<void> restored = simulation.restore(file, changed);
    EXPECT_EQ(simulation.frame(), restored ? 1 : 0);
    return restored ? Error{} : restored.error();
  }

  const std::string text = examples[1].scene;
  const TemporaryFolder folder;
  const std::string file = folder / "state.whorl";
};

TEST_F(BadCheckpoint, NoByteMayBeAnother) {
  const std::string good = bytes_of(file);
  for (std::size_t k = 3; k < good.size(); k += good.size() / 60) {
    std::string bad = good;
    bad[k] = char(bad[k] ^ 0x10);
    std::ofstream(file, std::ios::binary) << bad;
    EXPECT_EQ(refusal().code, ErrorCode::usage) << k;
  }
  for (const std::size_t size : {std::size_t(0), std::size_t(5), good.size() / 2, good.size() - 1}) {
    std::ofstream(file, std::ios::binary) << good.substr(0, size);
    EXPECT_EQ(refusal().code, ErrorCode::usage) << size;
  }
}

TEST_F(BadCheckpoint, AChangedSceneIsToldKeyByKey) {
  const std::vector<std::string> changes = {"smoke.buoyancy_density=2", "source.0.density_rate=9",
                                            "time.max_step=0.01"};
  const Error error = refusal(changes);
  EXPECT_EQ(error.code, ErrorCode::invalid_scene);
  for (const char* part :
       {"smoke.buoyancy_density: 0 there, 2 here", "source.0.density_rate: 8 there, 9 here",
        "time.max_step: none there, 0.01 here", "--from-frame 1"})
    EXPECT_NE(error.message.find(part), std::string::npos) << part << "\n" << error.message;
  EXPECT_EQ(error.message.find("cell_size"), std::string::npos) << error.message;
  EXPECT_EQ(refusal(changes, true).message, "");
}

TEST_F(BadCheckpoint, WhatOnlyShowsMayChange) {
  EXPECT_EQ(refusal({"output.png=false", "output.vdb=[]", "time.frames=7", "name=other",
                     "source.0.name=burner", "checkpoint.keep=5"})
                .message,
            "");
}

TEST_F(BadCheckpoint, TheGridCannotChange) {
  for (const bool changed : {false, true}) {
    const Error error = refusal({"grid.cell_size=0.04"}, changed);
    EXPECT_EQ(error.code, ErrorCode::invalid_scene);
    EXPECT_NE(error.message.find("0.02"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("--from-frame"), std::string::npos) << error.message;
  }
  EXPECT_EQ(refusal({"quantity.0.name=ink"}, true).code, ErrorCode::invalid_scene);
  EXPECT_EQ(refusal({"time.fps=30"}, true).code, ErrorCode::invalid_scene);
  EXPECT_EQ(refusal({"smoke.wind=[2, 0]"}, true).code, ErrorCode::invalid_scene);  // it is of the fields
}

TEST_F(BadCheckpoint, AnotherVersionIsNoDamage) {
  Exec ex;
  const Result<CheckpointHeader> own = read_header(ex, file);
  ASSERT_TRUE(own);
  CheckpointHeader other = own.value();
  other.version = "99.0.0";
  const Result<void> newer = check_header(file, other, own.value(), false);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("Whorl 99.0.0 wrote it"), std::string::npos) << newer.error().message;
  EXPECT_TRUE(check_header(file, other, own.value(), true));

  other.format = checkpoint_format + 1;
  {
    SaveArchive archive(ex, file);
    CheckpointHeader::visit(other, archive);
    ASSERT_TRUE(archive.finish());
  }
  EXPECT_NE(refusal().message.find("another version"), std::string::npos) << refusal().message;
  std::ofstream(file, std::ios::binary) << "WHORLS99";
  EXPECT_NE(refusal({}, true).message.find("another version"), std::string::npos) << refusal().message;
}

// A mesh is what is in its file.
TEST(CheckpointScene, KnowsMeshesByTheirContent) {
  const TemporaryFolder folder;
  const std::string mesh = folder / "ball.obj";
  std::ofstream(mesh) << "v 0 0 0\n";
  const Result<SceneConfig> scene = parse_scene(
      "solver = \"smoke\"\n[domain]\nmax = [1, 1, 1]\n[grid]\nresolution = 16\n"
      "[[solid]]\nshape = { transform = { shape = { mesh = { file = \"" +
          mesh + "\" } }, scale = 2 } }\n",
      "test.toml");
  ASSERT_TRUE(scene) << scene.error().message;
  Exec ex;
  const std::string before = header_for(ex, scene.value()).scene;
  EXPECT_NE(before.find("solid.0.shape.transform.shape.0.mesh.file = a file of hash "), std::string::npos)
      << before;
  EXPECT_EQ(before.find("ball.obj"), std::string::npos) << before;  // wherever it is
  EXPECT_NE(before.find("solid.0.shape.transform.scale = 2\n"), std::string::npos) << before;
  EXPECT_EQ(before, header_for(ex, scene.value()).scene);
  std::ofstream(mesh) << "v 0 0 1\n";
  EXPECT_NE(before, header_for(ex, scene.value()).scene);
}

}  // namespace
}  // namespace whorl
