// Advection on small grids, against something written out plainly.
#include "stages/advect.h"
#include "grid/field_sampler.h"
#include "stages/sides.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace whorl {
namespace {

TYPED_TEST(Stages, AdvectionRefusesStepsBeyondItsReach) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::periodic));
  const MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  const Field<float, D> q(this->ex, topology);
  Field<float, D> moved;
  const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
  const Crossing<D> stay(this->ex, topology, topology);
  advect<D>(this->ex, stay, {&u, {}}, {&carried, 1}, max_displacement(Interpolation::linear), {});
  EXPECT_DEATH(advect<D>(this->ex, stay, {&u, {}}, {&carried, 1}, 7.6f, {}), "7.6 cells");
}

// Reading one topology and writing another gives, where both have cells, what one topology gives.
TYPED_TEST(Stages, AdvectionAcrossTopologiesIsAdvection) {
  constexpr int D = TestFixture::dimension;
  const Box<D> small{Coord<D>::filled(-16), Coord<D>::filled(16)},
      large{Coord<D>::filled(-24), Coord<D>::filled(32)};
  const auto from = Topology<D>::of_box(this->ex, {}, small), to = Topology<D>::of_box(this->ex, {}, large);
  MacField<float, D> u(this->ex, from);
  randomise(u, 11);
  Field<float, D> q(this->ex, from, 0.5f), here, there;
  for (std::size_t k = 0; k < q.size(); ++k) q.data()[k] = Rng(12, k).uniform(-1, 1);
  const Crossing<D> stay(this->ex, from, from), cross(this->ex, from, to);
  const auto boundary = scalar_boundary<D>({}, 0.5f, 0.f);
  const Carried<D> one{&q, &here, at_centres, boundary}, two{&q, &there, at_centres, boundary};
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
    advect<D>(this->ex, stay, {&u, {}}, {&one, 1}, 3.f, {.scheme = scheme});
    advect<D>(this->ex, cross, {&u, {}}, {&two, 1}, 3.f, {.scheme = scheme});
    EXPECT_EQ(there.topology(), to);
    // MacCormack looks three cells further, to where only the larger one has values of its own.
    const int edge = scheme == AdvectionScheme::semi_lagrangian ? 16 : 12;
    for_each_coord(Box<D>{Coord<D>::filled(-edge), Coord<D>::filled(edge)},
                   [&](const Coord<D>& c) { ASSERT_EQ(there.get(c), here.get(c)) << c; });
    EXPECT_EQ(there.get(Coord<D>::filled(28)), 0.5f);
  }
}

// A shift by whole cells is exact for every scheme, whichever side it comes from.
TYPED_TEST(Stages, AdvectionByWholeCellsIsAShift) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::periodic));
  Field<float, D> q(this->ex, topology), moved;
  for (std::size_t k = 0; k < q.size(); ++k) q.data()[k] = Rng(6, k).uniform(-1, 1);
  Coord<D> shift;
  MacField<float, D> u(this->ex, topology);
  for (int a = 0; a < D; ++a) {
    shift[a] = a == 0 ? 6 : a == 1 ? -5 : 3;
    u[a].fill(this->ex, float(shift[a]));
  }
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack})
    for (const auto method :
         {Interpolation::linear, Interpolation::catmull_rom, Interpolation::monotone_cubic})
      for (const int order : {1, 2, 3}) {
        const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
        advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, {}}, {&carried, 1}, 1.f,
                  {.scheme = scheme, .interpolation = method, .trace_order = order});
        for_active_cells(*topology,
                         [&](const Coord<D>& c) { ASSERT_EQ(moved.get(c), q.get(c - shift)) << c; });
      }
}

// Face components, against the same arithmetic by the hash sampler, one face at a time.
TYPED_TEST(Stages, SemiLagrangianFacesAgreeWithPointByPoint) {
  constexpr int D = TestFixture::dimension;
  const auto domain = mixed_domain<D>();
  const auto topology = Topology<D>::of_box(this->ex, domain);
  MacField<float, D> u(this->ex, topology), moved;
  randomise(u, 8);
  Inflow<D> inflow;
  inflow.velocity[1][0] = Vec<float, D>::filled(0.75f);
  enforce_sides(this->ex, u, inflow);
  const float step = 2.5f;
  std::vector<Carried<D>> carried;
  for (int a = 0; a < D; ++a)
    carried.push_back({&u[a], &moved[a], a, velocity_boundary(domain, a, u[a].background(), inflow)});
  advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, inflow}, carried, step,
            {.scheme = AdvectionScheme::semi_lagrangian, .trace_order = 3});

  for_active_cells(*topology, [&](const Coord<D>& c) {
    HashSampler<D> samplers[D];
    for (int a = 0; a < D; ++a)
      samplers[a] = hash_sampler(u[a], velocity_boundary(domain, a, u[a].background(), inflow), c);
    for (int a = 0; a < D; ++a) {
      const auto velocity = [&](const Vec<float, D>& d) {
        return sample_velocity<D>(samplers, Coord<D>{}, a, d);
      };
      const Vec<float, D> d = trace<D>(velocity, velocity(Vec<float, D>{}), -step, 3);
      ASSERT_NEAR(moved[a].get(c), (sample<Linear, D>(samplers[a], Coord<D>{}, d)), 2e-5f)
          << c << " axis " << a;
    }
  });
}

TYPED_TEST(Stages, LimitersKeepToTheExtremesOfTheField) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::periodic));
  Field<float, D> q(this->ex, topology), moved;
  for_active_cells(*topology,
                   [&](const Coord<D>& c) { q.set(c, c[0] / 4 % 2 == 0 ? 1.f : 0.f); });  // stripes
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(0.3f));
  const auto range_after = [&](Limiter limiter) {
    const Carried<D> carried{&q, &moved, at_centres, scalar_boundary(topology->domain(), 0.f, 0.f)};
    advect<D>(this->ex, Crossing<D>(this->ex, topology, topology), {&u, {}}, {&carried, 1}, 1.f,
              {.limiter = limiter});
    const auto [lo, hi] = std::minmax_element(moved.data(), moved.data() + moved.size());
    return std::pair(*lo, *hi);
  };
  EXPECT_LT(range_after(Limiter::none).first, -0.05f);
  EXPECT_GT(range_after(Limiter::none).second, 1.05f);
  for (const Limiter limiter : {Limiter::clamp, Limiter::revert}) {
    EXPECT_GE(range_after(limiter).first, 0.f);
    EXPECT_LE(range_after(limiter).second, 1.f);
  }
}

}  // namespace
}  // namespace whorl
