// Sub-steps: how long they are, and where they end.
#include "sim/frame_steps.h"
#include "sim_case.h"

#include "stages/measure.h"

#include <cmath>

#include <fmt/format.h>

namespace whorl {
namespace {

template <class T>
class Time : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Time, Dimensions);

// dt (u + √(cfl h a)) = cfl h.
TYPED_TEST(Time, FollowsTheFiveCellRule) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, -2.f));
  s.temperature.set(Coord<D>::filled(5), 390.f);
  SmokeParams<D> p;
  p.h = 0.1;
  const double a = 9.81 * 90 / 300;
  EXPECT_NEAR(step_length(this->ex, s, p, {.cfl = 5, .longest = 1e9}), 0.5 / (2 + std::sqrt(0.5 * a)), 1e-6);
  EXPECT_NEAR(step_length(this->ex, s, p, {.cfl = 2, .longest = 1e9}), 0.2 / (2 + std::sqrt(0.2 * a)), 1e-6);
  EXPECT_EQ(step_length(this->ex, s, p, {.cfl = 5, .longest = 0.01}), 0.01);
  // A shortest step wins over cfl, but not over what a step can carry.
  EXPECT_EQ(step_length(this->ex, s, p, {.cfl = 1, .shortest = 0.3, .longest = 1e9}), 0.3);
  EXPECT_NEAR(step_length(this->ex, s, p, {.cfl = 1, .shortest = 5, .longest = 1e9}),
              0.1 * (max_displacement(p.advection.interpolation) - 0.01) / 2, 1e-6);
  SmokeState<D> rest = make_smoke<D>(this->ex, topology);
  EXPECT_EQ(step_length(this->ex, rest, p, {.cfl = 5, .longest = 0.25}), 0.25);
}

TYPED_TEST(Time, FramesAreHitExactly) {
  constexpr int D = TestFixture::dimension;
  const std::string text = box_of_air<D>() + "[[source]]\nshape = { sphere = { center = " +
                           (D == 2 ? "[0.5, 0.3]" : "[0.5, 0.3, 0.5]") + ", radius = 0.1 } }\n" +
                           "density = 1\nvelocity = " + (D == 2 ? "[0, 7]" : "[0, 7, 0]") + "\n";
  for (const double fps : {24., 30., 23.976}) {
    auto simulation = simulation_of<D>(this->ex, text,
                                       {"time.fps=" + std::to_string(fps), "time.frames=6", "time.cfl=1.5"});
    for (int frame = 1; frame <= 6; ++frame) {
      double last = 0;
      int steps = 0;
      const Result<FrameStatistics> s = simulation.advance(this->ex, [&](const StepProgress& p) {
        EXPECT_EQ(p.frame, frame);
        EXPECT_EQ(p.substep, ++steps);
        EXPECT_GT(p.progress, last);
        last = p.progress;
        return true;
      });
      ASSERT_TRUE(s);
      EXPECT_EQ(s.value().time, frame / fps);
      EXPECT_EQ(s.value().frame, frame);
      EXPECT_EQ(s.value().substeps, steps);
      EXPECT_NEAR(last, 1, 1e-12);
      EXPECT_LE(s.value().dt_max, 1 / fps * (1 + 1e-12));
      EXPECT_LE(s.value().dt_min, s.value().dt_max);
      if (frame > 1) {
        EXPECT_GE(s.value().substeps, int(6 / fps / (1.5 / 32)));
      }
    }
  }
}

TYPED_TEST(Time, LongestAndShortestSteps) {
  constexpr int D = TestFixture::dimension;
  const std::string text = box_of_air<D>() + "[smoke]\nsparse = false\n";
  auto calm = simulation_of<D>(this->ex, text, {"time.max_step=0.01"});
  EXPECT_EQ(next_frame(this->ex, calm).substeps, 5);
  const std::string blow = D == 2 ? "smoke.wind=[6,0]" : "smoke.wind=[6,0,0]";
  auto free = simulation_of<D>(this->ex, text, {blow, "time.cfl=0.5"});
  EXPECT_GE(next_frame(this->ex, free).substeps, 16);
  auto held = simulation_of<D>(this->ex, text, {blow, "time.cfl=0.5", "time.min_step=0.02"});
  EXPECT_EQ(next_frame(this->ex, held).substeps, 3);
}

// Before the source starts there is no grid, but the wind is there.
TYPED_TEST(Time, WindLimitsTheStepOfAnEmptyGrid) {
  constexpr int D = TestFixture::dimension;
  const std::string scene = fmt::format(
      "solver = \"smoke\"\ndimension = {}\n[grid]\ncell_size = 0.05\n[smoke]\nwind = [50, 0{}]\n"
      "[[source]]\nshape = {{ sphere = {{ center = [0, 0{}], radius = 0.1 }} }}\ndensity = 1\n"
      "start = 0.06\n",
      D, D == 2 ? "" : ", 0", D == 2 ? "" : ", 0");
  auto simulation = simulation_of<D>(this->ex, scene, {"time.cfl=3"});
  next_frame(this->ex, simulation);
  EXPECT_EQ(simulation.state().topology()->tile_count(), 0);
  EXPECT_LE(next_frame(this->ex, simulation).dt_max, 3 * 0.05 / 50 * 1.001);
}

// The rule knows of the forces at the start of a step; these come up in it.
TYPED_TEST(Time, AForceBeyondFloatsIsToldOf) {
  constexpr int D = TestFixture::dimension;
  const std::string rest = D == 2 ? "]" : ", 0]";
  const std::string text = box_of_air<D>() + "[[source]]\nshape = { sphere = { center = [0.5, 0.5" +
                           (D == 2 ? "]" : ", 0.5]") + ", radius = 0.2 } }\ntemperature = 1e6\n";
  auto simulation = simulation_of<D>(this->ex, text, {"gravity=[0, -3e38" + rest});
  const Result<FrameStatistics> frame = simulation.advance(this->ex, {});
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::diverged);
  EXPECT_EQ(frame.error().message, "at t = 0 s the velocity is no longer finite");
}

TYPED_TEST(Time, CanBeInterruptedAfterAStep) {
  constexpr int D = TestFixture::dimension;
  auto simulation =
      simulation_of<D>(this->ex, box_of_air<D>() + "[smoke]\nsparse = false\n", {"time.max_step=0.01"});
  int steps = 0;
  const Result<FrameStatistics> s =
      simulation.advance(this->ex, [&](const StepProgress&) { return ++steps < 2; });
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, ErrorCode::interrupted);
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(simulation.frame(), 0);
}

// A step that takes all the time that is left may come out a rounding short of it.
TEST(FrameSteps, EndOnTheFrameToTheBit) {
  FrameStatistics statistics;
  statistics.frame = 7;
  const double fps = 24, until = 7 / fps;
  double time = 6 / fps;
  int steps = 0;
  const auto take_half_then_all = [&](double end) -> Result<double> {
    const double dt = steps++ == 0 ? 0.5 * (end - time) : end - time;
    time = std::nextafter(time + dt, 0.);
    return dt;
  };
  EXPECT_TRUE(take_steps_of_frame(statistics, fps, time, {}, take_half_then_all, [] { return 0; }));
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(time, until);
}

}  // namespace
}  // namespace whorl
