// Scenes with meshes: read, placed, and told what is wrong with their files.
#include "io/file.h"
#include "sim/meshes.h"
#include "sim_case.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace whorl {
namespace {

const std::string meshes = WHORL_SCENES "/meshes/";

template <int D>
std::string with_solid(const std::string& shape) {
  return box_of_air<D>() + "[smoke]\nsparse = false\n[[solid]]\nname = \"thing\"\nshape = " + shape + "\n";
}

std::string mesh(const std::string& file) { return "{ mesh = { file = \"" + file + "\" } }"; }

template <int D>
Error refused(const std::string& text) {
  Exec ex({.threads = 2});
  const Result<SmokeSimulation<D>> simulation = SmokeSimulation<D>::create(ex, scene_of<D>(text));
  EXPECT_FALSE(simulation);
  return simulation ? Error{} : simulation.error();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MeshScene, StandsWhereItsTransformPutsIt) {
  Exec ex({.threads = 2});
  const auto simulation =
      simulation_of<3>(ex, with_solid<3>("{ transform = { shape = " + mesh(meshes + "lump.obj") +
                                         ", scale = 0.5, translate = [0.5, 0.5, 0.5] } }"));
  for (const std::string& warning : simulation.warnings())  // but for its thin parts, on this grid
    EXPECT_FALSE(contains(warning, "lump.obj")) << warning;
  const Shape<3> lump = simulation.solids().at(0);
  EXPECT_TRUE(lump.contains({0.6, 0.5, 0.5}));
  EXPECT_FALSE(lump.contains({0.475, 0.5, 0.51})) << "the hole along y";
  EXPECT_FALSE(lump.contains({0.85, 0.85, 0.85}));
  EXPECT_NEAR(lump.bounds().hi[0], 0.5 + 0.5 * 0.505, 0.02);
}

TEST(MeshScene, IsASectionIn2D) {
  Exec ex({.threads = 2});
  const auto simulation = simulation_of<2>(
      ex,
      with_solid<2>("{ transform = { shape = " + mesh(meshes + "lump.obj") + ", translate = [0.5, 0.5] } }"));
  const Shape<2> lump = simulation.solids().at(0);
  EXPECT_TRUE(lump.contains({0.7, 0.5}));
  EXPECT_FALSE(lump.contains({0.46, 0.5}));
}

TEST(MeshScene, SolidsAndSourcesOfMeshesRun) {
  Exec ex({.threads = 2});
  const std::string text =
      with_solid<2>("{ transform = { shape = " + mesh(meshes + "lump.obj") +
                    ", scale = 0.3, translate = [0.5, 0.6] } }") +
      "[[source]]\nname = \"fume\"\ndensity = 1\nvelocity = [0, 0.5]\nshape = { transform = { shape = " +
      mesh(meshes + "lump.obj") + ", scale = 0.2, translate = [0.5, 0.2] } }\n";
  auto simulation = simulation_of<2>(ex, text);
  const FrameStatistics frame = next_frame(ex, simulation);
  ASSERT_FALSE(frame.mass.empty());
  EXPECT_EQ(frame.mass[0].first, "density");
  EXPECT_GT(frame.mass[0].second, 1e-3);
}

// Smoke that the wind blows at a lump, whole or broken: round it and through its hole, and none inside.
TEST(MeshScene, SmokeFlowsRoundTheLump) {
  Exec ex({.threads = 2});
  double passed[2];
  for (int broken = 0; broken < 2; ++broken) {
    const std::string file = meshes + (broken ? "lump_broken.obj" : "lump.obj");
    auto simulation = simulation_of<3>(
        ex, box_of_air<3>() + "[smoke]\nsparse = false\nbuoyancy_temperature = 0\nwind = [0, 1, 0]\n" +
                "initial_velocity = [0, 1, 0]\ninitial_density = \"y < 0.25\"\n" +
                "[[solid]]\nshape = { transform = { shape = " + mesh(file) +
                ", scale = 0.6, translate = [0.5, 0.55, 0.5] } }\n");
    for (int frame = 0; frame < 16; ++frame)
      EXPECT_LE(next_frame(ex, simulation).max_speed, 4.) << "frame " << frame;
    const Shape<3> lump = simulation.solids().at(0);
    const Field<float, 3>& density = simulation.state().density;
    const double h = 1. / 32;
    double inside = 0, behind = 0;
    int deep = 0;
    for_each_coord(Box<3>{{}, Coord<3>::filled(32)}, [&](const Coord<3>& c) {
      const Vec<double, 3> x{(c[0] + 0.5) * h, (c[1] + 0.5) * h, (c[2] + 0.5) * h};
      if (lump.distance(x) < -h) inside += std::abs(double(density.get(c))), ++deep;
      if (x[1] > 0.8) behind += density.get(c);
    });
    EXPECT_GT(deep, 500);
    EXPECT_EQ(inside, 0);
    passed[broken] = behind;
  }
  EXPECT_GT(passed[0], 300);
  EXPECT_NEAR(passed[1], passed[0], 0.1 * passed[0]);
}

TEST(MeshScene, WarnsOfOpenMeshes) {
  Exec ex({.threads = 2});
  const auto simulation = simulation_of<3>(ex, with_solid<3>(mesh(meshes + "lump_broken.obj")));
  ASSERT_EQ(simulation.warnings().size(), 1u);
  EXPECT_TRUE(contains(simulation.warnings()[0], "test.toml:11: solid.thing.shape.mesh.file: "))
      << simulation.warnings()[0];
  EXPECT_TRUE(contains(simulation.warnings()[0], "an open mesh: 45 boundary edges"))
      << simulation.warnings()[0];
}

TEST(MeshScene, TellsAllThatIsWrongWithItsFiles) {
  const Error error = refused<3>(
      with_solid<3>("{ union = [" + mesh("no/such.obj") + ", " + mesh(meshes + "make_lump.py") + "] }"));
  EXPECT_EQ(error.code, ErrorCode::invalid_scene);
  EXPECT_TRUE(
      contains(error.message, "test.toml:11: solid.thing.shape.union.0.mesh.file: no/such.obj: there is"))
      << error.message;
  EXPECT_TRUE(contains(error.message, "solid.thing.shape.union.1.mesh.file: ")) << error.message;
  EXPECT_TRUE(contains(error.message, "allowed: .obj, .ply, .stl, .gltf, .glb")) << error.message;
}

TEST(MeshScene, MustReachIntoTheDomain) {
  const auto moved = [](const std::string& by) {
    return "{ transform = { shape = " + mesh(meshes + "lump.obj") + ", translate = " + by + " } }";
  };
  const Error error = refused<3>(with_solid<3>(moved("[5, 0, 0]")));
  EXPECT_TRUE(contains(error.message, "test.toml:11: solid.thing.shape: it lies outside the domain"))
      << error.message;
  Exec ex({.threads = 2});
  simulation_of<3>(ex, with_solid<3>(moved("[5, 0, 0]")) +
                           "motion = { keys = [{ t = 0 }, { t = 1, translate = [-5, 0, 0] }] }\n");
}

TEST(MeshScene, In2DMustCutThePlane) {
  const std::string folder = testing::TempDir();
  const std::string file = folder + "/whorl_off_plane.obj";
  ASSERT_TRUE(write_whole(file, [](const std::string& path) -> Result<void> {
    std::ofstream(path) << "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    return {};
  }));
  const Error error = refused<2>(with_solid<2>(mesh(file)));
  std::filesystem::remove(file);
  EXPECT_TRUE(contains(error.message, "it lies off the plane, from z = 1 to 2")) << error.message;
}

// A run keeps its scene in another folder: it must find the same meshes from there.
TEST(MeshScene, OverridesNameTheFilesFromAnywhere) {
  const std::string text =
      with_solid<3>("{ transform = { shape = " + mesh("lump.obj") + ", translate = [0.5, 0.5, 0.5] } }");
  const Result<SceneConfig> here = parse_scene(text, meshes + "test.toml");
  ASSERT_TRUE(here) << here.error().message;
  const std::vector<std::string> overrides = mesh_overrides(here.value());
  ASSERT_EQ(overrides.size(), 1u);
  EXPECT_EQ(overrides[0], "solid.thing.shape.transform.shape.mesh.file=\"" +
                              std::filesystem::path(meshes + "lump.obj").lexically_normal().string() + "\"");
  Exec ex({.threads = 2});
  EXPECT_TRUE(SmokeSimulation<3>::create(ex, std::get<Scene<3>>(here.value())));
  EXPECT_FALSE(SmokeSimulation<3>::create(ex, scene_of<3>(text)));
  EXPECT_TRUE(SmokeSimulation<3>::create(ex, scene_of<3>(text, overrides)));
}

}  // namespace
}  // namespace whorl
