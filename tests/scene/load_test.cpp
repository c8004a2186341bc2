// Reading scenes: every key, defaults, overrides, and the bad scenes of tests/scenes/bad.
#include "scene/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace whorl {
namespace {

constexpr SceneLimits eight_gib{.memory = std::uint64_t(8) << 30};

const std::string minimal = "solver = \"smoke\"\n[grid]\ncell_size = 0.1\n";

template <int D>
Scene<D> parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<SceneConfig> result = parse_scene(text, "test.toml", overrides, eight_gib);
  if (!result) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::get<Scene<D>>(result.value());
}

Error refused(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<SceneConfig> result = parse_scene(text, "test.toml", overrides, eight_gib);
  EXPECT_FALSE(result) << "a scene that should be refused";
  return result ? Error{} : result.error();
}

TEST(LoadScene, AMinimalSceneHasTheDefaults) {
  const auto scene = parsed<3>(minimal);
  EXPECT_EQ(scene.name, "test");
  EXPECT_EQ(scene.time.fps, 24);
  EXPECT_EQ(scene.time.frames, 120);
  EXPECT_FALSE(scene.time.max_step);
  EXPECT_FALSE(scene.domain);
  EXPECT_EQ(scene.gravity.at({0, 0, 0}, 0), (Vec<double, 3>{0, -9.81, 0}));
  EXPECT_EQ(scene.smoke.advection.scheme, AdvectionScheme::maccormack);
  EXPECT_FALSE(scene.smoke.margin);
  EXPECT_TRUE(scene.source.empty());
  EXPECT_FALSE(scene.fire);
  EXPECT_EQ(scene.output.vdb.size(), 3u);
  EXPECT_EQ(parsed<2>("dimension = 2\n" + minimal).gravity.at({0, 0}, 0), (Vec<double, 2>{0, -9.81}));
}

