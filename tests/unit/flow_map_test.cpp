// Flow maps: where they lead, what they carry, and what is taken back along them.
#include "stages/flow_map.h"
#include "base/rng.h"
#include "grid/far_brick.h"
#include "grid/field_sampler.h"
#include "solvers/smoke.h"
#include "stages/box_cells.h"
#include "stages/measure.h"
#include "unit/stages_case.h"
#include "verify/smoke_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

template <class T>
class FlowMaps : public Stages<T> {};
TYPED_TEST_SUITE(FlowMaps, Dimensions);

// A brick far from its tile, and partly or wholly beyond the sides, holds what the hash finds.
TYPED_TEST(FlowMaps, FarBricksHoldWhatTheHashFinds) {
  constexpr int D = TestFixture::dimension;
  std::vector<Domain<D>> domains{{}, mixed_domain<D>()};
  domains.push_back(box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(16)}, Side::periodic));
  for (const Domain<D>& domain : domains) {
    const Box<D> box{Coord<D>::filled(-16), Coord<D>::filled(16)};
    const auto topology = Topology<D>::of_box(this->ex, domain, box.intersect(domain.cells));
    Field<float, D> field(this->ex, topology, 0.25f);
    for (std::size_t k = 0; k < field.size(); ++k) field.data()[k] = Rng(3, k).uniform(-1, 1);
    const Boundary<D> boundary = scalar_boundary(domain, 0.25f, 0.75f);
    for (const float away : {-61.3f, -19.5f, 0.f, 7.9f, 40.f}) {
      const int tile = topology->tile_count() / 2;
      const Coord<D> origin = topology->tiles()[std::size_t(tile)] * tile_side;
      Vec<float, D> lo = Vec<float, D>::filled(0.3f), hi = Vec<float, D>::filled(2.6f);
      lo[0] = away;
      hi[0] = away + 3.2f;
      const BrickBox<D> reach = far_box<CatmullRom>(lo, hi, boundary, origin);
      std::vector<float> memory(std::size_t(reach.cells()));
      const Brick<D> brick{memory.data(), reach};
      const HashSampler<D> hash = hash_sampler(field, boundary, origin);
      load_far_brick(TileGroup<D>(topology->tile_set(), tile, nullptr), brick, hash);
      for_each_coord(Box<D>{reach.lo, reach.hi}, [&](const Coord<D>& c) {
        ASSERT_EQ(*brick.at(c), hash.fetch(c)) << c << " of " << away;
      });
      for (std::uint64_t k = 0; k < 100; ++k) {
        Coord<D> at;
        Vec<float, D> d;
        for (int a = 0; a < D; ++a) {
          Rng rng(k, std::uint64_t(a));
          at[a] = int(rng.uniform(0, 7.99f));
          d[a] = rng.uniform(lo[a], hi[a]);
        }
        const float by_brick = sample<CatmullRom, D>(brick, at, d),
                    by_hash = sample<CatmullRom, D>(hash, at, d);
        ASSERT_NEAR(by_brick, by_hash, 2e-6f) << at << " moved by " << d;
      }
    }
  }
}

// The wind over a grid that goes with it.
template <int D>
struct Windborne {
  Exec& ex;
  Vec<float, D> wind = Vec<float, D>::filled(-0.25f);
  TopologyPtr<D> topology;
  FlowMap<D> map;

  explicit Windborne(Exec& e) : ex(e), topology(at(0)) {
    wind[0] = 3;
    std::vector<Field<float, D>> fields;
    fields.emplace_back(ex, topology, 0.5f);
    for (std::size_t k = 0; k < fields[0].size(); ++k) fields[0].data()[k] = Rng(7, k).uniform(-1, 1);
    map = start_map<D>(ex, std::move(fields));
  }
  TopologyPtr<D> at(int cells) const {
    Box<D> box{Coord<D>::filled(0), Coord<D>::filled(24)};
    box.lo[0] += cells;
    box.hi[0] += cells;
    return Topology<D>::of_box(ex, {}, box);
  }
  void blow(int steps) {
    for (int k = 0; k < steps; ++k) {
      const TopologyPtr<D> next = at(int(3 * (map.steps + 1)));
      const MacField<float, D> velocity(ex, topology, wind);
      FlowMap<D>* const maps[] = {&map};
      extend_maps<D>(ex, maps, Crossing<D>(ex, topology, next), {&velocity, {}}, 1);
      topology = next;
    }
  }
  Field<float, D> carried(const AdvectionParams& params = {}) const {
    Field<float, D> out;
    const Carried<D> q{&map.start[0], &out, at_centres, scalar_boundary<D>({}, 0.5f, 0.5f)};
    carry_by_map<D>(ex, map, {&q, 1}, params);
    return out;
  }
};

