// A scene's forces: which, when, where and how strong.
#include "sim_case.h"

#include "sim/smoke_params.h"
#include "stages/measure.h"

#include <cmath>

namespace whorl {
namespace {

// In a periodic box nothing resists a uniform force: the air's speed is the integral of its strength.
TEST(Force, StrengthMayHaveKeysAndAnEnd) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[domain.sides]
default = "periodic"
[time]
fps = 100
[smoke]
sparse = false
[[force]]
uniform = { acceleration = [3, 0] }
strength = { keys = [[0, 1], [0.02, 2]], interp = "step" }
start = 0.005
end = 0.035
)toml");
  const auto speed = [&] { return double(simulation.state().velocity[0].get({5, 9})); };
  for (const double expected : {0.5, 1.5, 3.5, 4.5, 4.5}) {  // hundredths of a second at full strength
    next_frame(ex, simulation);
    EXPECT_NEAR(speed(), 3 * 0.01 * expected, 1e-5);
  }
}

TEST(Force, EveryKindIsReadAndMovedToTheGrid) {
  Exec ex;
  const Scene<3> scene = scene_of<3>(R"toml(
solver = "smoke"
[domain]
min = [1, 1, 1]
max = [2, 2, 2]
[grid]
resolution = 16
[smoke]
edge_relaxation = 5
[[source]]
shape = { sphere = { center = [1.5, 1.5, 1.5], radius = 0.2 } }
vortex_particles = { rate = 40, acceleration = 3, radius = 0.1, decay = 0.5, seed = 9 }
start = 0.005
[[force]]
name = "all"
uniform = { acceleration = [1, 2, 3] }
drag = { velocity = [4, 5, 6], rate = 7, quadratic = 8 }
radial = { center = [1.5, 1.5, 1.5], acceleration = -9, radius = 0.3, power = 1 }
vortex = { center = [1.5, 1.5, 1.5], acceleration = 10, radius = 0.4, axis = [1, 0, 0] }
turbulence = { acceleration = 11, size = 0.25, speed = 12, octaves = 4, seed = 13 }
custom = { acceleration = ["x", "y * t", 0] }
shape = { sphere = { center = [1.5, 1.5, 1.5], radius = 0.45 } }
softness = 0.2
strength = "2 * t"
)toml");
  EXPECT_EQ(scene.force.at(0).name, "all");
  const GridLayout<3> layout = grid_layout(scene);
  Result<SmokeParams<3>> params = smoke_params(ex, scene, layout, 1.5);
  ASSERT_TRUE(params);
  ASSERT_TRUE(add_actors(params.value(), scene, layout, 0., 0.01));
  const SmokeParams<3>& p = params.value();
  EXPECT_EQ(p.edge_relaxation, 5);
  const ForceField<3>& force = p.forces.at(0);
  EXPECT_EQ(force.strength, 3);
  EXPECT_EQ(force.softness, 0.2);
  EXPECT_NEAR(force.shape->distance({0.5, 0.5, 0.5}), -0.45, 1e-12);
  ASSERT_EQ(force.parts.size(), 6u);
  EXPECT_EQ(std::get<UniformForce<3>>(force.parts[0]).acceleration, (Vec<double, 3>{1, 2, 3}));
  EXPECT_EQ(std::get<DragForce<3>>(force.parts[1]).velocity, (Vec<double, 3>{4, 5, 6}));
  EXPECT_EQ(std::get<DragForce<3>>(force.parts[1]).quadratic, 8);
  EXPECT_EQ(std::get<RadialForce<3>>(force.parts[2]).center, (Vec<double, 3>{0.5, 0.5, 0.5}));
  EXPECT_EQ(std::get<RadialForce<3>>(force.parts[2]).power, 1);
  EXPECT_EQ(std::get<VortexForce<3>>(force.parts[3]).center, (Vec<double, 3>{0.5, 0.5, 0.5}));
  EXPECT_EQ(std::get<VortexForce<3>>(force.parts[3]).axis, (Vec<double, 3>{1, 0, 0}));
  EXPECT_EQ(std::get<Turbulence>(force.parts[4]).octaves, 4);
  EXPECT_EQ(std::get<Turbulence>(force.parts[4]).speed, 12);
  MacField<float, 3> field(ex, Topology<3>::of_box(ex, layout.domain));
  std::get<CustomForce<3>>(force.parts[5]).acceleration(field);
  EXPECT_FLOAT_EQ(field[0].get({4, 0, 0}), 1.25f);
  EXPECT_FLOAT_EQ(field[1].get({0, 8, 0}), 1.5f * 1.5f);
  const VortexSeeding& seeding = *p.sources.at(0).vortices;
  EXPECT_NEAR(seeding.rate, 20, 1e-9);  // on for half of the step
  EXPECT_EQ(seeding.decay, 0.5);
  EXPECT_EQ(seeding.seed, 9);
}