TEST(LoadScene, ReadsWhatAScene3DSays) {
  const auto scene = parsed<3>(R"(
solver = "smoke"
dimension = 3
name = "everything"
gravity = [0, { keys = [[0, -9.81], [2, 0]] }, "t"]
[time]
fps = 30
frames = 12
cfl = 2.5
min_step = 0.0001
max_step = 0.01
[domain]
min = [-1, 0, 0]
max = [1, 4, 2]
sides = { default = "wall", left = "inflow", top = "open" }
inflow_velocity = { left = ["1 + t", 0, 0] }
[grid]
resolution = 64
[smoke]
advection = "semi_lagrangian"
interpolation = "monotone_cubic"
limiter = "revert"
trace_order = 3
pressure_solver = "cg"
pressure_tolerance = 0.01
buoyancy_temperature = 0.1
buoyancy_density = 0.2
ambient_temperature = 280
density_dissipation = 0.3
temperature_dissipation = 0.4
density_diffusion = 0.06
heat_diffusion = 0.07
viscosity = 0.08
diffusion = "crank_nicolson"
wall_friction = "free_slip"
vorticity_confinement = 0.5
initial_density = "x + 2*y + 3*z"
initial_temperature = 290
initial_velocity = ["y", 1, "-x"]
wind = [1, 2, 3]
sparse = false
margin = 12
hysteresis = 6
density_threshold = 0.02
color = [0.5, 0.25, "t"]
[[quantity]]
name = "dye"
initial = "x"
dissipation = 0.1
diffusion = 0.3
threshold = 0.2
[fire]
burn_rate = 6
initial_fuel = "z"
[[source]]
name = "one"
shape = { sphere = { center = [0, 1, 1], radius = 0.5 } }
motion = { keys = [ { t = 0 }, { t = 1, translate = [1, 0, 0] } ] }
density_rate = 2
density = 1.5
color = { keys = [[0, [1, 0, 0]], [1, [0, 0, 1]]] }
temperature_rate = 4
temperature = { keys = [[0, 300], [1, 400]] }
fuel_rate = 5
fuel = "y"
velocity = [0, "t", 0]
emits = { dye = "2 * t" }
holds = { dye = 3 }
expansion = -1
vent = [0, 2, 0]
sink = 4
start = 0.5
end = 1.5
[[source]]
solid = "plate"
skin = 0.1
density = 1
[[solid]]
name = "plate"
shape = { difference = [ { box = { min = [0, 1, 0], max = [1, 2, 1] } },
                         { cylinder = { center = [0.5, 1.5, 0.5], radius = 0.1, height = 2 } } ] }
motion = { keys = [ { t = 0 }, { t = 3, translate = [0, 0.4, 0], rotate_deg = [0, 90, 0] } ], interp = "smooth" }
[output]
vdb = ["vel"]
half = false
png = false
exr = true
video = false
width = 320
height = 200
)");
  EXPECT_EQ(scene.name, "everything");
  EXPECT_DOUBLE_EQ(scene.gravity.at({0, 0, 0}, 1)[1], -4.905);
  EXPECT_DOUBLE_EQ(scene.gravity.at({0, 0, 0}, 1)[2], 1);
  EXPECT_EQ(scene.time.fps, 30);
  EXPECT_EQ(scene.time.frames, 12);
  EXPECT_EQ(scene.time.cfl, 2.5);
  EXPECT_EQ(scene.time.min_step, 0.0001);
  EXPECT_EQ(scene.time.max_step, 0.01);
  EXPECT_EQ(scene.domain->min, (Vec<double, 3>{-1, 0, 0}));
  EXPECT_EQ(scene.domain->max, (Vec<double, 3>{1, 4, 2}));
  EXPECT_EQ(scene.domain->sides.of(0, 0), Side::inflow);
  EXPECT_EQ(scene.domain->sides.of(1, 1), Side::open);
  EXPECT_EQ(scene.domain->sides.of(2, 1), Side::wall);
  EXPECT_EQ(scene.domain->inflow_velocity.velocity[0][0]->at({0, 0, 0}, 2), (Vec<double, 3>{3, 0, 0}));
  EXPECT_EQ(scene.grid.resolution, 64);
  EXPECT_EQ(scene.smoke.advection.scheme, AdvectionScheme::semi_lagrangian);
  EXPECT_EQ(scene.smoke.advection.interpolation, Interpolation::monotone_cubic);
  EXPECT_EQ(scene.smoke.advection.limiter, Limiter::revert);
  EXPECT_EQ(scene.smoke.advection.trace_order, 3);
  EXPECT_EQ(scene.smoke.pressure_solver, PressureSolver::cg);
  EXPECT_EQ(scene.smoke.pressure_tolerance, 0.01);
  EXPECT_EQ(scene.smoke.buoyancy_temperature, 0.1);
  EXPECT_EQ(scene.smoke.buoyancy_density, 0.2);
  EXPECT_EQ(scene.smoke.ambient_temperature, 280);
  EXPECT_EQ(scene.smoke.density_dissipation, 0.3);
  EXPECT_EQ(scene.smoke.temperature_dissipation, 0.4);
  EXPECT_EQ(scene.smoke.density_diffusion, 0.06);
  EXPECT_EQ(scene.smoke.heat_diffusion, 0.07);
  EXPECT_EQ(scene.smoke.viscosity, 0.08);
  EXPECT_EQ(scene.smoke.diffusion, DiffusionScheme::crank_nicolson);
  EXPECT_EQ(scene.smoke.wall_friction, WallFriction::free_slip);
  EXPECT_EQ(scene.smoke.vorticity_confinement, 0.5);
  EXPECT_DOUBLE_EQ(scene.smoke.initial_density.at(1, 2, 3, 0), 14);
  EXPECT_EQ(scene.smoke.initial_temperature->at(0, 0, 0, 0), 290);
  EXPECT_EQ(scene.smoke.initial_velocity.at({5, 7, 0}, 0), (Vec<double, 3>{7, 1, -5}));
  EXPECT_EQ(scene.smoke.wind, (Vec<double, 3>{1, 2, 3}));
  EXPECT_FALSE(scene.smoke.sparse);
  EXPECT_EQ(scene.smoke.margin, 12);
  EXPECT_EQ(scene.smoke.hysteresis, 6);
  EXPECT_EQ(scene.smoke.density_threshold, 0.02);
  EXPECT_EQ(scene.smoke.color->channel[2].at(0, 0, 0, 0.5), 0.5);
  ASSERT_EQ(scene.quantity.size(), 1u);
  EXPECT_EQ(scene.quantity[0].name, "dye");
  EXPECT_EQ(scene.quantity[0].initial.at(3, 0, 0, 0), 3);
  EXPECT_EQ(scene.quantity[0].dissipation, 0.1);
  EXPECT_EQ(scene.quantity[0].diffusion, 0.3);
  EXPECT_EQ(scene.quantity[0].threshold, 0.2);
  ASSERT_TRUE(scene.fire);
  EXPECT_EQ(scene.fire->combustion.burn_rate, 6.f);
  EXPECT_EQ(scene.fire->combustion.soot, CombustionParams{}.soot);
  EXPECT_EQ(scene.fire->initial_fuel.at(1, 2, 3, 0), 3);
  ASSERT_EQ(scene.source.size(), 2u);
  const SourceConfig<3>& one = scene.source[0];
  EXPECT_DOUBLE_EQ(one.shape.distance({0, 1, 1}), -0.5);
  EXPECT_EQ(one.density_rate.at(0, 0, 0, 0), 2);
  EXPECT_EQ(one.density->at(0, 0, 0, 0), 1.5);
  EXPECT_EQ(one.temperature_rate.at(0, 0, 0, 0), 4);
  EXPECT_DOUBLE_EQ(one.temperature->at(0, 0, 0, 0.5), 350);
  EXPECT_EQ(one.fuel_rate.at(0, 0, 0, 0), 5);
  EXPECT_EQ(one.fuel->at(0, 7, 0, 0), 7);
  EXPECT_EQ(one.velocity->at({0, 0, 0}, 3), (Vec<double, 3>{0, 3, 0}));
  EXPECT_EQ(one.motion.keys.at(1).translate, (Vec<double, 3>{1, 0, 0}));
  EXPECT_EQ(one.color->channel[0].at(0, 0, 0, 0.25), 0.75);
  EXPECT_EQ(one.emits.at("dye").at(0, 0, 0, 3), 6);
  EXPECT_EQ(one.holds.at("dye").at(0, 0, 0, 0), 3);
  EXPECT_EQ(one.expansion.at(0, 0, 0, 0), -1);
  EXPECT_EQ(one.vent->at({0, 0, 0}, 0), (Vec<double, 3>{0, 2, 0}));
  EXPECT_EQ(one.sink.at(0, 0, 0, 0), 4);
  EXPECT_EQ(scene.source[1].solid, "plate");
  EXPECT_EQ(scene.source[1].skin, 0.1);
  EXPECT_EQ(one.start, 0.5);
  EXPECT_EQ(one.end, 1.5);
  EXPECT_EQ(scene.source[1].name, "source1");
  EXPECT_FALSE(scene.source[1].velocity);
  ASSERT_EQ(scene.solid.size(), 1u);
  EXPECT_TRUE(scene.solid[0].shape.contains({0.2, 1.5, 0.2}));
  EXPECT_FALSE(scene.solid[0].shape.contains({0.5, 1.5, 0.5}));
  EXPECT_EQ(scene.solid[0].motion.interp, KeyInterpolation::smooth);
  EXPECT_EQ(scene.solid[0].motion.keys.at(1).rotate_deg, (Vec<double, 3>{0, 90, 0}));
  EXPECT_EQ(scene.output.vdb, (std::vector<std::string>{"vel"}));
  EXPECT_TRUE(scene.output.exr);
  EXPECT_FALSE(scene.output.half || scene.output.png || scene.output.video);
  EXPECT_EQ(scene.output.width, 320);
  EXPECT_EQ(scene.output.height, 200);
}

