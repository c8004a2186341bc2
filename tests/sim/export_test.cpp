// Exports of runs; what their files hold is looked at in tests/io, tests/cli/export.sh and tests/interop.
#include "sim/export.h"

#include "io/temporary_folder.h"
#include "sim/export_solids.h"
#include "sim/run.h"
#include "sim/solid_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

namespace whorl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Bounds<3> everywhere{Vec<double, 3>::filled(-infinity), Vec<double, 3>::filled(infinity)};

Bounds<3> box_of(const TriangleMesh& mesh) {
  Bounds<3> box{Vec<double, 3>::filled(infinity), Vec<double, 3>::filled(-infinity)};
  for (const Vec<double, 3>& x : mesh.vertices)
    for (int a = 0; a < 3; ++a) {
      box.lo[a] = std::min(box.lo[a], x[a]);
      box.hi[a] = std::max(box.hi[a], x[a]);
    }
  return box;
}

TEST(ExportSolids, AreWhereTheShapesAre) {
  Exec ex({.threads = 2});
  const Vec<double, 3> centre{5, -3, 0.5};
  const TriangleMesh ball = solid_mesh(ex, SphereShape<3>{centre, 0.25}, everywhere).value();
  EXPECT_NEAR(enclosed_volume(ball), 4 * std::numbers::pi / 3 / 64, 2e-5);
  for (const Vec<double, 3>& x : ball.vertices) ASSERT_NEAR(length(x - centre), 0.25, 1e-5);

  // What has no end is cut off at the box; without one, there is none to make.
  const Bounds<3> box{{0, 0, 0}, {1, 2, 3}};
  const Shape<3> ground = PlaneShape<3>{{0, 0.5, 0}, {0, 1, 0}};
  const TriangleMesh slab = solid_mesh(ex, ground, box).value();
  EXPECT_NEAR(enclosed_volume(slab), 1.5, 18 * std::pow(3. / 128, 2) / 2);  // 18 m of edges, bevelled
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(box_of(slab).lo[a], 0, 1e-3);
    EXPECT_NEAR(box_of(slab).hi[a], a == 1 ? 0.5 : box.hi[a], 1e-3);
  }
  EXPECT_NE(solid_mesh(ex, ground, everywhere).error().message.find("no end"), std::string::npos);
  const Result<TriangleMesh> beyond = solid_mesh(ex, SphereShape<3>{centre, 0.25}, box);
  EXPECT_NE(beyond.error().message.find("nothing of it is in the domain"), std::string::npos);
}

// Whatever their size against the rest, walls are neither lost nor full of holes.
TEST(ExportSolids, ThinOnesAreWhole) {
  Exec ex({.threads = 2});
  const Shape<3> plate = BoxShape<3>{{-1, 0, -1}, {1, 0.007, 1}};
  const Shape<3> turned = TransformShape<3>{{plate}, {}, {45, 0, 10}};
  const Shape<3> bowl =
      DifferenceShape<3>{{SphereShape<3>{{}, 1}, SphereShape<3>{{}, 0.99}, PlaneShape<3>{{}, {0, -1, 0}}}};
  const double plate_volume = 4 * 0.007;
  const double bowl_volume = 2 * std::numbers::pi / 3 * (1 - std::pow(0.99, 3));
  for (const auto& [shape, volume] :
       {std::pair(plate, plate_volume), {turned, plate_volume}, {bowl, bowl_volume}}) {
    const Result<TriangleMesh> mesh = solid_mesh(ex, shape, everywhere);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_NEAR(enclosed_volume(mesh.value()), volume, 0.1 * volume);
  }
  const Result<TriangleMesh> film = solid_mesh(
      ex, TransformShape<3>{{BoxShape<3>{{-1, 0, -1}, {1, 1e-5, 1}}}, {}, {45, 0, 10}}, everywhere);
  ASSERT_FALSE(film);
  EXPECT_NE(film.error().message.find("thinner than"), std::string::npos) << film.error().message;
}