// Far beyond the tiles round a tile, and exact where the wind has moved everything by whole cells.
TYPED_TEST(FlowMaps, CarryByWholeCellsExactly) {
  constexpr int D = TestFixture::dimension;
  Windborne<D> w(this->ex);
  w.blow(12);
  const Field<float, D> out = w.carried();
  Coord<D> moved = Coord<D>::filled(-3);
  moved[0] = 36;
  int checked = 0;
  for_active_cells(*w.topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) ASSERT_NEAR(w.map.backward[std::size_t(a)].get(c), -moved[a], 1e-4) << c;
    // Where no tile was there is the background.
    ASSERT_NEAR(out.get(c), w.map.start[0].get(c - moved), 1e-3) << c;
    checked += w.map.start[0].stores(c - moved);
  });
  EXPECT_GT(checked, 600);
  const auto everywhere = [](const RowIndex<D>&) { return Lane<float>::mask_from_bits(0xff); };
  EXPECT_LE(distortion(this->ex, w.map, cells_where<D>(this->ex, w.topology, everywhere)), 1e-3);
}

// A change on the way is there at the end, where the wind has taken it meanwhile.
TYPED_TEST(FlowMaps, ChangesGoBackToTheStart) {
  constexpr int D = TestFixture::dimension;
  Windborne<D> w(this->ex);
  w.blow(4);
  const Field<float, D> before = w.carried();
  Field<float, D> change(this->ex, w.topology);
  Coord<D> place = Coord<D>::filled(11), later = Coord<D>::filled(10);
  place[0] = 24;
  later[0] = 36;
  change.set(place, 0.75f);
  change_start<D>(this->ex, w.map, 0, at_centres, change, Interpolation::linear);
  EXPECT_NEAR(w.carried({.limiter = Limiter::none}).get(place), before.get(place) + 0.75f, 1e-3);
  const float elsewhere = before.get(place + Coord<D>::unit(0));
  EXPECT_NEAR(w.carried({.limiter = Limiter::none}).get(place + Coord<D>::unit(0)), elsewhere, 1e-3);
  w.blow(4);
  EXPECT_NEAR(w.carried({.limiter = Limiter::none}).get(later), before.get(place) + 0.75f, 1e-3);
}

TYPED_TEST(FlowMaps, LimitersKeepToTheExtremesOfTheField) {
  constexpr int D = TestFixture::dimension;
  for (const Limiter limiter : {Limiter::clamp, Limiter::revert}) {
    Windborne<D> w(this->ex);
    w.wind[1] = 0.3f;
    w.blow(5);
    float lo = 0.5f, hi = 0.5f;
    for (std::size_t k = 0; k < w.map.start[0].size(); ++k) {
      lo = std::min(lo, w.map.start[0].data()[k]);
      hi = std::max(hi, w.map.start[0].data()[k]);
    }
    const Field<float, D> out = w.carried({.limiter = limiter});
    for (std::size_t k = 0; k < out.size(); ++k) {
      ASSERT_GE(out.data()[k], lo);
      ASSERT_LE(out.data()[k], hi);
    }
  }
}