TEST(LoadScene, ReadsEveryShapeIn2D) {
  const auto scene = parsed<2>(R"(
dimension = 2
solver = "smoke"
[grid]
cell_size = 0.1
[[source]]
density = 1
shape = { union = [
  { box = { min = [0, 0], max = [1, 1] } },
  { capsule = { start = [3, 0], end = [3, 1], radius = 0.2 } },
  { torus = { center = [6, 0], ring_radius = 1, tube_radius = 0.1, axis = "z" } },
  { transform = { shape = { box = { min = [0, 0], max = [1, 1] } }, translate = [10, 0], rotate_deg = 90, scale = 2 } },
  { intersection = [ { plane = { point = [20, 0], normal = [1, 0] } }, { complement = { plane = { point = [19, 0], normal = [1, 0] } } } ] } ] }
)");
  const Shape<2>& shape = scene.source[0].shape;
  for (const Vec<double, 2> inside : {Vec<double, 2>{0.5, 0.5}, {3.1, 0.5}, {6, 1}, {8.5, 1.5}, {19.5, 100}})
    EXPECT_TRUE(shape.contains(inside)) << inside;
  for (const Vec<double, 2> outside : {Vec<double, 2>{1.5, 0.5}, {3.3, 0.5}, {6, 0}, {10.5, 0.5}, {20.5, 0}})
    EXPECT_FALSE(shape.contains(outside)) << outside;
}

