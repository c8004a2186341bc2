// What a scene says is what the simulation does.
#include "sim_case.h"

#include "sim/motion.h"

#include <cmath>

namespace whorl {
namespace {

// A field of gravity that happens to be uniform is the uniform gravity.
TEST(Gravity, MayVaryInSpace) {
  Exec ex;
  const auto hash = [&](const std::string& gravity) {
    auto simulation = simulation_of<2>(
        ex, gravity + box_of_air<2>() +
                "[smoke]\ninitial_temperature = \"300 + 80 * exp(-30 * ((x-.5)^2 + (y-.5)^2))\"\n");
    return next_frame(ex, simulation).state_hash;
  };
  EXPECT_EQ(hash("gravity = [0, -9.81]\n"), hash("gravity = [\"0 * x\", \"-9.81\"]\n"));
  EXPECT_EQ(hash("gravity = [0, -9.81]\n"),
            hash("gravity = { keys = [[0, [0, -9.81]], [1, [0, -9.81]]] }\n"));
  EXPECT_NE(hash("gravity = [0, -9.81]\n"), hash("gravity = [0, \"-9.81 * x\"]\n"));
}

// The same scene elsewhere in space is the same simulation.
TEST(Layout, AMovedSceneIsTheSame) {
  Exec ex;
  const auto hash = [&](const std::string& place, const std::string& x, const std::string& ball) {
    auto simulation =
        simulation_of<2>(ex, "solver = \"smoke\"\ndimension = 2\n[domain]\n" + place +
                                 "\n[grid]\nresolution = 32\n[smoke]\ninitial_density = \"" + x +
                                 " * y\"\n[[source]]\nshape = { sphere = { center = " + ball +
                                 ", radius = 0.1 } }\ntemperature = 400\n[[solid]]\nshape = { sphere = { "
                                 "center = " +
                                 ball + ", radius = 0.05 } }\n");
    next_frame(ex, simulation);
    return next_frame(ex, simulation).state_hash;
  };
  EXPECT_EQ(hash("min = [0, 0]\nmax = [1, 1]", "x", "[0.5, 0.25]"),
            hash("min = [2, 0]\nmax = [3, 1]", "(x - 2)", "[2.5, 0.25]"));
}

// Each rate fades its own quantity: dq/dt = -rate (q - background).
TEST(Dissipation, HasARateForEachQuantity) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
buoyancy_temperature = 0
initial_density = 2
initial_temperature = 400
density_dissipation = 3
temperature_dissipation = 1
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 12; ++frame) s = next_frame(ex, simulation);
  EXPECT_NEAR(simulation.state().density.get({16, 16}), 2 * std::exp(-1.5), 1e-5);
  EXPECT_NEAR(simulation.state().temperature.get({16, 16}), 300 + 100 * std::exp(-0.5), 1e-3);
}

// Each coefficient spreads its own quantity, on every scheme: waves of a closed box fade at κ k².
TEST(Diffusion, HasACoefficientForEachQuantity) {
  Exec ex;
  for (const char* scheme : {"implicit", "crank_nicolson", "explicit"}) {
    auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
[time]
max_step = 0.002
[domain]
max = [1, 1]
sides = { default = "periodic" }
[grid]
resolution = 32
[smoke]
sparse = false
buoyancy_temperature = 0
initial_density = "2 + cos(6.283185307 * x)"
initial_temperature = "300 + 10 * cos(6.283185307 * x)"
initial_velocity = [0, "0.001 * cos(6.283185307 * x)"]
density_diffusion = 0.1
heat_diffusion = 0.2
viscosity = 0.05
diffusion = ")toml" + std::string(scheme) + "\"\n");
    for (int frame = 0; frame < 6; ++frame) next_frame(ex, simulation);
    const auto faded = [](double coefficient) { return std::exp(-coefficient * 4 * M_PI * M_PI * 6 / 24); };
    const double start = std::cos(M_PI / 32);
    const auto& s = simulation.state();
    EXPECT_NEAR((s.density.get({0, 3}) - 2) / start, faded(0.1), 0.025 * faded(0.1)) << scheme;
    EXPECT_NEAR((s.temperature.get({0, 3}) - 300) / (10 * start), faded(0.2), 0.025 * faded(0.2)) << scheme;
    EXPECT_NEAR(s.velocity[1].get({0, 3}) / (0.001 * start), faded(0.05), 0.025 * faded(0.05)) << scheme;
  }
}

