// Exports of runs; what their files hold is looked at in tests/io, tests/cli/export.sh and tests/interop.
#include "sim/export.h"

#include "io/temporary_folder.h"
#include "sim/export_solids.h"
#include "sim/run.h"

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
  const TriangleMesh ball = solid_mesh(ex, SphereShape<3>{centre, 0.25}, everywhere);
  EXPECT_NEAR(enclosed_volume(ball), 4 * std::numbers::pi / 3 / 64, 2e-5);
  for (const Vec<double, 3>& x : ball.vertices) ASSERT_NEAR(length(x - centre), 0.25, 1e-5);

  // What has no end is cut off at the box; without one, there is none to make.
  const Bounds<3> box{{0, 0, 0}, {1, 2, 3}};
  const Shape<3> ground = PlaneShape<3>{{0, 0.5, 0}, {0, 1, 0}};
  const TriangleMesh slab = solid_mesh(ex, ground, box);
  EXPECT_NEAR(enclosed_volume(slab), 1.5, 18 * std::pow(3. / 128, 2) / 2);  // 18 m of edges, bevelled
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(box_of(slab).lo[a], 0, 1e-3);
    EXPECT_NEAR(box_of(slab).hi[a], a == 1 ? 0.5 : box.hi[a], 1e-3);
  }
  EXPECT_TRUE(solid_mesh(ex, ground, everywhere).triangles.empty());
  EXPECT_TRUE(solid_mesh(ex, SphereShape<3>{centre, 0.25}, box).triangles.empty());
}

TEST(ExportSolids, MoveAsTheScenesDo) {
  Exec ex({.threads = 2});
  SolidConfig<3> solid;
  solid.shape = BoxShape<3>{{1, 0, 0}, {2, 0.25, 0.5}};
  solid.motion.keys = {{0, {}, {}}, {2, {0, 4, 0}, {0, 0, 90}}};
  const TriangleMesh mesh = solid_mesh(ex, solid.shape, everywhere);
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