// The files are read later, by those who may; here it is said where they are.
TEST(LoadScene, MeshesAreNamedFromTheScenesFolder) {
  const std::string solid =
      minimal + "[[solid]]\nname = \"bunny\"\nshape = { transform = { scale = 2, shape = ";
  const auto file_of = [&](const std::string& file, const std::string& source) {
    const Result<SceneConfig> scene =
        parse_scene(solid + "{ mesh = { file = \"" + file + "\" } } } }\n", source);
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
    const auto& shape = std::get<Scene<3>>(scene.value()).solid.at(0).shape;
    return std::get<MeshShape<3>>(std::get<TransformShape<3>>(shape.node()).parts.at(0).node());
  };
  const MeshShape<3> mesh = file_of("../meshes/bunny.obj", "my/scenes/bunny.toml");
  EXPECT_EQ(mesh.file, "my/meshes/bunny.obj");
  EXPECT_EQ(mesh.key, "solid.bunny.shape.transform.shape.mesh.file");
  EXPECT_EQ(mesh.where, "my/scenes/bunny.toml:6");
  EXPECT_EQ(file_of("bunny.obj", "bunny.toml").file, "bunny.obj");
  EXPECT_EQ(file_of("/meshes/bunny.obj", "my/bunny.toml").file, "/meshes/bunny.obj");
}

TEST(LoadScene, LaysOutTheGrid) {
  const auto box = parsed<3>(
      "solver = \"smoke\"\n[domain]\nmin = [-1, 0, 0]\nmax = [1, 4.01, 2]\n[grid]\nresolution = 401\n");
  const GridLayout<3> layout = grid_layout(box);
  EXPECT_DOUBLE_EQ(layout.cell_size, 0.01);
  EXPECT_EQ(layout.origin, (Vec<double, 3>{-1, 0, 0}));
  EXPECT_EQ(layout.domain.cells.lo, (Coord<3>{0, 0, 0}));
  EXPECT_EQ(layout.domain.cells.hi, (Coord<3>{200, 401, 200}));
  EXPECT_NEAR(layout.centre({100, 0, 0})[0], 0.005, 1e-12);
  const GridLayout<3> unbounded = grid_layout(parsed<3>(minimal));
  EXPECT_DOUBLE_EQ(unbounded.cell_size, 0.1);
  EXPECT_EQ(unbounded.domain, Domain<3>{});
}