// A swirl tears the maps apart at its rim, sooner or later.
TYPED_TEST(FlowMaps, DistortionGrowsWithTheSwirl) {
  constexpr int D = TestFixture::dimension;
  const auto domain = box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall);
  const auto topology = Topology<D>::of_box(this->ex, domain);
  SmokeState<D> s = make_smoke<D>(this->ex, topology);
  fill_smoke<D>(
      s, [](const auto&) { return 0.; },
      [](const auto& x, int a) { return swirl<D>(x, a, Vec<double, D>::filled(16), 3, 1.); });
  std::vector<Field<float, D>> fields;
  fields.emplace_back(this->ex, topology);
  FlowMap<D> map = start_map<D>(this->ex, std::move(fields));
  FlowMap<D>* const maps[] = {&map};
  const auto everywhere = [](const RowIndex<D>&) { return Lane<float>::mask_from_bits(0xff); };
  const auto distorted = [&](int steps) {
    while (map.steps < steps)
      extend_maps<D>(this->ex, maps, Crossing<D>(this->ex, topology, topology), {&s.velocity, {}}, 2);
    return distortion(this->ex, map, cells_where<D>(this->ex, topology, everywhere));
  };
  EXPECT_LE(distorted(1), 0.2);
  EXPECT_GE(distorted(20), 0.5);
}

// Smoke in a closed box with a ball that moves through it: whole, within its bounds, and the air no faster
// than the ball can push it.
template <int D>
void expect_smoke_goes_round_a_ball(Exec& ex, SmokeParams<D> p) {
  p.sparse = false;
  p.buoyancy.gravity = {};
  p.advection.scheme = AdvectionScheme::bimocq;
  const auto domain = box_domain<D>({{}, Coord<D>::filled(24)}, Side::wall);
  SmokeState<D> s = make_smoke<D>(ex, Topology<D>::of_box(ex, domain));
  const Vec<double, D> middle = Vec<double, D>::filled(12);
  fill_smoke<D>(
      s, [&](const auto& x) { return blob<D>(x, middle, 4); }, [&](const auto&, int) { return 0.; });
  const double dt = 0.5, speed = 0.5;
  const auto ball_at = [&](double steps) {
    Vec<double, D> centre = middle;
    centre[0] = 6 + speed * dt * steps;
    return Shape<D>(SphereShape<D>{centre, 3});
  };
  double fastest = 0, mass = 0;
  for (int k = 0; k < 40; ++k) {
    p.solids = {{ball_at(k), ball_at(k + 1), {}, ball_at(k + 0.5)}};
    p.solids[0].velocity.at_origin[0] = speed;
    if (k == 0) {
      fit_to_solids(ex, s, p);
      mass = integral(ex, s.density, 1);
    }
    ASSERT_TRUE(step(ex, s, p, dt).pressure.converged);
    fastest = std::max(fastest, max_component(ex, s.velocity));
  }
  EXPECT_GT(fastest, 0.8 * speed);
  EXPECT_LT(fastest, 3 * speed);
  EXPECT_NEAR(integral(ex, s.density, 1), mass, 0.01 * mass);
  for (std::size_t k = 0; k < s.density.size(); ++k) {
    ASSERT_GE(s.density.data()[k], -1e-3f);
    ASSERT_LE(s.density.data()[k], 1.001f);
  }
}
TYPED_TEST(FlowMaps, GoRoundMovingSolids) {
  constexpr int D = TestFixture::dimension;
  SmokeParams<D> p;
  expect_smoke_goes_round_a_ball<D>(this->ex, p);
  // Smoke by maps in air that is carried and kept going in another way.
  p.velocity_advection = AdvectionScheme::maccormack;
  p.energy = EnergyScheme::reflection;
  expect_smoke_goes_round_a_ball<D>(this->ex, p);
}

