// What must be left of a quantity, what leaves with the flow, and what fades.
#include "stages/conserve.h"
#include "stages/dissipate.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// A cell that has lo and hi a unit away gives or takes in proportion to that, and never leaves the two.
TYPED_TEST(Stages, AmountsAreRestoredWithinTheExtremes) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  const auto random = [&](std::uint64_t seed, float low, float high) {
    Field<float, D> f(this->ex, topology, 3.f);
    std::uint64_t id = 0;
    for_active_cells(*topology, [&](const Coord<D>& c) { f.set(c, Rng(seed, id++).uniform(low, high)); });
    return f;
  };
  const Extremes<D> extremes{random(1, 0, 1), random(2, 2, 4)};
  const Coord<D> empty = Coord<D>::filled(5);
  for (const double change : {-1e5, -1e-3, 0., 0.5, 25., 1e6}) {
    Field<float, D> q = random(3, 1, 2);
    q.set(empty, 3.f);
    const double before = amount(this->ex, q);
    const double added = restore_amount(this->ex, q, extremes, before + change * (D - 1));
    const double after = amount(this->ex, q);
    EXPECT_NEAR(after - before, added, 2e-4 + 1e-6 * std::abs(before));
    if (std::abs(change) < 1000) {
      EXPECT_NEAR(added, change * (D - 1), 1e-9);
    } else {
      EXPECT_LT(std::abs(added), std::abs(change * (D - 1)));  // there was no more room
    }
    EXPECT_EQ(q.get(empty), 3.f);
    for_active_cells(*topology, [&](const Coord<D>& c) {
      if (c == empty) return;
      ASSERT_GE(q.get(c), extremes.lo.get(c) - 1e-6f) << c;
      ASSERT_LE(q.get(c), extremes.hi.get(c) + 1e-6f) << c;
    });
  }
}

// Air that appears brings what there is of it, air that vanishes takes it away; clear air makes no
// difference.
TYPED_TEST(Stages, AmountsGrowWithTheAir) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  Field<float, D> q(this->ex, topology, 300.f), expansion(this->ex, topology);
  EXPECT_EQ(amount_brought<D>(this->ex, q, {}, 0.5).gained, 0.);
  expansion.fill(this->ex, 4.f);
  q.set(Coord<D>::filled(3), 310.f);
  q.set(Coord<D>::filled(7), 305.f);
  expansion.set(Coord<D>::filled(7), -2.f);
  const Brought brought = amount_brought(this->ex, q, expansion, 0.5);
  EXPECT_DOUBLE_EQ(brought.gained, 20);
  EXPECT_DOUBLE_EQ(brought.lost, 5);
}

// Pure red stays pure, half red half red, however much smoke there is afterwards; nothing is more than all.
TYPED_TEST(Stages, PartsKeepTheirShare) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(12)}, Side::open));
  Field<float, D> red(this->ex, topology), before(this->ex, topology), after(this->ex, topology);
  const auto set = [&](int at, float part, float whole, float restored) {
    red.set(Coord<D>::filled(at), part);
    before.set(Coord<D>::filled(at), whole);
    after.set(Coord<D>::filled(at), restored);
  };
  set(1, 2.f, 2.f, 2.5f);
  set(2, 1.f, 2.f, 1.5f);
  set(3, 3.f, 2.f, 1.f);
  set(4, 1.f, 0.f, 1.f);
  set(5, -1.f, 1.f, 1.f);
  keep_share(this->ex, red, before, after);
  const float expected[] = {0.f, 2.5f, 0.75f, 1.f, 0.f, 0.f};
  for (int at = 0; at < 6; ++at) EXPECT_FLOAT_EQ(red.get(Coord<D>::filled(at)), expected[at]) << at;
}

// What a wind takes over a side in a step is what lay within its reach; walls let nothing out, and an inflow
// side does if it sucks.
TYPED_TEST(Stages, AmountsLeaveByOpenSides) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, mixed_domain<D>());
  Field<float, D> q(this->ex, topology, 1.f);
  for_active_cells(*topology, [&](const Coord<D>& c) { q.set(c, 1.f + float(c[1])); });
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(2.f));
  const double across = D == 2 ? 20 : 400;
  // Cells 15 and 14 along y, and half of 13; along z, which is open, every layer holds the same.
  double expected = across * (15 + 14 + 0.5 * 13);
  if (D == 3) expected += 2.5 * 20 * (15 * 16 / 2 - 10);
  EXPECT_NEAR(amount_leaving(this->ex, q, u, 1.25), expected, 1e-6 * expected);
  MacField<float, D> back(this->ex, topology, Vec<float, D>::unit(1, -2.f));
  EXPECT_NEAR(amount_leaving(this->ex, q, back, 1.25), across * (-4 - 3 - 0.5 * 2), 1e-6 * across);
  MacField<float, D> into_wall(this->ex, topology, Vec<float, D>::unit(0, 2.f));
  EXPECT_EQ(amount_leaving(this->ex, q, into_wall, 1.25), 0.);
}

TYPED_TEST(Stages, DissipationIsExact) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(8)}, Side::open));
  Field<float, D> q(this->ex, topology, 300.f);
  q.set(Coord<D>::filled(3), 400.f);
  dissipate(this->ex, q, 2., 0.25);
  EXPECT_NEAR(q.get(Coord<D>::filled(3)), 300 + 100 * std::exp(-0.5), 1e-4);
  EXPECT_EQ(q.get(Coord<D>::filled(4)), 300.f);
}

}  // namespace
}  // namespace whorl
