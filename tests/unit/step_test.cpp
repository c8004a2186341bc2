// A step of smoke takes its stages, each with what it needs.
#include "base/rng.h"
#include "solvers/smoke.h"
#include "stages/box_cells.h"
#include "stages/confine.h"
#include "stages/conserve.h"
#include "stages/measure.h"
#include "stages/sides.h"
#include "unit/stages_case.h"
#include "verify/smoke_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

template <class T>
class Step : public Stages<T> {};
TYPED_TEST_SUITE(Step, Dimensions);

// The largest of some errors; one that is not a number is the largest.
struct Worst {
  double error = 0;

  void see(double found, double expected) {
    const double e = std::abs(found - expected);
    if (!(e <= error) && !std::isnan(error)) error = e;
  }
};

template <int D>
SmokeParams<D> weightless_params() {
  SmokeParams<D> p;
  p.sparse = false;
  p.buoyancy.gravity = {};
  return p;
}

// Air that turns about the middle of a box of `side` cells.
template <int D>
SmokeState<D> swirling(Exec& ex, int side, Side sides, double radius) {
  const auto domain = box_domain<D>({{}, Coord<D>::filled(side)}, sides);
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, domain));
  const Vec<double, D> middle = Vec<double, D>::filled(side / 2.);
  fill_smoke<D>(
      s, [](const auto&) { return 0.; },
      [&](const auto& x, int a) { return swirl<D>(x, a, middle, radius, 1.); });
  enforce_sides(ex, s.velocity, {});
  return s;
}

// A swirl gains what the force alone gives it: nothing that turns is lost to the projection.
TYPED_TEST(Step, FeedsSwirls) {
  constexpr int D = TestFixture::dimension;
  const double strength = 0.2, dt = 0.5;
  const auto after_a_step = [&](double confinement) {
    SmokeParams<D> p = weightless_params<D>();
    p.vorticity_confinement = confinement;
    SmokeState<D> s = swirling<D>(this->ex, 32, Side::open, 4);
    EXPECT_TRUE(step(this->ex, s, p, dt).pressure.converged);
    return s;
  };
  SmokeState<D> s = after_a_step(0);
  const double without = kinetic_energy(this->ex, s.velocity, 1.);
  confine_vorticity(this->ex, s.velocity, strength, 1., dt);
  const double gain = kinetic_energy(this->ex, s.velocity, 1.) - without;
  const double gained = kinetic_energy(this->ex, after_a_step(strength).velocity, 1.) - without;
  EXPECT_GT(gain, 0.01 * without);
  EXPECT_NEAR(gained, gain, 0.01 * gain);
}

// Heat that is stirred in a closed box is all there afterwards.
TYPED_TEST(Step, KeepsHeat) {
  constexpr int D = TestFixture::dimension;
  SmokeState<D> s = swirling<D>(this->ex, 24, Side::wall, 4);
  Vec<double, D> beside = Vec<double, D>::filled(12);
  beside[0] = 16;
  for_active_cells(*s.topology(), [&](const Coord<D>& c) {
    s.temperature.set(c, float(300 + 200 * blob<D>(sample_place(c, at_centres, 1.), beside, 1.5)));
  });
  const double heat = amount(this->ex, s.temperature);
  for (int k = 0; k < 10; ++k) {
    EXPECT_TRUE(step(this->ex, s, weightless_params<D>(), 0.5).pressure.converged);
    EXPECT_NEAR(amount(this->ex, s.temperature), heat, 1e-5 * heat);
  }
}

template <int D>
Solid<D> ball(double x, double radius, double speed, double dt) {
  Vec<double, D> from = Vec<double, D>::filled(16.2);
  from[0] = x;
  Solid<D> solid;
  solid.before = SphereShape<D>{from, radius};
  solid.shape = SphereShape<D>{from + Vec<double, D>::unit(0, speed * dt), radius};
  solid.velocity.at_origin = Vec<double, D>::unit(0, speed);
  return solid;
}

// The open parts of faces where the solids are after a step.
template <int D>
MacField<float, D> open_after(Exec& ex, const TopologyPtr<D>& topology, const SmokeParams<D>& p) {
  return cut_faces<D>(ex, topology, p.solids, &Solid<D>::shape, p.h, p.walls).open;
}

// No face of the cell lets anything through.
template <int D>
bool is_closed(const MacField<float, D>& open, const Coord<D>& cell) {
  for (int a = 0; a < D; ++a)
    for (const int high : {0, 1})
      if (open[a].get(cell + Coord<D>::unit(a, high)) > 0) return false;
  return true;
}