TEST(Force, AFormulaMustGiveNumbers) {
  Exec ex;
  auto simulation = simulation_of<2>(
      ex, box_of_air<2>() +
              "[smoke]\nsparse = false\n[[force]]\nname = \"odd\"\ncustom = { acceleration = "
              "[\"1 / (x - 0.5)\", 0] }\n");
  const Result<FrameStatistics> frame = simulation.advance(ex, {});
  ASSERT_FALSE(frame);
  EXPECT_NE(frame.error().message.find("force.odd.custom.acceleration: its expression gives"),
            std::string::npos)
      << frame.error().message;
}

// The five-cell rule counts every force.
template <int D>
void expect_forces_shorten_steps() {
  Exec ex;
  const auto topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  SmokeState<D> s = make_smoke<D>(ex, topology);
  SmokeParams<D> p;
  p.h = 0.1;
  const auto length = [&] { return step_length(ex, s, p, {.cfl = 2, .longest = 1e9}); };
  EXPECT_EQ(length(), 1e9);
  p.forces = {{{UniformForce<D>{Vec<double, D>::unit(1, 3)}}, {}, 0, 2}};
  EXPECT_NEAR(length(), 0.2 / std::sqrt(0.2 * 6), 1e-6);
  p.forces = {{{DragForce<D>{Vec<double, D>::unit(0, -5), 1, 0}}, {}, 0, 1}};
  EXPECT_NEAR(length(), 0.2 / 5, 1e-6);
  p.forces.clear();
  s.vortices.position = {Vec<double, D>::filled(0.8)};
  s.vortices.swirl = {Turn<float, D>::unit(0, 4.f)};
  s.vortices.radius = {0.2f};
  EXPECT_NEAR(length(), 0.2 / std::sqrt(0.2 * 4), 1e-6);
}
TEST(Force, ShortensSteps) {
  expect_forces_shorten_steps<2>();
  expect_forces_shorten_steps<3>();
}

// Everything that pushes at once: the same bits on any number of threads, particles and all.
TEST(Force, SameBitsOnAnyThreads) {
  const std::string text = box_of_air<3>() + R"toml(
[smoke]
edge_relaxation = 20
[[source]]
shape = { sphere = { center = [0.5, 0.25, 0.5], radius = 0.12 } }
density = 1
temperature = 400
vortex_particles = { rate = 300, acceleration = 8, radius = 0.15 }
[[force]]
turbulence = { acceleration = 5, size = 0.2 }
drag = { velocity = [0.5, 0, 0], rate = 1, quadratic = 1 }
shape = { box = { min = [0, 0.3, 0], max = [1, 1, 1] } }
)toml";
  std::uint64_t expected = 0;
  for (const int threads : {1, 2, 5}) {
    Exec ex({.threads = threads});
    auto simulation = simulation_of<3>(ex, text);
    FrameStatistics s;
    for (int frame = 0; frame < 4; ++frame) s = next_frame(ex, simulation);
    EXPECT_GT(s.particles, 10);
    if (expected == 0) expected = s.state_hash;
    EXPECT_EQ(s.state_hash, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace whorl
