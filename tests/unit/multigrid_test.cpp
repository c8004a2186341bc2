// The passes of the multigrid cycle, the coarser grids and the cycle as a whole, against loops that take one
// cell at a time.
#include "linear/multigrid.h"
#include "linear/bottom_solver.h"
#include "linear/cycle.h"
#include "linear/solve.h"
#include "unit/system_case.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace whorl {
namespace {

template <class T>
class Multigrid : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Multigrid, Dimensions);

constexpr SystemKind kinds[] = {SystemKind::open_sides, SystemKind::surface, SystemKind::floating};

// One cell at a time, in double.
template <int D>
struct Naive {
  const PressureSystem<D>& system;

  double diagonal(const CellIndex<D>& i) const { return system.view().diagonal(i); }
  template <class T>
  double residual(const Field<T, D>& x, const Field<float, D>& b, const CellIndex<D>& i) const {
    const FieldView<const T, D> at = x.view();
    double sum = double(b.view()(i)) - diagonal(i) * double(at(i));
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) sum += system.view().link(i, a, step) * double(at(i, a, step));
    return sum;
  }
  template <class T>
  Field<double, D> swept(Exec& ex, const Field<T, D>& x, const Field<float, D>& b, double weight) const {
    Field<double, D> out(ex, system.topology);
    for_system_cells(*system.topology, [&](const CellIndex<D>& i, const Coord<D>&) {
      if (diagonal(i) > 0)
        out.view().store(i, double(x.view()(i)) + weight * residual(x, b, i) / diagonal(i));
    });
    return out;
  }
};

template <int D>
void expect_near(const Field<float, D>& found, const Field<double, D>& expected, const char* pass) {
  for_system_cells(*expected.topology(), [&](const CellIndex<D>&, const Coord<D>& c) {
    ASSERT_NEAR(found.get(c), expected.get(c), 2e-5 * (1 + std::abs(expected.get(c)))) << pass << ' ' << c;
  });
}

template <int D>
void expect_sweeps(Exec& ex, const PressureSystem<D>& system) {
  const Naive<D> naive{system};
  const Field<float, D> x = random_unknowns<float>(ex, system, 21),
                        b = random_unknowns<float>(ex, system, 22);
  Field<float, D> out = work_field<float>(ex, system);
  const float first = 0.6f, second = 1.3f;

  first_two_sweeps(ex, system, out, b, first, second);
  const Field<double, D> zero(ex, system.topology), once = naive.swept(ex, zero, b, first);
  expect_near(out, naive.swept(ex, once, b, second), "first_two_sweeps");

  const Field<double, D> expected = naive.swept(ex, x, b, second);
  sweep(ex, system, out, x, b, second);
  expect_near(out, expected, "sweep");

  out = work_field<float>(ex, system);
  const double product = last_sweep(ex, system, out, x, b, second);
  expect_near(out, expected, "last_sweep");
  double sum = 0, size = 0;
  for_system_cells(*system.topology, [&](const CellIndex<D>&, const Coord<D>& c) {
    sum += expected.get(c) * b.get(c);
    size += std::abs(expected.get(c) * b.get(c));
  });
  EXPECT_NEAR(product, sum, 1e-5 * size);
}

template <int D>
Coord<D> coarse_of(Coord<D> c) {
  for (int a = 0; a < D; ++a) c[a] = floor_div(c[a], 2);
  return c;
}

template <int D>
void expect_transfers(Exec& ex, const PressureSystem<D>& system, const CoarseSystem<D>& level) {
  const Naive<D> naive{system};
  const Field<float, D> x = random_unknowns<float>(ex, system, 31),
                        b = random_unknowns<float>(ex, system, 32);
  const TopologyPtr<D>& to = level.system.topology;

  Field<double, D> restricted(ex, to);
  for_system_cells(*system.topology, [&](const CellIndex<D>& i, const Coord<D>& c) {
    if (naive.diagonal(i) <= 0) return;
    const double share = 4. / ipow<D>(2) * naive.residual(x, b, i);
    restricted.set(coarse_of(c), restricted.get(coarse_of(c)) + share);
  });
  Field<float, D> coarse(ex, to);
  restrict_residual(ex, coarse, system, x, b, level);
  expect_near(coarse, restricted, "restrict_residual");

  Field<float, D> fine = x.clone(ex);
  coarse = random_unknowns<float>(ex, level.system, 33);
  prolong_add(ex, fine, system, coarse, level);
  for_system_cells(*system.topology, [&](const CellIndex<D>& i, const Coord<D>& c) {
    const float expected = naive.diagonal(i) > 0 ? x.get(c) + coarse.get(coarse_of(c)) : 0.f;
    ASSERT_NEAR(fine.get(c), expected, 1e-6) << "prolong_add " << c;
  });
}

