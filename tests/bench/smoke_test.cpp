// The plume of `whorl bench smoke`, small; and in Blender, where it is installed.
#include "bench/bench_case.h"
#include "blender.h"
#include "plume.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace whorl::bench {
namespace {

TEST(Plume, RisesOnEveryCell) {
  const Result<PlumeFigures> run = run_plume({.n = 16, .threads = 2});
  ASSERT_TRUE(run) << run.error().message;
  const PlumeFigures& f = run.value();
  EXPECT_EQ(f.cells, 16 * 32 * 16);
  EXPECT_EQ(f.lengths.size(), 40u);
  EXPECT_GT(f.centre, 2 * source_height);
  EXPECT_LT(f.centre, 0.9);
  // At most two cells, less what buoyancy may add.
  EXPECT_GT(f.displacement, 0.5);
  EXPECT_LT(f.displacement, 2.5);
  EXPECT_GT(f.iterations, 0);
  EXPECT_LT(f.iterations, 10);
}

TEST(Plume, FiguresAddUp) {
  const Result<PlumeFigures> run = run_plume({.n = 16, .threads = 1, .warm_up = 2, .measured = 3});
  ASSERT_TRUE(run) << run.error().message;
  const PlumeFigures& f = run.value();
  EXPECT_GT(f.seconds, 0);
  EXPECT_GE(f.mean_seconds, f.seconds);
  double step = 0, stages = 0;
  bool advected = false, projected = false;
  for (const Profile::Entry& e : f.stages) {
    if (e.name == "step") step = e.seconds;
    if (e.name.find('/') != std::string::npos && e.name.find('/') == e.name.rfind('/')) stages += e.seconds;
    advected = advected || e.name == "step/advect";
    projected = projected || e.name == "step/project";
  }
  EXPECT_TRUE(advected && projected);
  EXPECT_GT(stages, 0);
  EXPECT_LE(stages, step);
  EXPECT_LE(step, f.seconds);
  // Velocity, density and temperature, their next values and what holds them, pressure: no less than that.
  EXPECT_GT(f.peak_bytes / f.cells, 2 * 20 + 8);
  EXPECT_LT(f.peak_bytes / f.cells, 2000);
}

TEST(Plume, IsTheSameOnASparseGridOfFewerCells) {
  const Result<PlumeFigures> dense = run_plume({.n = 32, .threads = 2, .warm_up = 6, .measured = 2});
  const Result<PlumeFigures> sparse =
      run_plume({.n = 32, .sparse = true, .threads = 2, .warm_up = 6, .measured = 2});
  ASSERT_TRUE(dense) << dense.error().message;
  ASSERT_TRUE(sparse) << sparse.error().message;
  EXPECT_LT(sparse.value().cells, 0.7 * dense.value().cells);
  EXPECT_NEAR(sparse.value().centre, dense.value().centre, 0.1 * dense.value().centre);
}

TEST(Plume, MovesMoreBytesTheMoreItIterates) {
  EXPECT_GT(plume_bytes_per_cell(0), 12 * 20);
  EXPECT_NEAR(plume_bytes_per_cell(3) - plume_bytes_per_cell(1), 2 * 149, 2);
}

TEST(SmokeBench, WritesItsFigures) {
  Options options;
  options.size = 16;
  options.threads = {1};
  options.only = "whorl";
  const std::string json = json_of(smoke, options);
  for (const char* field :
       {"\"name\": \"whorl 16x32x16, 1 thread\"", "\"name\": \"whorl 16x32x16 sparse, 1 thread\"",
        "\"cells\": 8192,", "\"threads\": 1,", "\"ns_per_cell\": ", "\"bytes_per_cell\": ",
        "\"bound_ns_per_cell\": ", "\"advect_ms\": ", "\"project_ms\": "})
    EXPECT_NE(json.find(field), std::string::npos) << field << " in " << json;
}

TEST(SmokeBench, RefusesSizesThatAreNotTilesAndPeersThatItHasNot) {
  Options options;
  options.size = 20;
  EXPECT_EQ(smoke(options), 2);
  options.size = 16;
  options.only = "hypre";
  EXPECT_EQ(smoke(options), 2);
}

TEST(Blender, SimulatesTheSamePlume) {
  const Result<PlumeFigures> ours = run_plume({.n = 16, .threads = 2, .warm_up = 10, .measured = 10});
  ASSERT_TRUE(ours) << ours.error().message;
  const Result<BlenderFigures> run =
      run_blender({.n = 16, .threads = 2, .lengths = ours.value().lengths, .warm_up = 10});
  if (!run && not_installed(run.error())) GTEST_SKIP() << "Blender: " << run.error().message;
  ASSERT_TRUE(run) << run.error().message;
  const BlenderFigures& f = run.value();
  EXPECT_EQ(f.resolution, (std::array{16, 16, 32}));
  EXPECT_GT(f.amount, 0);
  EXPECT_NEAR(f.centre, ours.value().centre, 0.35 * ours.value().centre);
  EXPECT_NEAR(f.displacement, ours.value().displacement, 0.5 * ours.value().displacement);
  EXPECT_EQ(f.frames.size(), 10u);
  const BlenderFrame fastest = fastest_frame(f), sum = sum_of_frames(f);
  EXPECT_GT(fastest.pressure_seconds, 0);
  EXPECT_GT(fastest.step_seconds, fastest.pressure_seconds);
  EXPECT_GT(fastest.write_seconds, 0);
  EXPECT_GT(fastest.seconds, fastest.step_seconds + fastest.write_seconds);
  EXPECT_GE(sum.seconds, 10 * fastest.seconds);
  EXPECT_EQ(sum.steps, 10);
  EXPECT_GT(f.iterations, 0);
  EXPECT_GT(f.bytes, 1 << 20);
  EXPECT_GT(f.residual, 0);
  EXPECT_LT(f.residual, 1e-2);
}

TEST(Blender, IsStoppedWhenItsTimeIsUp) {
  const Result<BlenderFigures> run =
      run_blender({.n = 64, .threads = 1, .lengths = std::vector<double>(100, 0.01), .timeout_s = 1});
  ASSERT_FALSE(run);
  if (not_installed(run.error())) GTEST_SKIP() << "Blender: " << run.error().message;
  EXPECT_EQ(run.error().message, "stopped: not done in 1 s");
}

TEST(Blender, IsNotInstalledWhereThereIsNone) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const Result<BlenderFigures> run = run_blender({.n = 16, .lengths = {0.01}});
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(run);
  EXPECT_TRUE(not_installed(run.error())) << run.error().message;
}

}  // namespace
}  // namespace whorl::bench