TEST(LoadScene, MarginFollowsTheDomain) {
  const auto margin = [](const std::string& rest) {
    const auto scene = parsed<2>("solver = \"smoke\"\ndimension = 2\n" + rest);
    return margin_of(scene, grid_layout(scene));
  };
  const std::string box = "domain = { max = [2, 1] }\n";
  EXPECT_EQ(margin("grid = { cell_size = 0.1 }"), 8);
  EXPECT_EQ(margin(box + "grid = { resolution = 32 }"), 8);
  EXPECT_EQ(margin(box + "grid = { resolution = 64 }"), 9);
  EXPECT_EQ(margin(box + "grid = { resolution = 224 }"), 32);
  EXPECT_EQ(margin(box + "grid = { resolution = 2000 }"), 64);
  EXPECT_EQ(margin(box + "grid = { resolution = 224 }\nsmoke = { margin = 3 }"), 3);
}

// ---- overrides

TEST(Overrides, ChangeAndAddKeysByPath) {
  const std::string text = minimal + R"([[source]]
name = "burner"
shape = { sphere = { center = [0, 0, 0], radius = 1 } }
density_rate = 1
)";
  const auto scene =
      parsed<3>(text, {"time.fps=30", "smoke.advection=semi_lagrangian", "source.burner.density_rate=4",
                       "source.0.shape.sphere.radius=2", "smoke.initial_density=exp(-x^2)",
                       "smoke.wind=[1, 2, 3]", "name=other", "output.vdb=[\"vel\"]", "smoke.sparse=false"});
  EXPECT_EQ(scene.time.fps, 30);
  EXPECT_EQ(scene.smoke.advection.scheme, AdvectionScheme::semi_lagrangian);
  EXPECT_EQ(scene.source[0].density_rate.at(0, 0, 0, 0), 4);
  EXPECT_DOUBLE_EQ(scene.source[0].shape.distance({0, 0, 0}), -2);
  EXPECT_DOUBLE_EQ(scene.smoke.initial_density.at(1, 0, 0, 0), std::exp(-1.0));
  EXPECT_EQ(scene.smoke.wind, (Vec<double, 3>{1, 2, 3}));
  EXPECT_EQ(scene.name, "other");
  EXPECT_EQ(scene.output.vdb.size(), 1u);
  EXPECT_FALSE(scene.smoke.sparse);
}

TEST(Overrides, FindEntriesByNameOrElseByNumber) {
  std::string text = minimal;
  for (const std::string name : {"left", "right", "0"})
    text += "[[source]]\nname = \"" + name + "\"\nshape = { plane = { point = [0, 0, 0] } }\ndensity = 1\n";
  const auto scene = parsed<3>(text, {"source.right.density=2", "source.0.density=3", "source.1.start=4"});
  EXPECT_EQ(scene.source[0].density->at(0, 0, 0, 0), 1);
  EXPECT_EQ(scene.source[1].density->at(0, 0, 0, 0), 2);
  EXPECT_EQ(scene.source[1].start, 4);
  EXPECT_EQ(scene.source[2].density->at(0, 0, 0, 0), 3) << "a name comes before a number";
  EXPECT_EQ(refused(text, {"source.3.density=1"}).message,
            "--set source.3.density=1: source.3.density: no entry '3'; allowed: 0 to 2, left, right, 0");
}

TEST(Overrides, ReachIntoTablesOfNames) {
  const std::string text = minimal + R"([[quantity]]
name = "dye"
[[source]]
name = "pipe"
shape = { sphere = { center = [0, 0, 0], radius = 1 } }
emits = { dye = 1 }
)";
  EXPECT_EQ(parsed<3>(text, {"source.pipe.emits.dye=2"}).source[0].emits.at("dye").at(0, 0, 0, 0), 2);
  const auto added = parsed<3>(text, {"source.pipe.holds.dye=sin(t)", "quantity.dye.dissipation=3"});
  EXPECT_EQ(added.source[0].holds.at("dye").at(0, 0, 0, 0), 0);
  EXPECT_EQ(added.quantity[0].dissipation, 3);
  EXPECT_EQ(refused(text, {"source.pipe.emits.dey=2"}).message,
            "--set source.pipe.emits.dey=2: source.pipe.emits.dey: no quantity has that name; allowed: dye; "
            "did you mean 'dye'?");
}