// Each on the grid itself and the two next coarser ones, whose links have other values.
TYPED_TEST(Multigrid, PassesAgreeWithOneCellAtATime) {
  constexpr int D = TestFixture::dimension;
  for (const SystemKind kind : kinds) {
    SCOPED_TRACE(int(kind));
    const SystemCase<D> finest(this->ex, kind);
    AirSides<D> air;
    const CoarseSystem<D> next = coarsen(this->ex, finest.system, air),
                          last = coarsen(this->ex, next.system, air);
    for (const PressureSystem<D>* system : {&finest.system, &next.system, &last.system})
      expect_sweeps(this->ex, *system);
    expect_transfers(this->ex, finest.system, next);
    expect_transfers(this->ex, next.system, last);
  }
}

// The systems above have rows of every kind, so that every pass goes every way.
TYPED_TEST(Multigrid, TheSystemsHaveTilesAndRowsOfEveryKind) {
  constexpr int D = TestFixture::dimension;
  for (const SystemKind kind : kinds) {
    const PressureSystem<D> system = SystemCase<D>(this->ex, kind).system;
    int deep = 0, plain = 0, plain_rows = 0, masked_rows = 0, other_rows = 0;
    for (int tile = 0; tile < system.topology->tile_count(); ++tile) {
      const int slot = system.slot[std::size_t(tile)];
      deep += slot == deep_tile;
      plain += slot == plain_tile && system.topology->has_active(tile);
      if (slot < 0) continue;
      const RowKinds rows = system.kinds[std::size_t(slot)];
      plain_rows += std::popcount(rows.plain);
      masked_rows += std::popcount(rows.masked & ~rows.plain);
      other_rows += tile_rows<D> - std::popcount(rows.masked | rows.plain);
    }
    EXPECT_GE(deep, 1);
    EXPECT_GE(plain, 2 * D);
    EXPECT_GE(plain_rows, 10);
    EXPECT_GE(masked_rows, 10);
    EXPECT_GE(other_rows, 10);
  }
}

// Tiles of air round a liquid are no part of its system, on any grid: what lies there before a solve is zero
// after it, and changes nothing.
TYPED_TEST(Multigrid, LeavesOutTilesWithoutLiquid) {
  constexpr int D = TestFixture::dimension;
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(48)}, Side::wall);
  const TopologyPtr<D> topology = Topology<D>::of_box(this->ex, domain);
  Field<float, D> surface(this->ex, topology);
  for_each_coord(domain.cells, [&](const Coord<D>& c) { surface.set(c, float(c[0]) + 0.7f - 18.f); });
  const PressureSystem<D> system =
      pressure_system(this->ex, open_fraction(this->ex, topology), std::move(surface));
  AirSides<D> air;
  const CoarseSystem<D> coarse = coarsen(this->ex, system, air);
  const auto dry = [](const PressureSystem<D>& s) {
    return std::count(s.slot.begin(), s.slot.end(), dry_tile);
  };
  EXPECT_EQ(dry(system), 3 * ipow<D - 1>(6));
  EXPECT_EQ(dry(coarse.system), ipow<D - 1>(3));
  const Regions<D> regions = find_regions(this->ex, system);
  EXPECT_EQ(regions.count, 1);
  EXPECT_TRUE(regions.floating.empty());
  const Field<double, D> b = random_unknowns<double>(this->ex, system, 61);
  Field<double, D> p(this->ex, topology), q(this->ex, topology, 3.);
  for (Field<double, D>* x : {&p, &q})
    EXPECT_TRUE(
        solve(this->ex, *x, b, system, regions, PressureSolver::multigrid_pcg, 1., {.relative = 1e-10})
            .converged);
  for_each_coord(domain.cells, [&](const Coord<D>& c) {
    ASSERT_NEAR(p.get(c), q.get(c), 1e-7) << c;
    if (c[0] >= 18) {
      ASSERT_EQ(q.get(c), 0) << c;
    }
  });
}

