// The same bits on 1, 2 and 7 threads and on every backend, on a topology that changes; and a state that is
// saved, loaded and stepped is the state that was stepped.
#include "grid/archive.h"
#include "stages/measure.h"
#include "verify/smoke_case.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

// Smoke that burns.
template <int D>
SmokeState<D> start(Exec& ex) {
  Vec<float, D> wind{};
  wind[0] = 1;
  const auto topology = Topology<D>::of_box(ex, {}, {Coord<D>::filled(-24), Coord<D>::filled(24)});
  SmokeState<D> s = make_smoke<D>(ex, topology, wind, 300, 2);
  fill_smoke<D>(
      s, [](const auto& x) { return blob<D>(x, {}, 4); },
      [&](const auto& x, int a) { return wind[a] + swirl<D>(x, a, {}, 5, 0.8); });
  for_each_coord(Box<D>{Coord<D>::filled(-6), Coord<D>::filled(6)}, [&](const Coord<D>& c) {
    s.others[fuel_place].set(c, s.density.get(c));
    s.temperature.set(c, 300 + 400 * s.density.get(c));
  });
  return s;
}

template <int D>
SmokeParams<D> params() {
  SmokeParams<D> p;
  p.margin = 4;
  p.projection.solve.relative = 1e-5;
  p.buoyancy.expansion = 1e-5f;
  p.quantities = {{.name = "fuel"}, {.name = "flame", .dissipation = 0.1, .thins = false}};
  p.fire = CombustionParams{.burn_rate = 0.05f, .heat_release = 400, .cooling = 10};
  return p;
}

template <int D>
SmokeParams<D> by_maps() {
  SmokeParams<D> p = params<D>();
  p.advection.scheme = AdvectionScheme::bimocq;
  return p;
}

template <int D>
void advance(Exec& ex, SmokeState<D>& s, int steps, int* changes = nullptr,
             const SmokeParams<D>& p = params<D>()) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(ex, s, p, step_length(ex, s, p, {.cfl = 3, .longest = 1e9}));
    EXPECT_TRUE(report.pressure.converged);
    if (changes) *changes += report.retiled;
  }
}

template <int D>
void expect_same_bits(const SmokeParams<D>& p = params<D>()) {
  std::uint64_t expected = 0;
  for (const Backend backend : built_backends())
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads, .backend = backend});
      SmokeState<D> s = start<D>(ex);
      int changes = 0;
      advance(ex, s, 20, &changes, p);
      const std::uint64_t hash = state_hash(ex, s);
      std::printf("D = %d, %s, %d threads: %016llx, %d topology changes\n", D, to_string(backend), threads,
                  static_cast<unsigned long long>(hash), changes);
      EXPECT_GT(changes, 3);
      if (expected == 0) expected = hash;
      EXPECT_EQ(hash, expected) << to_string(backend) << " with " << threads << " threads";
    }
}

// Every way to carry things, with a wall of one moving solid in the way.
struct Scheme {
  const char* name;
  AdvectionParams advection;
  EnergyScheme energy;
};
const Scheme schemes[] = {
    {"semi_lagrangian", {.scheme = AdvectionScheme::semi_lagrangian}, EnergyScheme::none},
    {"maccormack", {.limiter = Limiter::revert}, EnergyScheme::none},
    {"bfecc", {.scheme = AdvectionScheme::bfecc}, EnergyScheme::none},
    {"cubic", {.interpolation = Interpolation::monotone_cubic, .trace_order = 3}, EnergyScheme::none},
    {"reflection", {}, EnergyScheme::reflection},
    {"ivock", {}, EnergyScheme::ivock},
    {"bimocq", {.scheme = AdvectionScheme::bimocq}, EnergyScheme::none},
    {"bfecc_reflection",
     {.scheme = AdvectionScheme::bfecc, .limiter = Limiter::none},
     EnergyScheme::reflection},
};

template <int D>
Solid<D> moving_ball() {
  const auto at = [](double x) { return SphereShape<D>{Vec<double, D>::unit(0, x), 3.2}; };
  Solid<D> ball{at(9), at(8), {}, at(8.5)};
  ball.velocity.at_origin = Vec<double, D>::unit(0, -0.4);
  return ball;
}