// What takes too many parts of a step stops the run.
TEST(Diffusion, TooMuchForExplicitStepsIsTold) {
  Exec ex;
  auto simulation =
      simulation_of<2>(ex, box_of_air<2>() +
                               "[smoke]\nsparse = false\nviscosity = 10000\ndiffusion = \"explicit\"\n"
                               "initial_velocity = [\"sin(6 * y)\", 0]\n");
  const auto frame = simulation.advance(ex, {});
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::diverged);
  EXPECT_NE(frame.error().message.find("smoke.diffusion"), std::string::npos) << frame.error().message;
}

// The wind comes in by one open side and goes out by the other.
TEST(Wind, BlowsThroughOpenSides) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + "[smoke]\nsparse = false\nwind = [3, 1]\n");
  for (int frame = 0; frame < 12; ++frame) next_frame(ex, simulation);
  for (const Coord<2> c : {Coord<2>{0, 0}, Coord<2>{16, 5}, Coord<2>{31, 31}}) {
    EXPECT_NEAR(simulation.state().velocity[0].get(c), 3, 1e-4) << c;
    EXPECT_NEAR(simulation.state().velocity[1].get(c), 1, 1e-4) << c;
  }
}

// A puff that drifts out by an open or a sucking side is gone, and its amount is in the ledger.
TEST(Outflow, TakesThePuffWithIt) {
  Exec ex;
  for (const std::string side : {"open", "inflow"}) {
    auto simulation = simulation_of<2>(
        ex,
        "solver = \"smoke\"\ndimension = 2\n[domain]\nmax = [1, 1]\nsides = { default = \"wall\", left = "
        "\"inflow\", right = \"" +
            side + "\" }\ninflow_velocity = { left = [1, 0]" + (side == "inflow" ? ", right = [1, 0]" : "") +
            " }\n[grid]\nresolution = 64\n[smoke]\nsparse = false\ninitial_velocity = [1, 0]\n"
            "initial_density = \"exp(-200 * ((x - 0.5)^2 + (y - 0.5)^2))\"\n");
    const double whole = M_PI / 200;
    FrameStatistics s;
    for (int frame = 0; frame < 12; ++frame) s = next_frame(ex, simulation);  // its middle is at the side
    EXPECT_NEAR(s.mass[0].second, whole / 2, 0.08 * whole) << side;
    EXPECT_NEAR(s.mass[0].second + s.drained, whole, 0.01 * whole) << side;
    EXPECT_LT(std::abs(s.corrected), 0.08 * whole) << side;
    for (int frame = 0; frame < 12; ++frame) s = next_frame(ex, simulation);
    EXPECT_LT(s.mass[0].second, 0.01 * whole) << side;
  }
}

TEST(Solve, ThatCannotEndWellIsToldPlainly) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
[domain]
max = [1, 1]
sides = { left = "inflow", default = "wall" }
inflow_velocity = { left = [1, 0] }
[grid]
resolution = 32
[smoke]
sparse = false
)toml");
  const Result<FrameStatistics> s = simulation.advance(ex, {});
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, ErrorCode::diverged);
  EXPECT_NE(s.error().message.find("more air comes in than goes out"), std::string::npos)
      << s.error().message;
}

// Fast sources that start later do not trip over a tolerance that nobody asked for.
TEST(Tolerance, OfItsOwnAccordFollowsTheSpeed) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.1 } }
density = 1
velocity = ["0 * x", "300 + 0 * y"]
start = 0.05
)toml");
  for (int frame = 0; frame < 2; ++frame) {
    const FrameStatistics s = next_frame(ex, simulation);
    EXPECT_LE(s.max_divergence, s.pressure_tolerance);
  }
}

// Whatever the flow does, the books balance: what came in is there, or has left, or has faded.
TEST(Ledger, Balances) {
  Exec ex;
  for (const std::string limiter : {"clamp", "revert"}) {
    auto simulation = simulation_of<3>(ex, box_of_air<3>() + R"toml(
[[source]]
shape = { sphere = { center = [0.5, 0.3, 0.5], radius = 0.12 } }
density_rate = 10
temperature = 450
velocity = ["0.3 * sin(9 * t)", 1, 0]
[[solid]]
shape = { sphere = { center = [0.5, 0.7, 0.45], radius = 0.1 } }
)toml",
                                       {"smoke.limiter=" + limiter});
    FrameStatistics s;
    for (int frame = 0; frame < 40; ++frame) s = next_frame(ex, simulation);
    EXPECT_GT(s.drained, 0.2 * s.injected);
    EXPECT_NE(s.corrected, 0);
    EXPECT_NEAR(s.mass[0].second, s.injected - s.drained, 2e-3 * s.injected) << limiter;
  }
}