// What a fine cell's side leads to in the air: the open fraction and the distance in cells.
template <int D>
double coarse_conductance(const PressureSystem<D>& system, const Coord<D>& c, int a, int step) {
  const Coord<D> other = c + Coord<D>::unit(a, step);
  const Coord<D> face = step < 0 ? c : other;
  const double w = system.open[a].stores(face) ? double(system.open[a].get(face)) : 0.;
  double theta = 1;
  if (system.surface.topology()) {
    const double in = system.surface.get(c),
                 out = system.surface.stores(other) ? double(system.surface.get(other)) : 0.;
    theta = std::clamp(in / (in - std::max(out, 0.)), 1e-6, 1.);
  }
  const bool outer = (c[a] & 1) == (step > 0);  // of its coarse cell
  return w / std::max(0.5 * (theta + (outer ? 0.5 : -0.5)), 0.125);
}

// A coarse link is the mean of the fine ones across the face, and what leads to air is as near as it was.
TYPED_TEST(Multigrid, CoarseLinksAreMeansOfFineOnes) {
  constexpr int D = TestFixture::dimension;
  for (const SystemKind kind : kinds) {
    SCOPED_TRACE(int(kind));
    const SystemCase<D> finest(this->ex, kind);
    AirSides<D> air;
    const CoarseSystem<D> next = coarsen(this->ex, finest.system, air),
                          last = coarsen(this->ex, next.system, air);
    int between = 0;  // coarse links that are neither open nor closed
    for (const auto& [fine, coarse] :
         {std::pair{&finest.system, &next.system}, std::pair{&next.system, &last.system}}) {
      Field<double, D> links[2 * D], to_air(this->ex, coarse->topology);
      for (auto& link : links) link = Field<double, D>(this->ex, coarse->topology);
      const bool is_finest = fine == &finest.system;
      const double share = 1. / ipow<D - 1>(2);
      const SystemView<D> view = fine->view();
      for_system_cells(*fine->topology, [&](const CellIndex<D>& i, const Coord<D>& c) {
        const Coord<D> up = coarse_of(c);
        if (view.diagonal(i) <= 0) return;
        for (int a = 0; a < D; ++a)
          for (const int step : {-1, +1}) {
            const float link = view.link(i, a, step);
            Field<double, D>& sum = links[2 * a + (step > 0)];
            if ((c[a] & 1) == (step > 0)) sum.set(up, sum.get(up) + share * double(link));
            if (is_finest && link == 0) {
              const Coord<D> other = c + Coord<D>::unit(a, step);
              const CellIndex<D> there{i.tile, i.neighbours, i.at};
              const bool wet = fine->topology->view().active_bits(there, a, step) &&
                               (!fine->surface.topology() || fine->surface.get(other) < 0);
              if (!wet) to_air.set(up, to_air.get(up) + share * coarse_conductance(*fine, c, a, step));
            }
          }
      });
      for_system_cells(*coarse->topology, [&](const CellIndex<D>& i, const Coord<D>& c) {
        double sum = 0;
        for (int side = 0; side < 2 * D; ++side) {
          const double expected = links[side].get(c);
          ASSERT_NEAR(coarse->view().link(i, side / 2, side % 2 ? +1 : -1), expected, 1e-6) << c << side;
          between += expected > 0.01 && expected < 0.99;
          sum += expected;
        }
        if (is_finest) {
          ASSERT_NEAR(coarse->view().diagonal(i), sum + to_air.get(c), 1e-5 * (1 + sum + to_air.get(c))) << c;
        }
      });
    }
    EXPECT_GT(between, 100);
  }
}