template <int D>
void expect_same_bits_of_every_scheme() {
  for (const Scheme& scheme : schemes) {
    SmokeParams<D> p = params<D>();
    p.advection = scheme.advection;
    p.energy = scheme.energy;
    p.solids = {moving_ball<D>()};
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 7}) {
      Exec ex({.threads = threads});
      SmokeState<D> s = start<D>(ex);
      fit_to_solids(ex, s, p);
      advance(ex, s, 4, nullptr, p);
      const std::uint64_t hash = state_hash(ex, s);
      if (expected == 0) expected = hash;
      EXPECT_EQ(hash, expected) << scheme.name << " with " << threads << " threads";
    }
  }
}
TEST(Determinism, SameBitsOfEveryScheme2D) { expect_same_bits_of_every_scheme<2>(); }
TEST(Determinism, SameBitsOfEveryScheme3D) { expect_same_bits_of_every_scheme<3>(); }

TEST(Determinism, SameBitsOnAnyThreads2D) { expect_same_bits<2>(); }
TEST(Determinism, SameBitsOnAnyThreads3D) { expect_same_bits<3>(); }
TEST(Determinism, SameBitsOnAnyThreadsByMaps2D) { expect_same_bits(by_maps<2>()); }
TEST(Determinism, SameBitsOnAnyThreadsByMaps3D) { expect_same_bits(by_maps<3>()); }

template <int D>
void expect_save_load_step_is_step(const SmokeParams<D>& p = params<D>()) {
  Exec ex;
  SmokeState<D> s = start<D>(ex);
  advance(ex, s, 5, nullptr, p);
  const auto file = std::filesystem::temp_directory_path() /
                    ("whorl_state_" + std::to_string(D) + "_" + std::to_string(::getpid()) + ".bin");
  ASSERT_TRUE(save_state(ex, file, s));
  SmokeState<D> loaded;
  const Result<void> result = load_state(ex, file, loaded);
  std::filesystem::remove(file);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(state_hash(ex, loaded), state_hash(ex, s));
  advance(ex, s, 5, nullptr, p);
  advance(ex, loaded, 5, nullptr, p);
  EXPECT_EQ(state_hash(ex, loaded), state_hash(ex, s));
}

// A closed box of hot air at rest stays at rest: its buoyancy is the gradient of a pressure. A hot blob in it
// rises, and the cold air comes down beside it.
template <int D>
void expect_only_differences_rise() {
  Exec ex;
  SmokeParams<D> p;
  p.sparse = false;
  p.projection.solve.relative = 1e-8;
  const auto domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::wall);
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, domain));
  s.temperature.fill(ex, 400);
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(step(ex, s, p, 0.05).pressure.converged);
  EXPECT_LE(max_component(ex, s.velocity), 1e-6);

  for_each_coord(Box<D>{Coord<D>::filled(6), Coord<D>::filled(10)},
                 [&](const Coord<D>& c) { s.temperature.set(c, 500); });
  EXPECT_TRUE(step(ex, s, p, 0.05).pressure.converged);
  Coord<D> middle = Coord<D>::filled(8), beside = middle;
  beside[0] = 1;
  EXPECT_GT(s.velocity[1].get(middle), 0.01f);
  EXPECT_LT(s.velocity[1].get(beside), -1e-4f);
}
TEST(Step, OnlyDifferencesRise) {
  expect_only_differences_rise<2>();
  expect_only_differences_rise<3>();
}

// The zones of a step are its stages.
TEST(Step, ZonesAreTheStages) {
  Exec ex;
  SmokeState<2> s = start<2>(ex);
  advance(ex, s, 2);
  for (const char* stage :
       {"step", "step/retile", "step/advect", "step/add_buoyancy", "step/enforce_sides", "step/open_fraction",
        "step/project", "step/project/pcg", "step/project/pcg/multigrid"})
    EXPECT_GT(ex.profile().seconds(stage), 0.) << stage;
  EXPECT_LE(ex.profile().seconds("step/advect"), ex.profile().seconds("step"));
}

TEST(Step, AVelocityThatIsNotFiniteStopsIt) {
  Exec ex;
  SmokeState<2> s = start<2>(ex);
  s.velocity[1].set({3, 3}, NAN);
  const std::uint64_t before = state_hash(ex, s);
  EXPECT_TRUE(std::isnan(step_length(ex, s, params<2>(), {.cfl = 3, .longest = 1e9})));
  EXPECT_FALSE(step(ex, s, params<2>(), 0.1).finite);
  EXPECT_EQ(state_hash(ex, s), before);
}

TEST(Determinism, SaveLoadStepIsStep2D) { expect_save_load_step_is_step<2>(); }
TEST(Determinism, SaveLoadStepIsStep3D) { expect_save_load_step_is_step<3>(); }
TEST(Determinism, SaveLoadStepIsStepByMaps2D) { expect_save_load_step_is_step(by_maps<2>()); }
TEST(Determinism, SaveLoadStepIsStepByMaps3D) { expect_save_load_step_is_step(by_maps<3>()); }

}  // namespace
}  // namespace whorl
