// V-B8, the heat kernel: the variance of what diffuses grows by 2 κ t along each axis. And diffusion among
// solids on a ragged grid, beside a matrix written out in full; and flow between plates that move.
#include "base/rng.h"
#include "cases/heat_kernel.h"
#include "stages/diffuse.h"
#include "stages/sides.h"
#include "unit/stages_case.h"
#include "verify/diffusion_case.h"
#include "verify/expect_rows.h"

#include <cmath>

namespace whorl {
namespace {

template <class T>
class Diffusion : public Stages<T> {};
TYPED_TEST_SUITE(Diffusion, Dimensions);

TYPED_TEST(Diffusion, HeatKernelSpreadsAsItShould) { expect_rows(heat_kernel<TestFixture::dimension>); }
TEST(Diffusion2, SchemesHaveTheirOrders) { expect_rows(orders_of_diffusion); }

// A random set of cells of a domain with every kind of side, and a ball that turns and moves.
template <int D>
struct RaggedCase {
  TopologyPtr<D> topology;
  Domain<D> domain;
  Inflow<D> inflow;
  Solid<D> solid;
  CutFaces<D> faces;

  explicit RaggedCase(Exec& ex) {
    const int n = D == 2 ? 24 : 10;
    domain = box_domain<D>({Coord<D>::filled(-2), Coord<D>::filled(n - 2)}, Side::open);
    domain.sides[0] = {Side::wall, Side::wall};
    domain.sides[1] = {Side::inflow, Side::open};
    inflow.velocity[1][0] = Vec<float, D>::filled(0.7f);
    const auto box = Topology<D>::of_box(ex, domain);
    std::vector<std::uint8_t> active(box->active().begin(), box->active().end());
    for (std::size_t row = 0; row < active.size(); ++row)
      for (int bit = 0; bit < 8; ++bit)
        if (Rng(5, row * 8 + std::size_t(bit)).uniform() < 0.08) active[row] &= std::uint8_t(~(1u << bit));
    topology = Topology<D>::of_cells(ex, domain, {box->tiles().begin(), box->tiles().end()}, active);
    solid.shape = SphereShape<D>{Vec<double, D>::filled(0.37 * n), 0.22 * n};
    solid.velocity.at_origin = Vec<double, D>::filled(0.25);
    solid.velocity.gradient[0] = Vec<double, D>::unit(1, 0.1);
    solid.velocity.gradient[1] = Vec<double, D>::unit(0, -0.1);
    faces = cut_faces<D>(ex, topology, {&solid, 1}, &Solid<D>::shape, 1., WallMode::cut);
  }
  bool active(const Coord<D>& c) const {
    bool found = false;
    if (!domain.cells.contains(c)) return false;
    Coord<D> tile, at;
    for (int a = 0; a < D; ++a) tile[a] = floor_div(c[a], tile_side), at[a] = c[a] - tile[a] * tile_side;
    const int slot = topology->map().find(tile);
    if (slot >= 0)
      found = topology->active()[std::size_t(slot * tile_rows<D>) +
                                 std::size_t(cell_offset<D>(at) / tile_side)] >>
                  at[D - 1] &
              1;
    return found;
  }
  double open(int a, const Coord<D>& c) const { return faces.open[a].stores(c) ? faces.open[a].get(c) : 0; }
  double wall(int a, const Coord<D>& c) const { return faces.walls[a].get(c); }
  // Of component a: between cells, or between a cell and the open.
  bool in_fluid(int a, const Coord<D>& c) const {
    const auto [low, high] = domain.sides[std::size_t(a)];
    if (c[a] == domain.cells.lo[a] && low != Side::open) return false;
    if (c[a] == domain.cells.hi[a] && high != Side::open) return false;
    return active(c) || active(c - Coord<D>::unit(a));
  }
  std::vector<Coord<D>> places(const std::function<bool(const Coord<D>&)>& wanted) const {
    std::vector<Coord<D>> all;
    for_each_coord(Box<D>{domain.cells.lo, domain.cells.hi + Coord<D>::filled(1)}, [&](const Coord<D>& c) {
      if (wanted(c)) all.push_back(c);
    });
    return all;
  }
  DenseSide<D> side_of_cell(const Coord<D>& c, int b, int step) const {
    DenseSide<D> s;
    s.next = c + Coord<D>::unit(b, step);
    const double w = open(b, step < 0 ? c : s.next);
    (active(s.next) ? s.link : s.conductance) = w;
    return s;
  }
  DenseSide<D> side_of_face(int a, const Coord<D>& c, int b, int step, WallFriction friction) const {
    const double rub = friction == WallFriction::no_slip;
    DenseSide<D> s;
    s.next = c + Coord<D>::unit(b, step);
    const double own = open(a, c), next = open(a, s.next);
    const Side side = domain.sides[std::size_t(b)][step > 0];
    const int over = b == a     ? step > 0 ? domain.cells.hi[b] : domain.cells.lo[b]
                         : step > 0 ? domain.cells.hi[b]
                                : domain.cells.lo[b] - 1;
    if (own < 0.5) {
      s.conductance = 2 * rub, s.value = wall(a, c);
    } else if (next >= 0.5) {
      s.link = 1;
    } else if (s.next[b] == over && side != Side::open) {
      s.conductance = b == a ? 1 : side == Side::wall ? 2 * rub : 2;
      s.value = side == Side::inflow ? double(inflow.velocity[b][step > 0][a]) : 0.;
    } else if (in_fluid(a, s.next)) {
      s.conductance = b == a ? 1 : rub / std::clamp(own + next - 0.5, 0.1, 1.);
      s.value = wall(a, s.next);
    } else {
      s.conductance = 1, s.value = background;
    }
    return s;
  }
  static constexpr double background = -0.3;
};

TYPED_TEST(Diffusion, OfAScalarIsTheDenseSolve) {
  constexpr int D = TestFixture::dimension;
  const RaggedCase<D> ragged(this->ex);
  const auto places = ragged.places([&](const Coord<D>& c) { return ragged.active(c); });
  Field<float, D> q(this->ex, ragged.topology, float(ragged.background));
  for (std::size_t k = 0; k < places.size(); ++k) q.set(places[k], Rng(31, k).uniform(-1, 1));
  for (const double strength : {0.3, 30., 1e4}) {
    Field<float, D> found = q.clone(this->ex);
    EXPECT_TRUE(diffuse(this->ex, found, ragged.faces.open, strength, 1., 1., {.tolerance = 1e-6}).converged);
    const std::vector<double> right = DenseDiffusion<D>(places).solve(
        strength, [&](const Coord<D>& c) { return double(q.get(c)); },
        [&](const Coord<D>& c, int b, int step) {
          DenseSide<D> s = ragged.side_of_cell(c, b, step);
          s.value = ragged.background;
          return s;
        });
    for (std::size_t k = 0; k < places.size(); ++k)
      ASSERT_NEAR(found.get(places[k]), right[k], 3e-6) << places[k] << " strength " << strength;
  }
}

TYPED_TEST(Diffusion, OfMomentumIsTheDenseSolve) {
  constexpr int D = TestFixture::dimension;
  const RaggedCase<D> ragged(this->ex);
  for (const WallFriction friction : {WallFriction::no_slip, WallFriction::free_slip})
    for (const double strength : {0.3, 30., 1e4}) {
      MacField<float, D> u(this->ex, ragged.topology, Vec<float, D>::filled(float(ragged.background)));
      randomise(u, 41);
      const MacField<float, D> old = u.clone(this->ex);
      EXPECT_TRUE(diffuse(this->ex, u, ragged.faces, ragged.inflow, strength, 1., 1.,
                          {.tolerance = 1e-6, .walls = friction})
                      .converged);
      int covered = 0;
      for (int a = 0; a < D; ++a) {
        const auto places = ragged.places([&](const Coord<D>& c) { return ragged.open(a, c) > 0; });
        const std::vector<double> right = DenseDiffusion<D>(places).solve(
            strength, [&](const Coord<D>& c) { return double(old[a].get(c)); },
            [&](const Coord<D>& c, int b, int step) { return ragged.side_of_face(a, c, b, step, friction); });
        for (std::size_t k = 0; k < places.size(); ++k) {
          ASSERT_NEAR(u[a].get(places[k]), right[k], 3e-6)
              << places[k] << " axis " << a << " strength " << strength;
          covered += ragged.open(a, places[k]) < 0.5;
        }
        const auto closed =
            ragged.places([&](const Coord<D>& c) { return u[a].stores(c) && ragged.open(a, c) == 0; });
        for (const Coord<D>& c : closed) ASSERT_EQ(u[a].get(c), old[a].get(c));
      }
      EXPECT_GT(covered, 3);
    }
}

// Between two plates, anywhere within cells and one of them moving, the steady flow is a straight line; and
// between a plate and a side of the domain.
TYPED_TEST(Diffusion, BetweenPlatesFlowIsAStraightLine) {
  constexpr int D = TestFixture::dimension;
  const int n = 24;
  for (const int across : {0, 1})
    for (const auto& [low, high] : {std::pair{3.3, 19.6}, std::pair{4.6, 20.45}, std::pair{0., 17.}}) {
      Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::periodic);
      domain.sides[std::size_t(across)] = {Side::wall, Side::wall};
      const auto topology = Topology<D>::of_box(this->ex, domain);
      std::vector<Solid<D>> plates(2);
      plates[0].shape = PlaneShape<D>{Vec<double, D>::unit(across, low), Vec<double, D>::unit(across)};
      plates[1].shape = PlaneShape<D>{Vec<double, D>::unit(across, high), Vec<double, D>::unit(across, -1.)};
      const int along = 1 - across;
      plates[1].velocity.at_origin = Vec<double, D>::unit(along, 2.);
      if (low == 0) plates.erase(plates.begin());
      const CutFaces<D> faces = cut_faces<D>(this->ex, topology, plates, &Solid<D>::shape, 1., WallMode::cut);
      MacField<float, D> u(this->ex, topology);
      EXPECT_TRUE(diffuse(this->ex, u, faces, {}, 1e7, 1., 1., {.tolerance = 1e-7}).converged);
      for_active_cells(*topology, [&](const Coord<D>& c) {
        const double y = c[across] + 0.5;
        if (y < low || y > high) return;
        ASSERT_NEAR(u[along].get(c), 2 * (y - low) / (high - low), 2e-3)
            << c << " between " << low << " " << high;
        ASSERT_NEAR(u[across].get(c), 0, 1e-6);
      });
    }
}

}  // namespace
}  // namespace whorl