// In a region that touches no air a constant is free, and gets a price: a right side of one everywhere, which
// nothing can meet, gives an answer of its size, and one that adds up to zero is met.
TYPED_TEST(Multigrid, TheCoarsestGridHoldsConstantsInEachPocket) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(D == 2 ? 10 : 6)}, Side::wall));
  MacField<float, D> open = open_fraction(this->ex, topology);
  for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
    if (c[0] == 2 || c[0] == 3) open[0].set(c, 0);  // pockets of different sizes
  });
  const PressureSystem<D> system = pressure_system(this->ex, std::move(open));
  const Regions<D> regions = find_regions(this->ex, system);
  ASSERT_EQ(regions.floating.size(), 3u);
  BottomSolver<D> bottom(system);
  Field<float, D> x(this->ex, topology), b(this->ex, topology);
  for_each_coord(topology->domain().cells, [&](const Coord<D>& c) { b.set(c, 1); });
  bottom.solve(x, b);
  for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
    ASSERT_GT(x.get(c), 1.f / (2 * D + 1)) << c;
    ASSERT_LT(x.get(c), 1.f) << c;
  });
  b = random_unknowns<float>(this->ex, system, 43);
  remove_means(this->ex, b, regions);
  bottom.solve(x, b);
  const Naive<D> naive{system};
  for_system_cells(*topology, [&](const CellIndex<D>& i, const Coord<D>& c) {
    if (naive.diagonal(i) > 0) {
      ASSERT_NEAR(naive.residual(x, b, i), 0, 1e-5) << c;
    }
  });
  for (const double mean : remove_means(this->ex, x, regions)) EXPECT_NEAR(mean, 0, 1e-6);
}

template <int D>
double product(const Field<float, D>& x, const Field<float, D>& y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += double(x.data()[k]) * double(y.data()[k]);
  return sum;
}

// <M x, y> = <x, M y>, and M is positive: what conjugate gradients ask for.
TYPED_TEST(Multigrid, TheCycleIsSymmetric) {
  constexpr int D = TestFixture::dimension;
  for (const SystemKind kind : kinds) {
    SCOPED_TRACE(int(kind));
    const SystemCase<D> c(this->ex, kind);
    const Regions<D> regions = find_regions(this->ex, c.system);
    EXPECT_EQ(int(regions.floating.size()) == regions.count, kind == SystemKind::floating);
    const auto m = make_multigrid(this->ex, c.system);
    Field<float, D> r[2], z[2];
    for (const int k : {0, 1}) {
      r[k] = random_unknowns<float>(this->ex, c.system, 41 + std::uint64_t(k));
      remove_means(this->ex, r[k], regions);
      z[k] = work_field<float>(this->ex, c.system);
      const double returned = m->apply(this->ex, z[k], r[k]);
      EXPECT_GT(returned, 0);
      EXPECT_NEAR(returned, product(z[k], r[k]), 1e-4 * returned);
    }
    const double size = std::sqrt(product(z[0], r[0]) * product(z[1], r[1]));
    EXPECT_NEAR(product(z[0], r[1]), product(z[1], r[0]), 1e-4 * size);
  }
}

// A liquid whose surface passes a hair above some centres: their diagonals are thousands of times their
// links, and take no more cycles than others.
TYPED_TEST(Multigrid, ASurfaceMayPassCloseToCentres) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::wall));
  const auto iterations = [&](float least) {
    Field<float, D> surface(this->ex, topology, 1);
    std::uint64_t id = 0;
    for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
      const float waves = 20 + 3 * std::sin(0.4f * float(c[0]) + 0.3f * float(c[D - 1]));
      const float distance = float(c[1]) + 0.5f - waves;
      const bool close = distance < 0 && distance > -1 && Rng(5, id++).uniform() < 0.1f;
      surface.set(c, close ? -least : distance);
    });
    const PressureSystem<D> system =
        pressure_system(this->ex, open_fraction(this->ex, topology), std::move(surface));
    const Field<double, D> b = random_unknowns<double>(this->ex, system, 51);
    Field<double, D> p(this->ex, topology);
    const SolveReport report = solve(this->ex, p, b, system, find_regions(this->ex, system),
                                     PressureSolver::multigrid_pcg, 1, {.relative = 1e-4});
    EXPECT_TRUE(report.converged);
    return report.iterations;
  };
  const int apart = iterations(0.5f), close = iterations(1e-4f);
  std::printf("%dD: %d iterations, with a surface close to centres %d\n", D, apart, close);
  EXPECT_LE(apart, 6);
  EXPECT_LE(close, apart + 1);
}

}  // namespace
}  // namespace whorl
