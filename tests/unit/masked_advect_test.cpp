// Advection of some cells alone gives what advection of all gives there, to the bit.
#include "grid/grow_mask.h"
#include "stages/advect.h"
#include "stages/moved_core.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <vector>

namespace whorl {
namespace {

template <class T>
using MaskedAdvection = Stages<T>;
TYPED_TEST_SUITE(MaskedAdvection, Dimensions);

template <int D>
Box<D> wanted_box() {  // one tile, so that all tiles round it have none
  return {Coord<D>::filled(tile_side), Coord<D>::filled(2 * tile_side)};
}

template <int D>
CellMask<D> wanted_cells(Exec& ex, const TopologyPtr<D>& topology) {
  Field<float, D> inside(ex, topology);
  for_each_coord(wanted_box<D>(), [&](const Coord<D>& c) { inside.set(c, 1.f); });
  return cells_where(ex, topology, [v = std::as_const(inside).view()](const RowIndex<D>& r) {
    return v(r) > Lane<float>(0.f);
  });
}

// Cells that going there and back may look at.
template <int D>
CellMask<D> cells_round(Exec& ex, const CellMask<D>& mask, const MacField<float, D>& u) {
  CellMask<D> grown = grown_with_flow(ex, mask, u, 1.f);
  const auto active = mask.topology->active();
  for (std::size_t row = 0; row < active.size(); ++row) grown.rows[row] &= active[row];
  return grown;
}

// A flow that brings what is wanted from higher cells, and a jet that brings it from further away: not where
// cells are wanted, nor so many cells round these.
template <int D>
MacField<float, D> sheared(Exec& ex, const TopologyPtr<D>& topology, const Box<D>& jet, int calm,
                           float speed) {
  const Box<D> slow{wanted_box<D>().lo - Coord<D>::filled(calm), wanted_box<D>().hi + Coord<D>::filled(calm)};
  MacField<float, D> u(ex, topology);
  randomise(u, 31);
  for (int a = 0; a < D; ++a)
    for_active_cells(*topology, [&](const Coord<D>& c) {
      const bool fast = jet.contains(c) && !slow.contains(c);
      // Across the other axes, what is wanted comes from the next tile anyway.
      const float mean = fast ? 6.f : a == 0 ? speed : 4.5f;
      u[a].set(c, 0.5f * u[a].get(c) - mean);
    });
  return u;
}

template <int D>
struct Advected {
  Field<float, D> scalar;
  MacField<float, D> velocity;
};

template <int D>
Advected<D> advected(Exec& ex, const Crossing<D>& crossing, const MacField<float, D>& u,
                     const Field<float, D>& q, const AdvectionParams& params, const WantedCells<D>& cells) {
  const Domain<D>& domain = crossing.from()->domain();
  Advected<D> out;
  std::vector<Carried<D>> carried{{&q, &out.scalar, at_centres, scalar_boundary(domain, 0.f, 0.f)}};
  for (int a = 0; a < D; ++a)
    carried.push_back({&u[a], &out.velocity[a], a, velocity_boundary<D>(domain, a, 0.f, {})});
  advect<D>(ex, crossing, {&u, {}}, carried, 1.f, params, cells);
  return out;
}

template <int D>
void expect_same_where_wanted(const Advected<D>& some, const Advected<D>& all) {
  int other_cells = 0, other_faces = 0;
  for_each_coord(wanted_box<D>(),
                 [&](const Coord<D>& c) { other_cells += some.scalar.get(c) != all.scalar.get(c); });
  for (int a = 0; a < D; ++a) {
    Box<D> faces = wanted_box<D>();
    ++faces.hi[a];
    for_each_coord(
        faces, [&](const Coord<D>& c) { other_faces += some.velocity[a].get(c) != all.velocity[a].get(c); });
  }
  EXPECT_EQ(other_cells, 0);
  EXPECT_EQ(other_faces, 0);
}

// With every order of traces, by a pass or two.
template <int D>
void expect_same(Exec& ex, const Crossing<D>& crossing, const MacField<float, D>& u) {
  Field<float, D> q(ex, crossing.from());
  for (std::size_t k = 0; k < q.size(); ++k) q.data()[k] = Rng(12, k).uniform(-1, 1);
  const CellMask<D> wanted = wanted_cells(ex, crossing.to()), reached = cells_round(ex, wanted, u);
  for (const int order : {1, 2, 3})
    for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
      SCOPED_TRACE(testing::Message() << "order " << order << ", scheme " << int(scheme));
      const AdvectionParams params{.scheme = scheme, .trace_order = order};
      WantedCells<D> cells{.wanted = &wanted};
      if (scheme == AdvectionScheme::maccormack) cells.reached = &reached;
      expect_same_where_wanted(advected<D>(ex, crossing, u, q, params, cells),
                               advected<D>(ex, crossing, u, q, params, {}));
    }
}

template <int D>
Domain<D> domain() {
  return box_domain<D>({{}, Coord<D>::filled(4 * tile_side)}, Side::open);
}

TYPED_TEST(MaskedAdvection, LooksIntoAJetBesideItsCells) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, domain<D>());
  expect_same<D>(this->ex, Crossing<D>(this->ex, topology, topology),
                 sheared<D>(this->ex, topology, domain<D>().cells, 0, 1.f));
}

TYPED_TEST(MaskedAdvection, LooksIntoAJetThatATraceComesTo) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, domain<D>());
  expect_same<D>(this->ex, Crossing<D>(this->ex, topology, topology),
                 sheared<D>(this->ex, topology, domain<D>().cells, 1, 3.5f));
}

// The tile across the corner is one of the velocity alone.
TYPED_TEST(MaskedAdvection, LooksIntoAJetInATileThatItsMaskDoesNotHave) {
  constexpr int D = TestFixture::dimension;
  const Coord<D> corner = wanted_box<D>().hi;
  const auto from = Topology<D>::of_box(this->ex, domain<D>()),
             to = Topology<D>::of_box(this->ex, domain<D>(), {{}, corner});
  ASSERT_LT(to->map().find(Coord<D>::filled(2)), 0);
  expect_same<D>(this->ex, Crossing<D>(this->ex, from, to),
                 sheared<D>(this->ex, from, {corner, corner + Coord<D>::filled(tile_side)}, 0, 1.f));
}

}  // namespace
}  // namespace whorl