// What is carried is written, unless the scene chooses.
TEST(LoadScene, WritesAllThatIsCarried) {
  const std::string dye = minimal + "[[quantity]]\nname = \"dye\"\n";
  EXPECT_EQ(parsed<3>(dye).output.vdb, (std::vector<std::string>{"density", "temperature", "vel", "dye"}));
  EXPECT_EQ(parsed<3>(dye, {"output.vdb=[\"dye\"]"}).output.vdb, (std::vector<std::string>{"dye"}));
  EXPECT_EQ(refused(dye, {"output.vdb=[\"dey\"]"}).message,
            "--set output.vdb=[\"dey\"]: output.vdb: found \"dey\"; allowed: a list of \"density\", "
            "\"temperature\", \"vel\", \"dye\"; did you mean 'dye'?");
}

TEST(Overrides, MayChangeTheDimension) { EXPECT_EQ(parsed<2>(minimal, {"dimension=2"}).dimension, 2); }

TEST(Overrides, OfTheCellSizeReplaceEitherWayToGiveIt) {
  const std::string box = "solver = \"smoke\"\n[domain]\nmax = [1, 2, 1]\n[grid]\n";
  const auto counted = parsed<3>(box + "cell_size = 0.1\n", {"grid.resolution=64"});
  EXPECT_EQ(counted.grid.resolution, 64);
  EXPECT_FALSE(counted.grid.cell_size);
  const auto measured = parsed<3>(box + "resolution = 64\n", {"grid.cell_size=0.1"});
  EXPECT_EQ(measured.grid.cell_size, 0.1);
  EXPECT_FALSE(measured.grid.resolution);
  EXPECT_NE(refused(box + "resolution = 64\n", {"grid.resolution=32", "grid.cell_size=0.1"})
                .message.find("one of the two"),
            std::string::npos);
}

TEST(Overrides, AreNamedInMessages) {
  const std::string source =
      minimal +
      "[[source]]\nname = \"burner\"\nshape = { sphere = { center = [0, 0, 0], radius = 1 } }\ndensity = 1\n";
  EXPECT_EQ(refused(minimal, {"time.fps=0"}).message,
            "--set time.fps=0: time.fps: found 0; allowed: a number from 1 to 100000 (1/s)");
  const Error typo = refused(minimal, {"time.fsp=3"});
  EXPECT_EQ(typo.code, ErrorCode::invalid_scene);
  EXPECT_EQ(typo.message,
            "--set time.fsp=3: time.fsp: unknown key; allowed: fps, frames, cfl, min_step, max_step; did you "
            "mean 'fps'?");
  EXPECT_EQ(refused(source, {"source.oven.density=3"}).message,
            "--set source.oven.density=3: source.oven.density: no entry 'oven'; allowed: 0, burner");
  EXPECT_EQ(refused(minimal, {"time.fps"}).code, ErrorCode::usage);
  EXPECT_EQ(refused(minimal, {"=3"}).code, ErrorCode::usage);
}

// ---- errors

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Each specimen ends in lines "# expect CODE: part of the message", which say what it must be refused with.
TEST(BadScenes, AreRefusedInTheWordsTheyExpect) {
  int scenes = 0;
  for (const auto& file : std::filesystem::directory_iterator(WHORL_BAD_SCENES)) {
    SCOPED_TRACE(file.path().filename().string());
    const Result<SceneConfig> result = load_scene(file.path().string(), {}, eight_gib);
    ASSERT_FALSE(result);
    ++scenes;
    const std::string& message = result.error().message;
    EXPECT_EQ(message.rfind(file.path().string() + ":", 0), 0u) << message;
    std::istringstream lines(read_file(file.path()));
    int expectations = 0, line_count = 1 + int(std::count(message.begin(), message.end(), '\n'));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("# expect ")) continue;
      ++expectations;
      EXPECT_EQ(int(result.error().code), line[9] - '0');
      EXPECT_NE(message.find(line.substr(12)), std::string::npos)
          << "wanted " << line.substr(12) << "\ngot " << message;
    }
    EXPECT_GE(expectations, 1);
    EXPECT_LE(line_count, expectations) << "says more than it should:\n" << message;
  }
  EXPECT_GE(scenes, 18);
}