// In a wind of five cells a step a small source draws a streak without beads, by advection and emission
// together.
TYPED_TEST(Step, AWindDrawsAnEvenStreak) {
  constexpr int D = TestFixture::dimension;
  Box<D> box{{}, Coord<D>::filled(16)};
  box.hi[0] = 48;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>(box, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, 5.f));
  SmokeParams<D> p = weightless_params<D>();
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(8.2), 1.5};
  source.cells = cells_round(source.shape.bounds(), 1);
  source.emissions = {{0, 4.f}};
  p.sources = {source};
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(step(this->ex, s, p, 1.).pressure.converged);
  const auto along = [&](int x) {
    Coord<D> c = Coord<D>::filled(8);
    c[0] = x;
    return double(s.density.get(c));
  };
  const double middle = along(24);
  EXPECT_NEAR(middle, 4 * 3 / 5., 0.2 * 4 * 3 / 5.);  // what the air got while it crossed three cells
  for (int x = 11; x <= 36; ++x) EXPECT_NEAR(along(x), middle, 0.05 * middle) << x;
  EXPECT_NEAR(s.injected, integral(this->ex, s.density, 1.), 1e-3 * s.injected);
}

// Nothing is lost of a streak that leads through a periodic side.
TYPED_TEST(Step, AStreakGoesOnBeyondAPeriodicSide) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::periodic));
  for (const float wind : {5.f, -5.f}) {
    SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, wind));
    SmokeParams<D> p = weightless_params<D>();
    SmokeSource<D> source;
    Vec<double, D> centre = Vec<double, D>::filled(16);
    centre[0] = wind > 0 ? 29 : 3;
    source.shape = SphereShape<D>{centre, 2};
    source.cells = cells_round(source.shape.bounds(), 1).intersect(topology->domain().cells);
    source.emissions = {{0, 4.f}};
    p.sources = {source};
    SmokeState<D> calm = make_smoke<D>(this->ex, topology);
    for (int k = 0; k < 3; ++k) {
      (void)step(this->ex, s, p, 1.);
      (void)step(this->ex, calm, p, 1.);
    }
    EXPECT_NEAR(s.injected, calm.injected, 0.03 * calm.injected) << wind;
    EXPECT_NEAR(integral(this->ex, s.density, 1.), s.injected, 1e-3 * s.injected) << wind;
  }
}

// A closed box gives up what a source blows into it in the first half of a step, whose second half is taken
// in two goes, for the air is fast: on average over the step, half of it.
TYPED_TEST(Step, GivesUpTheMeanOverItsParts) {
  constexpr int D = TestFixture::dimension;
  SmokeState<D> s = swirling<D>(this->ex, 24, Side::wall, 4);
  SmokeParams<D> p = weightless_params<D>();
  p.energy = EnergyScheme::reflection;
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(12), 8};
  source.cells = cells_round(source.shape.bounds(), 1);
  source.expansion = 8;
  source.end = 0.5;
  p.sources = {source};
  const double blown = 8 * (D == 2 ? M_PI * 64 : 4 * M_PI / 3 * 512);
  EXPECT_NEAR(step(this->ex, s, p, 1.).pressure.imbalance_total, 0.5 * blown, 0.02 * blown);
}

// A wall of hot smoke that the wind blows at a ball is before it, and not in it.
TYPED_TEST(Step, BlowsNoSmokeIntoABall) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, 1.f));
  for_active_cells(*topology, [&](const Coord<D>& c) {
    if (c[0] >= 11) return;
    s.density.set(c, 1.f);
    s.temperature.set(c, 400.f);
  });
  SmokeParams<D> p = weightless_params<D>();
  p.solids = {ball<D>(16.2, 5, 0, 1)};
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(step(this->ex, s, p, 1.).pressure.converged);
  const Shape<D>& shape = p.solids[0].shape;
  const MacField<float, D> open = open_after(this->ex, topology, p);
  Worst smoke, heat;
  double before = 0;
  int closed = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    if (is_closed(open, c)) {
      ++closed;
      smoke.see(s.density.get(c), 0);
      heat.see(s.temperature.get(c), 300);
    } else if (shape.distance(sample_place(c, at_centres, 1.)) < 1) {
      before = std::max(before, double(s.density.get(c)));
    }
  });
  EXPECT_GT(closed, 40);
  EXPECT_EQ(smoke.error, 0.);
  EXPECT_EQ(heat.error, 0.);
  EXPECT_GT(before, 0.5);
}