// What fades is in the books, too.
TEST(Ledger, BalancesWhereSmokeFades) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
density_dissipation = 3
density_diffusion = 0.001
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.12 } }
density_rate = 10
)toml");
  FrameStatistics s;
  for (int frame = 0; frame < 12; ++frame) s = next_frame(ex, simulation);
  EXPECT_GT(s.drained, 0.4 * s.injected);
  EXPECT_NEAR(s.mass[0].second, s.injected - s.drained, 1e-3 * s.injected);
}

TEST(Inflow, BlowsAsTheSceneSays) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, R"toml(
solver = "smoke"
dimension = 2
[domain]
max = [1, 1]
sides = { left = "inflow", right = "open", default = "wall" }
inflow_velocity = { left = [{ keys = [[0, 1], [1, 3]] }, 0] }
[grid]
resolution = 32
[smoke]
sparse = false
)toml");
  next_frame(ex, simulation);
  for (int k = 0; k < 11; ++k) next_frame(ex, simulation);  // t = 0.5; the last step began a little before
  EXPECT_NEAR(simulation.state().velocity[0].get({0, 16}), 2.f, 0.1);
  EXPECT_NEAR(simulation.state().velocity[0].get({31, 16}), 2.f, 0.1);  // what comes in goes out
}

// A quarter turn about z in one second, as seen from a grid that begins at (-1, 0, 0).
TEST(Motion, OfASolidIsRigid) {
  SolidConfig<3> config;
  config.shape = SphereShape<3>{{1, 0, 0}, 0.25};
  config.motion.keys = {{0, {}, {}}, {1, {0, 0, 2}, {0, 0, 90}}};
  EXPECT_TRUE(shape_at(config, 1).contains({0, 1, 2}));
  EXPECT_FALSE(shape_at(config, 1).contains({1, 0, 0}));
  const double dt = 1e-4;
  const Solid<3> solid = solid_over<3>(config, 0.5, dt, {-1, 0, 0});
  const double s = std::sqrt(0.5);
  EXPECT_TRUE(solid.shape.contains({1 + s, s, 1}));
  const Vec<double, 3> u = solid.velocity.at({1 + s, s, 1});  // ω = π/2
  EXPECT_NEAR(u[0], -M_PI / 2 * s, 1e-3);
  EXPECT_NEAR(u[1], M_PI / 2 * s, 1e-3);
  EXPECT_NEAR(u[2], 2, 1e-9);
  EXPECT_TRUE(shape_at(config, 7).contains({0, 1, 2}));  // stays where the last key put it
}

// Round and round about one axis, however often; about several, the shortest way.
TEST(Motion, GoesRoundMoreThanOnce) {
  SolidConfig<3> config;
  config.shape = SphereShape<3>{{1, 0, 0}, 0.25};
  config.motion.keys = {{0, {}, {}}, {1, {}, {0, 0, 720}}};
  EXPECT_TRUE(shape_at(config, 0.125).contains({0, 1, 0}));
  EXPECT_TRUE(shape_at(config, 0.25).contains({-1, 0, 0}));
  EXPECT_TRUE(shape_at(config, 0.5).contains({1, 0, 0}));
  const Solid<3> solid = solid_over<3>(config, 0.1, 0.01, {});
  EXPECT_NEAR(length(solid.velocity.at({0, 2, 0})), 2 * 4 * M_PI, 1e-6);
  config.motion.keys = {{0, {}, {}}, {1, {}, {90, 90, 0}}};
  const Vec<double, 3> axis = turn_between({}, quaternion<3>(Angles<3>{90, 90, 0}));
  EXPECT_NEAR(length(solid_over<3>(config, 0.3, 0.1, {}).velocity.at(axis)), 0, 1e-12);
}

// The velocity is that of the body's points, and without divergence, for it is rigid.
TEST(Motion, HasTheVelocityOfItsPoints) {
  SolidConfig<3> config;
  config.shape = SphereShape<3>{{1, 0, 0}, 0.25};
  config.motion.keys = {{0, {0.5, 0, 0}, {10, 20, 30}}, {1, {1, 2, 0}, {50, -40, 100}}};
  const double dt = 1e-5;
  const Solid<3> solid = solid_over<3>(config, 0.4, dt, {});
  // The ball's centre, found by its own pose before and after.
  const auto centre = [&](const Shape<3>& shape) {
    const Bounds<3> b = shape.bounds();
    return (b.lo + b.hi) * 0.5;
  };
  const Vec<double, 3> from = centre(solid.before), to = centre(solid.shape);
  EXPECT_NEAR(length(solid.velocity.at(to) - (to - from) * (1 / dt)), 0, 1e-3);
  double divergence = 0;
  for (int a = 0; a < 3; ++a) divergence += solid.velocity.gradient[std::size_t(a)][a];
  EXPECT_EQ(divergence, 0);
}

