// Air that sources blow in or suck away.
#include "sim_case.h"

#include <cmath>

namespace whorl {
namespace {

// A box open at the top alone, one metre a side.
template <int D>
std::string open_topped_box() {
  return std::string("solver = \"smoke\"\ndimension = ") + (D == 2 ? "2" : "3") +
         "\n[domain]\nmax = " + (D == 2 ? "[1, 1]" : "[1, 1, 1]") +
         "\nsides = { default = \"wall\", top = \"open\" }\n[grid]\nresolution = 32\n"
         "[smoke]\nsparse = false\n";
}

// What goes up through the plane of low faces at a height, in m³/s.
template <int D>
double flux_through(const SmokeSimulation<D>& simulation, int layer) {
  Box<D> plane{{}, Coord<D>::filled(32)};
  plane.lo[1] = layer, plane.hi[1] = layer + 1;
  double sum = 0;
  for_each_coord(plane, [&](const Coord<D>& c) { sum += double(simulation.state().velocity[1].get(c)); });
  return sum * std::pow(1 / 32., D - 1);
}

TEST(Vent, InTheFloorBlowsItsAreaTimesItsVelocity) {
  Exec ex;
  auto plane = simulation_of<2>(ex, open_topped_box<2>() + R"toml(
[[source]]
shape = { box = { min = [0.3, 0], max = [0.55, 0.04] } }
vent = [0.7, 2]
)toml");
  auto space = simulation_of<3>(ex, open_topped_box<3>() + R"toml(
[[source]]
shape = { box = { min = [0.3, 0, 0.4], max = [0.55, 0.04, 0.7] } }
vent = [0.7, 2, 0]
)toml");
  for (int frame = 0; frame < 2; ++frame) {
    next_frame(ex, plane);
    next_frame(ex, space);
    for (const int layer : {2, 12, 32}) {
      EXPECT_NEAR(flux_through(plane, layer), 2 * 0.25, 0.01 * 2 * 0.25) << layer;
      EXPECT_NEAR(flux_through(space, layer), 2 * 0.25 * 0.3, 0.01 * 2 * 0.25 * 0.3) << layer;
    }
  }
}

// A solid block, its top off the grid's planes; the vent in its lid, and another in one side.
TEST(Vent, InASolidBlowsItsAreaTimesItsVelocity) {
  Exec ex;
  const auto block = [&](const std::string& source) {
    return simulation_of<2>(ex, open_topped_box<2>() + R"toml(
[[solid]]
shape = { box = { min = [0.21, -1], max = [0.79, 0.33] } }
[[source]]
)toml" + source);
  };
  auto lid = block("shape = { box = { min = [0.3, 0.25], max = [0.7, 0.4] } }\nvent = [0.5, 3]\n");
  auto side = block("shape = { box = { min = [0.7, 0.1], max = [0.9, 0.2] } }\nvent = [3, 0.5]\n");
  next_frame(ex, lid);
  next_frame(ex, side);
  EXPECT_NEAR(flux_through(lid, 16), 3 * 0.4, 0.01 * 3 * 0.4);
  EXPECT_NEAR(flux_through(side, 16), 3 * 0.1, 0.01 * 3 * 0.1);
}

// What comes out of a vent is as smoky as the air before it is held, and all of it is in the books.
TEST(Vent, BringsTheSmokeThatItHolds) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, open_topped_box<2>() + R"toml(
[[source]]
shape = { box = { min = [0.3, 0], max = [0.55, 0.0625] } }
vent = [0, 1]
density = 1
)toml");
  FrameStatistics s, first = next_frame(ex, simulation);
  for (int frame = 0; frame < 6; ++frame) s = next_frame(ex, simulation);
  const double blown = 0.25 * 6 / 24;
  EXPECT_NEAR(s.mass[0].second - first.mass[0].second, blown, 0.05 * blown);
  EXPECT_NEAR(s.mass[0].second, s.injected - s.drained, 1e-3 * s.injected);
}

TEST(Expansion, BlowsUpAndSucksAway) {
  Exec ex;
  for (const double rate : {4., -4.}) {
    auto simulation = simulation_of<2>(ex, open_topped_box<2>() + R"toml(
initial_density = 1
[[source]]
shape = { sphere = { center = [0.5, 0.3], radius = 0.16 } }
)toml" + "expansion = " + std::to_string(rate) +
                                               "\n");
    FrameStatistics s;
    for (int frame = 0; frame < 6; ++frame) s = next_frame(ex, simulation);
    const double volume = M_PI * 0.16 * 0.16;
    EXPECT_NEAR(flux_through(simulation, 20), rate * volume, 0.01 * std::abs(rate) * volume);
    EXPECT_LE(s.max_divergence, s.pressure_tolerance);
    EXPECT_NEAR(s.mass[0].second, 1 + s.injected - s.drained, 2e-3);
    EXPECT_GT(rate < 0 ? s.drained : s.injected, 0.8 * 4 * volume * 6 / 24);
  }
}

TEST(Vent, WithNoWayOutIsToldPlainly) {
  Exec ex;
  for (const std::string blown : {"vent = [0, 1]", "expansion = -1"}) {
    auto simulation = simulation_of<2>(ex, closed_box() + R"toml(
[smoke]
sparse = false
[[source]]
shape = { box = { min = [0.3, 0], max = [0.55, 0.1] } }
)toml" + blown + "\n");
    const Result<FrameStatistics> s = simulation.advance(ex, {});
    ASSERT_FALSE(s) << blown;
    EXPECT_EQ(s.error().code, ErrorCode::diverged);
    EXPECT_NE(s.error().message.find("what sources blow in or take away cannot leave"), std::string::npos)
        << s.error().message;
    EXPECT_NE(s.error().message.find("make one open"), std::string::npos);
  }
}

}  // namespace
}  // namespace whorl