TEST(BadScenes, AllErrorsComeAtOnceInTheOrderOfTheFile) {
  const Error error =
      refused("solver = 3\n[time]\nfps = 0\ncfl = -1\n[grid]\ncell_size = \"big\"\n", {"time.frames=0"});
  EXPECT_EQ(error.code, ErrorCode::invalid_scene);
  EXPECT_EQ(error.message,
            "test.toml:1: solver: found 3; allowed: \"smoke\", \"liquid\"\n"
            "test.toml:3: time.fps: found 0; allowed: a number from 1 to 100000 (1/s)\n"
            "test.toml:4: time.cfl: found -1; allowed: a number from 0.1 to 6 (cells)\n"
            "test.toml:6: grid.cell_size: found \"big\"; allowed: a number from 1e-06 to 10000 (m)\n"
            "--set time.frames=0: time.frames: found 0; allowed: a whole number from 1 to 100000");
}

TEST(BadScenes, AnUnreadableFileIsAWrongCall) {
  const Result<SceneConfig> missing = load_scene("/nowhere/plume.toml");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::usage);
  EXPECT_EQ(missing.error().message,
            "cannot read the scene '/nowhere/plume.toml': No such file or directory");
  const Result<SceneConfig> folder = load_scene(WHORL_BAD_SCENES);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::usage);
}

TEST(BadScenes, MemoryIsCountedOnlyForADomain) {
  EXPECT_GT(available_memory(), std::uint64_t(1) << 20);
  const std::string text = "solver = \"smoke\"\n[domain]\nmax = [1, 1, 1]\n[grid]\nresolution = 100\n";
  EXPECT_TRUE(parse_scene(text, "t", {}, {.memory = 201'000'000}));
  const auto refusal = parse_scene(text, "t", {}, {.memory = 199'000'000});
  ASSERT_FALSE(refusal);
  EXPECT_EQ(refusal.error().code, ErrorCode::resources);
  EXPECT_NE(refusal.error().message.find("at most 98"), std::string::npos) << refusal.error().message;
  EXPECT_TRUE(parse_scene(minimal, "t", {}, {.memory = 1}));
  EXPECT_FALSE(parse_scene(text + "[[quantity]]\nname = \"dye\"\n", "t", {}, {.memory = 215'000'000}));
}

// Whatever the memory, a scene with the cells that a refusal allows is not refused again.
TEST(BadScenes, WhoFollowsTheAdviceOnMemoryFits) {
  const std::string head = "solver = \"smoke\"\n[domain]\nmax = [1, 0.93, 0.417]\n[grid]\n";
  for (const auto& [key, words] :
       {std::pair<std::string, std::string>("cell_size = ", "at least "), {"resolution = ", "at most "}})
    for (double memory = 2e3; memory < 1e10; memory *= 1.7) {
      const std::string finest = key + (key == "resolution = " ? "60000" : "0.0001");
      const SceneLimits limits{.memory = std::uint64_t(memory)};
      const auto refusal = parse_scene(head + finest + "\n", "t", {}, limits);
      ASSERT_FALSE(refusal);
      const std::string& message = refusal.error().message;
      const std::size_t at = message.find(words);
      ASSERT_NE(at, std::string::npos) << message;
      const std::string allowed =
          message.substr(at + words.size(), message.find(' ', at + words.size()) - at - words.size());
      if (key == "resolution = " && std::stoi(allowed) < 8) continue;  // of all scenes
      EXPECT_TRUE(parse_scene(head + key + allowed + "\n", "t", {}, limits)) << message;
    }
}

}  // namespace
}  // namespace whorl