// A wind with a swirl and a puff of hot smoke, close above a floor that is the low side of the domain or a
// solid in it.
template <int D>
SmokeState<D> above_a_floor(Exec& ex, bool solid, AdvectionScheme scheme) {
  const int floor = 8;
  Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::open);
  SmokeParams<D> p;
  p.sparse = false;
  p.advection.scheme = scheme;
  p.projection.solve.relative = 1e-8;
  if (solid) {
    const Shape<D> ground = PlaneShape<D>{Vec<double, D>::unit(1, floor)};
    p.solids = {{ground, ground, {}}};
  } else {
    domain.cells.lo[1] = floor;
    domain.sides[1][0] = Side::wall;
  }
  const Vec<float, D> wind = Vec<float, D>::unit(0, 0.5f);
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, domain), wind);
  Vec<double, D> middle = Vec<double, D>::filled(16);
  middle[1] = floor + 4;
  fill_smoke<D>(
      s, [&](const auto& x) { return x[1] > floor ? blob<D>(x, middle, 3) : 0; },
      [&](const auto& x, int a) { return x[1] > floor ? wind[a] + swirl<D>(x, a, middle, 4, 1.) : 0; });
  for_active_cells(*s.topology(),
                   [&](const Coord<D>& c) { s.temperature.set(c, 300 + 100 * s.density.get(c)); });
  fit_to_solids(ex, s, p);
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(step(ex, s, p, 0.5).pressure.converged);
  return s;
}

// Air slips along a solid, and smoke stays before it, as at a side of the domain. MacCormack's way back reads
// what the flow brought behind a solid, but the last value before a side: there they differ a little.
TYPED_TEST(Step, SolidsAreAsSmoothAsSides) {
  constexpr int D = TestFixture::dimension;
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
    const SmokeState<D> side = above_a_floor<D>(this->ex, false, scheme),
                        solid = above_a_floor<D>(this->ex, true, scheme);
    Worst smoke, heat, air;
    for_active_cells(*side.topology(), [&](const Coord<D>& c) {
      smoke.see(solid.density.get(c), side.density.get(c));
      heat.see(solid.temperature.get(c), side.temperature.get(c));
      for (int a = 0; a < D; ++a) air.see(solid.velocity[a].get(c), side.velocity[a].get(c));
    });
    const double most = scheme == AdvectionScheme::semi_lagrangian ? 2e-6 : 5e-3;
    EXPECT_LE(smoke.error, most);
    EXPECT_LE(heat.error, 100 * most);
    EXPECT_LE(air.error, most);
  }
}

// Stones that touch leave slivers of faces open between them, through which little flows, fast. That is a
// flux, and must not come back as a velocity, growing from step to step.
TYPED_TEST(Step, SliversDoNotBlowUp) {
  constexpr int D = TestFixture::dimension;
  SmokeParams<D> p = weightless_params<D>();
  for (std::uint64_t k = 0; k < (D == 2 ? 30 : 60); ++k) {
    Vec<double, D> at;
    for (int a = 0; a < D; ++a) at[a] = double(Rng(11, k, std::uint64_t(a)).uniform(6, 26));
    const Shape<D> stone = SphereShape<D>{at, double(Rng(12, k).uniform(1.2f, 3.5f))};
    p.solids.push_back({stone, stone, {}});
  }
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, 1.f));
  fit_to_solids(this->ex, s, p);
  for (int k = 0; k < 60; ++k) EXPECT_TRUE(step(this->ex, s, p, 1.).pressure.converged);
  EXPECT_LE(max_component(this->ex, s.velocity), 4.);
}

// Where a ball has been, there is afterwards what was round it.
TYPED_TEST(Step, ABallLeavesNoHoleBehind) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology);
  s.density.fill(this->ex, 1);
  s.temperature.fill(this->ex, 400);
  SmokeParams<D> p = weightless_params<D>();
  const double dt = 0.75, speed = 2;
  for (int k = 0; k < 6; ++k) {
    p.solids = {ball<D>(11.2 + k * speed * dt, 4, speed, dt)};
    if (k == 0) fit_to_solids(this->ex, s, p);
    EXPECT_TRUE(step(this->ex, s, p, dt).pressure.converged);
    const MacField<float, D> open = open_after(this->ex, topology, p);
    Worst smoke, heat;  // where no clear air has come yet by the sides
    for_each_coord(Box<D>{Coord<D>::filled(5), Coord<D>::filled(27)}, [&](const Coord<D>& c) {
      const bool closed = is_closed(open, c);
      smoke.see(s.density.get(c), closed ? 0 : 1);
      heat.see(s.temperature.get(c), closed ? 300 : 400);
    });
    EXPECT_LE(smoke.error, 1e-5) << "after step " << k;
    EXPECT_LE(heat.error, 1e-3) << "after step " << k;
  }
}

// Carrying air that became a thousand times too fast would take as many parts of one step.
TYPED_TEST(Step, AirThatRunsAwayEndsAReflectedStepEarly) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  SmokeParams<D> p;
  p.energy = EnergyScheme::reflection;
  for (const float hot : {310.f, 1e9f}) {
    SmokeState<D> s = make_smoke<D>(this->ex, topology);
    s.temperature.set(Coord<D>::filled(8), hot);
    const StepReport report = step(this->ex, s, p, 0.5);
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.whole, hot < 1000);
    EXPECT_EQ(s.time, report.whole ? 0.5 : 0.25);
  }
}

}  // namespace
}  // namespace whorl