// What is done to the fields between two steps is not forgotten by maps from before it.
TYPED_TEST(FlowMaps, SeeChangesBetweenSteps) {
  constexpr int D = TestFixture::dimension;
  SmokeParams<D> p;
  p.sparse = false;
  p.buoyancy.gravity = {};
  p.advection = {.scheme = AdvectionScheme::bimocq, .limiter = Limiter::none};
  const auto domain = box_domain<D>({{}, Coord<D>::filled(16)}, Side::periodic);
  Vec<float, D> wind{};
  wind[0] = 1;
  SmokeState<D> s = make_smoke<D>(this->ex, Topology<D>::of_box(this->ex, domain), wind);
  Coord<D> place = Coord<D>::filled(5);
  (void)step(this->ex, s, p, 1);
  s.density.set(place, 0.75f);
  for (int k = 0; k < 5; ++k) {
    (void)step(this->ex, s, p, 1);
    place[0] += 1;
  }
  EXPECT_EQ(s.scalar_map.steps, 6);
  EXPECT_NEAR(s.density.get(place), 0.75f, 1e-3);
}

// What a source gives off where the grid did not reach when the maps started stays there.
TYPED_TEST(FlowMaps, KeepWhatAppearsBeyondTheirStart) {
  constexpr int D = TestFixture::dimension;
  SmokeParams<D> p;
  p.margin = 4;
  p.buoyancy.gravity = {};
  p.advection.scheme = AdvectionScheme::bimocq;
  SmokeState<D> s =
      make_smoke<D>(this->ex, Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(8)}));
  fill_smoke<D>(
      s, [](const auto& x) { return blob<D>(x, {}, 1.5); }, [](const auto&, int) { return 0.; });
  for (int k = 0; k < 2; ++k) (void)step(this->ex, s, p, 0.5);
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(60.2), 3};
  source.cells = cells_round(source.shape.bounds(), 1);
  source.emissions = {{0, 1.f}};
  p.sources = {source};
  for (int k = 0; k < 4; ++k) (void)step(this->ex, s, p, 0.5);
  EXPECT_NEAR(s.density.get(Coord<D>::filled(60)), 2.f, 1e-3);
  EXPECT_NEAR(s.density.get(Coord<D>::filled(0)), blob<D>(Vec<double, D>::filled(0.5), {}, 1.5), 1e-2);
}

// Nor is it lost where it is given to air that has come in through a side since.
TYPED_TEST(FlowMaps, DrawAStreakInAirThatComesIn) {
  constexpr int D = TestFixture::dimension;
  SmokeParams<D> p;
  p.sparse = false;
  p.buoyancy.gravity = {};
  p.advection = {.scheme = AdvectionScheme::bimocq, .limiter = Limiter::none};
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology, Vec<float, D>::unit(0, 2.f));
  SmokeSource<D> source;
  Vec<double, D> centre = Vec<double, D>::filled(16);
  centre[0] = 5;
  source.shape = SphereShape<D>{centre, 3};
  source.cells = cells_round(source.shape.bounds(), 1);
  source.emissions = {{0, 4.f}};
  p.sources = {source};
  for (int k = 0; k < 9; ++k) (void)step(this->ex, s, p, 1.);
  EXPECT_NEAR(integral(this->ex, s.density, 1.), s.injected, 0.02 * s.injected);
  for (int x = 9; x <= 18; ++x) {
    Coord<D> c = Coord<D>::filled(16);
    c[0] = x;
    EXPECT_NEAR(s.density.get(c), 4 * 6 / 2., 0.1 * 4 * 6 / 2.) << x;  // what it got on six cells of its way
  }
}

// A run may change its scheme: maps of before are not taken up again.
TEST(FlowMap, IsForgottenByOtherSchemes) {
  Exec ex({.threads = 1});
  SmokeParams<2> p;
  p.sparse = false;
  const auto domain = box_domain<2>({{}, Coord<2>::filled(24)}, Side::periodic);
  SmokeState<2> s = make_smoke<2>(ex, Topology<2>::of_box(ex, domain));
  p.advection.scheme = AdvectionScheme::bimocq;
  (void)step(ex, s, p, 0.1);
  EXPECT_FALSE(s.velocity_map.empty());
  EXPECT_FALSE(s.scalar_map.empty());
  p.advection.scheme = AdvectionScheme::maccormack;
  (void)step(ex, s, p, 0.1);
  EXPECT_TRUE(s.velocity_map.empty());
  EXPECT_TRUE(s.scalar_map.empty());
}

}  // namespace
}  // namespace whorl