// A piston in a closed box cannot squeeze the air: the run goes on, and says what volume it gave up.
TEST(Motion, OfAPistonIsPaidForInVolume) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, closed_box() + R"toml(
[smoke]
sparse = false
[[solid]]
shape = { box = { min = [-1, -1], max = [0.2, 2] } }
motion = { keys = [{ t = 0 }, { t = 1, translate = [0.3, 0] }] }
)toml");
  double given_up = 0;
  for (int frame = 0; frame < 6; ++frame) {
    const FrameStatistics s = next_frame(ex, simulation);
    given_up += s.given_up;
    EXPECT_LE(s.max_divergence, s.pressure_tolerance);
  }
  EXPECT_NEAR(given_up, 0.3 * 6 / 24., 1e-3);  // the piston's face is one metre, and 0.3 m/s fast
}

// However fast a ball, it crosses a few cells a step.
TEST(Motion, OfASolidLimitsTheStep) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
[[solid]]
shape = { sphere = { center = [0.2, 0.5], radius = 0.1 } }
motion = { keys = [{ t = 0 }, { t = 0.1, translate = [0.6, 0] }] }
)toml");
  EXPECT_GE(next_frame(ex, simulation).substeps, int(6 / 24. * 32 / 3));
}

// A paddle that crosses a box drags the air along, and the air passes round it.
TEST(Motion, OfASolidMovesTheAir) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
[[solid]]
shape = { box = { min = [0.2, 0.4], max = [0.3, 0.6] } }
motion = { keys = [{ t = 0 }, { t = 1, translate = [0.5, 0] }] }
)toml");
  for (int frame = 0; frame < 6; ++frame) {
    const FrameStatistics s = next_frame(ex, simulation);
    EXPECT_LE(s.max_divergence, 1e-3);
  }
  const auto& u = simulation.state().velocity;
  const auto at = [](double x, double y) { return Coord<2>{int(x * 32), int(y * 32)}; };
  EXPECT_NEAR(u[0].get(at(0.35, 0.5)), 0.5f, 1e-4);  // behind its surface
  EXPECT_GT(u[0].get(at(0.5, 0.5)), 0.1f);           // pushed ahead of it
  EXPECT_GT(u[0].get(at(0.25, 0.5)), 0.1f);          // drawn behind it
}

// However short the steps, in which its way would be ever faster.
TEST(Motion, InJumpsDrivesNoAir) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + R"toml(
[smoke]
sparse = false
[[solid]]
shape = { sphere = { center = [0.3, 0.5], radius = 0.1 } }
motion = { keys = [{ t = 0 }, { t = 0.06, translate = [0.4, 0], rotate_deg = 30 }], interp = "step" }
)toml");
  for (int frame = 0; frame < 3; ++frame) {
    const FrameStatistics s = next_frame(ex, simulation);
    EXPECT_EQ(s.substeps, 1);
    EXPECT_EQ(s.max_speed, 0);
  }
  EXPECT_TRUE(simulation.solids()[0].contains({0.41, 0.583}));
}

TEST(Tolerance, IsKeptOrRefused) {
  Exec ex;
  const std::string text = box_of_air<2>() + R"toml(
[[source]]
shape = { sphere = { center = [0.5, 0.25], radius = 0.1 } }
density = 1
temperature = 400
velocity = [0, 3]
)toml";
  for (const double tolerance : {1e-1, 1e-3, 1e-4}) {
    auto simulation = simulation_of<2>(ex, text, {"smoke.pressure_tolerance=" + std::to_string(tolerance)});
    for (int frame = 0; frame < 8; ++frame)
      EXPECT_LE(next_frame(ex, simulation).pressure_residual, tolerance);
  }
  // ε · 3 m/s / (1/32 m) = 1.14e-5.
  const std::string refused = error_of(text, {"smoke.pressure_tolerance=1e-5"});
  EXPECT_NE(refused.find("smoke.pressure_tolerance: found 1e-05 1/s"), std::string::npos) << refused;
  EXPECT_NE(refused.find("1.14e-05 1/s"), std::string::npos) << refused;
}

}  // namespace
}  // namespace whorl