// A ground that rises by two metres is cut off where it never comes into the domain.
TEST(ExportSolids, WhatHasNoEndMayMove) {
  Exec ex({.threads = 2});
  SolidConfig<3> ground;
  ground.shape = PlaneShape<3>{{0, 0, 0}, {0, 1, 0}};
  ground.motion.keys = {{0, {}, {}}, {1, {0.5, 2, 0}, {}}};
  const Bounds<3> domain{{0, 0, 0}, {4, 4, 4}};
  const Bounds<3> seen = seen_from(ground, domain, {0, 1});
  const TriangleMesh mesh = solid_mesh(ex, ground.shape, seen).value();
  const Bounds<3> last = box_of(moved_to(mesh, ground, 1));
  for (int a = 0; a < 3; ++a) {
    EXPECT_LE(last.lo[a], 1e-3);
    EXPECT_NEAR(last.hi[a], a == 1 ? 2 : a == 0 ? 4.5 : 4, 1e-2);
  }
}

TEST(ExportSolids, NoTwoHaveOneFile) {
  std::vector<SolidConfig<3>> solids(8);
  solids[0].name = "left wall";
  solids[1].name = "left_wall";
  solids[2].name = "Left Wall";
  solids[3].name = "solid5";
  solids[5].name = "стена";
  solids[6].name = "camin";
  solids[7].name = "право";
  EXPECT_EQ(solid_file_names(solids),
            (std::vector<std::string>{"left_wall", "left_wall_2", "Left_Wall_3", "solid5", "solid5_2",
                                      "__________", "camin", "___________2"}));
}

TEST(ExportSolids, MoveAsTheScenesDo) {
  Exec ex({.threads = 2});
  SolidConfig<3> solid;
  solid.shape = BoxShape<3>{{1, 0, 0}, {2, 0.25, 0.5}};
  solid.motion.keys = {{0, {}, {}}, {2, {0, 4, 0}, {0, 0, 90}}};
  const TriangleMesh mesh = solid_mesh(ex, solid.shape, everywhere).value();
  const Bounds<3> first = box_of(moved_to(mesh, solid, 0)), last = box_of(moved_to(mesh, solid, 2));
  const Bounds<3> expected{{-0.25, 5, 0}, {0, 6, 0.5}};
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(first.lo[a], box_of(mesh).lo[a], 1e-12);
    EXPECT_NEAR(last.lo[a], expected.lo[a], 2e-3);
    EXPECT_NEAR(last.hi[a], expected.hi[a], 2e-3);
  }
}

TEST(Export, StopsBetweenFrames) {
  const TemporaryFolder folder;
  const std::string text = R"(
solver = "smoke"
dimension = 2
name = "puff"
[time]
frames = 3
[grid]
cell_size = 0.1
[smoke]
initial_density = 1
[domain]
min = [-1, -1]
max = [1, 1]
[output]
png = false
video = false
)";
  const Result<SceneFile> scene = SceneFile::parse(text, "puff.toml");
  ASSERT_TRUE(scene) << scene.error().message;
  RunOptions options;
  options.folder = folder / "run";
  options.scene_text = text;
  RunObserver quiet;
  const RunReport ran = run(scene.value(), options, quiet);
  ASSERT_TRUE(ran.outcome) << ran.outcome.error().message;

  struct Stops : ExportObserver {
    bool should_stop() override { return true; }
  } stops;
  const ExportReport stopped = export_run({.run = folder / "run"}, stops);
  ASSERT_FALSE(stopped.outcome);
  EXPECT_EQ(stopped.outcome.error().code, ErrorCode::interrupted);
  EXPECT_EQ(stopped.frames, std::set<int>{1});
  EXPECT_TRUE(stopped.script.empty());
  EXPECT_TRUE(std::filesystem::exists(folder / "run/export-blender/vdb/puff.0001.vdb"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run/export-blender/vdb/puff.0002.vdb"));

  ExportObserver goes_on;
  const ExportReport whole = export_run({.run = folder / "run/"}, goes_on);
  ASSERT_TRUE(whole.outcome) << whole.outcome.error().message;
  EXPECT_EQ(whole.frames, (std::set<int>{1, 2, 3}));
  EXPECT_EQ(whole.script, folder / "run/export-blender/open_in_blender.py");
}

}  // namespace
}  // namespace whorl
