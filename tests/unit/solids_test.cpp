// Solids on the grid: closed faces, what is behind walls, and a pressure that goes round them.
#include "stages/solids.h"
#include "base/rng.h"
#include "stages/box_cells.h"
#include "stages/extend.h"
#include "stages/extrapolate.h"
#include "stages/project.h"
#include "stages/sides.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

template <class T>
class Solids : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Solids, Dimensions);

template <int D>
Shape<D> ball(double centre, double radius) {
  return SphereShape<D>{Vec<double, D>::filled(centre), radius};
}

template <int D>
CutFaces<D> faces_round(Exec& ex, const TopologyPtr<D>& topology, const Solid<D>& solid, double h,
                        WallMode mode = WallMode::cut) {
  return cut_faces<D>(ex, topology, {&solid, 1}, &Solid<D>::shape, h, mode);
}

TYPED_TEST(Solids, VoxelsCloseTheFacesOfCoveredCells) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
  const Shape<D> solid = ball<D>(6.1, 2.3);
  const MacField<float, D> open =
      faces_round<D>(this->ex, topology, {{}, solid, {}}, h, WallMode::voxel).open;
  int closed = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const Vec<double, D> x = sample_place(c, a, h), half = Vec<double, D>::unit(a, h / 2);
      const bool covered = solid.contains(x - half) || solid.contains(x + half);
      ASSERT_EQ(open[a].get(c), covered ? 0.f : 1.f) << c << " axis " << a;
      closed += covered;
    }
  });
  EXPECT_GT(closed, 20);
}

TYPED_TEST(Solids, GiveTheirFacesTheirVelocity) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.5;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(9.f));
  Solid<D> solid;
  solid.shape = ball<D>(6.1, 2.3);
  solid.velocity.at_origin = Vec<double, D>::filled(0.25);
  solid.velocity.gradient[0] = Vec<double, D>::unit(1, 2.);  // a turn about z
  solid.velocity.gradient[1] = Vec<double, D>::unit(0, -2.);
  enforce_solids(this->ex, u, faces_round(this->ex, topology, solid, h, WallMode::voxel));
  for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const Vec<double, D> x = sample_place(c, a, h);
      const double turn = a == 0 ? -2 * x[1] : a == 1 ? 2 * x[0] : 0;
      const Vec<double, D> half = Vec<double, D>::unit(a, h / 2);
      const bool covered = solid.shape.contains(x - half) || solid.shape.contains(x + half);
      ASSERT_FLOAT_EQ(u[a].get(c), covered ? float(0.25 + turn) : 9.f) << c;
    }
  });
}

TYPED_TEST(Solids, ExtrapolationTakesMeansLayerByLayer) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> q(this->ex, topology, -1.f);
  CellMask<D> known = empty_mask(this->ex, topology), all = empty_mask(this->ex, topology);
  const TopologyView<D> cells = topology->view();
  const auto know = known.store(), want = all.store();
  const FieldView<float, D> value = q.view();
  for_rows(this->ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const int x = cells.tiles[r.tile][0] * tile_side + r.at[0];
    know(r, x < 6 ? 0xff : 0);
    want(r, x < 12 ? 0xff : 0);
    if (x < 6) value.store(r, Lane<float>(float(10 * (r.at[D - 2] % 2))) + Lane<float>(1.f));
  });
  EXPECT_EQ(extrapolate(this->ex, q, known, all, 3), 3);
  for_each_coord(Box<D>{{}, Coord<D>::filled(16)}, [&](const Coord<D>& c) {
    if (c[0] < 6) return;
    // A layer is filled from the one before it, straight across: its own cells are not known yet.
    const Coord<D> from = c - Coord<D>::unit(0, c[0] - 5);
    ASSERT_EQ(q.get(c), c[0] < 9 ? q.get(from) : -1.f) << c;
  });
}

TYPED_TEST(Solids, FluidIsExtendedBehindWallsAndClearedAgain) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
  Solid<D> floor;
  floor.shape = PlaneShape<D>{Vec<double, D>::unit(1, 8.25), Vec<double, D>::unit(1)};
  const CutFaces<D> faces = faces_round(this->ex, topology, floor, 1.);
  const CellMask<D> fluid = fluid_cells(this->ex, faces.open);
  Field<float, D> q(this->ex, topology);
  MacField<float, D> u(this->ex, topology);
  for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
    if (c[1] < 8) return;
    q.set(c, 5.f);
    u[0].set(c, 3.f);  // slips along the floor
    if (c[1] > 8) u[1].set(c, -2.f);
  });
  extend_into_solids(this->ex, q, fluid);
  extend_into_solids<D>(this->ex, u, faces.open, {&floor, 1}, &Solid<D>::shape, 1.,
                        VelocityExtension::closest_point);
  for_each_coord(Box<D>{Coord<D>::filled(4), Coord<D>::filled(20)}, [&](const Coord<D>& c) {
    ASSERT_EQ(q.get(c), c[1] >= 5 ? 5.f : 0.f) << c;
    ASSERT_EQ(u[0].get(c), c[1] >= 4 ? 3.f : 0.f) << c;
    ASSERT_EQ(u[1].get(c), c[1] > 8 ? -2.f : 0.f) << c;  // nothing goes into the wall
  });
  clear_solids(this->ex, q, fluid);
  for_each_coord(Box<D>{{}, Coord<D>::filled(24)},
                 [&](const Coord<D>& c) { ASSERT_EQ(q.get(c), c[1] >= 8 ? 5.f : 0.f) << c; });
}

// A box that is endless but along one axis.
template <int D>
Shape<D> slab(int axis, double lo, double hi) {
  BoxShape<D> box{Vec<double, D>::filled(-100.), Vec<double, D>::filled(100.)};
  box.min[axis] = lo;
  box.max[axis] = hi;
  return box;
}

template <int D>
TopologyPtr<D> open_box(Exec& ex) {
  return Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::open));
}

TYPED_TEST(Solids, AFaceThatIsHardlyOpenIsClosed) {
  constexpr int D = TestFixture::dimension;
  const auto topology = open_box<D>(this->ex);
  for (const double part : {0.5, 1.5}) {  // of what a face must have open
    const Solid<D> solid{{}, slab<D>(1, 8 + part * least_open_part, 100), {}};
    const CutFaces<D> faces = faces_round(this->ex, topology, solid, 1.);
    for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
      const double expected = c[1] < 8 ? 1. : c[1] > 8 || part < 1 ? 0. : part * least_open_part;
      ASSERT_NEAR(faces.open[0].get(c), expected, 1e-6) << c;
    });
  }
}

// Two slabs with a gap between them that is narrower than a face and away from its centre, moved and turned
// as a whole: each is seen by itself.
TYPED_TEST(Solids, AGapInAMovedUnionStaysOpen) {
  constexpr int D = TestFixture::dimension;
  const auto topology = open_box<D>(this->ex);
  const Shape<D> fixed = UnionShape<D>{{slab<D>(1, -100, 8.15), slab<D>(1, 8.4, 100)}};
  const Shape<D> small = UnionShape<D>{{slab<D>(1, -100, 3.075), slab<D>(1, 3.2, 100)}};
  const Shape<D> turned = UnionShape<D>{{slab<D>(1, -100, -8.4), slab<D>(1, -8.15, 100)}};
  const Vec<double, D> up = Vec<double, D>::unit(1, 2.);
  TransformShape<D> scaled{.parts = {small}, .translate = up, .scale = 2};
  TransformShape<D> upside_down{.parts = {turned}};
  PosedShape<D> lifted{.parts = {scaled}, .translate = up * 3.};
  PosedShape<D> posed{.parts = {fixed}, .translate = up * 0.5};
  upside_down.rotate_deg[D * (D - 1) / 2 - 1] = 180;  // about z
  const std::pair<Shape<D>, int> cases[] = {
      {fixed, 8}, {scaled, 8}, {upside_down, 8}, {posed, 9}, {lifted, 14}};
  for (const auto& [shape, row] : cases) {
    const CutFaces<D> faces = faces_round<D>(this->ex, topology, {{}, shape, {}}, 1.);
    for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
      ASSERT_NEAR(faces.open[0].get(c), c[1] == row ? 0.25 : 0., 1e-6) << c << " gap in " << row;
    });
  }
}

// A face that two solids cover in part has the velocity of the one that is nearer to its centre.
TYPED_TEST(Solids, AFaceMovesWithTheNearestOfThem) {
  constexpr int D = TestFixture::dimension;
  const auto topology = open_box<D>(this->ex);
  for (const bool swapped : {false, true})
    for (const double low_end : {8.1, 8.3}) {
      Solid<D> solids[2];
      solids[swapped].shape = slab<D>(1, -100, low_end);
      solids[swapped].velocity.at_origin = Vec<double, D>::filled(2.);
      solids[!swapped].shape = slab<D>(1, 8.8, 100);  // 0.3 from the centre
      solids[!swapped].velocity.at_origin = Vec<double, D>::filled(-3.);
      const CutFaces<D> faces = cut_faces<D>(this->ex, topology, solids, &Solid<D>::shape, 1., WallMode::cut);
      for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
        const bool low = c[1] < 8 || (c[1] == 8 && low_end > 8.2);
        ASSERT_EQ(faces.walls[0].get(c), low ? 2.f : -3.f) << c << ' ' << low_end << ' ' << swapped;
        if (c[1] == 8) {
          ASSERT_NEAR(faces.open[0].get(c), 8.8 - low_end, 1e-6) << c;
        }
      });
    }
}

// A floor that rises and slides: the faces behind it rise with it, and slip along it.
TYPED_TEST(Solids, FacesBehindAMovingWallHaveItsSpeedAcrossIt) {
  constexpr int D = TestFixture::dimension;
  const auto topology = open_box<D>(this->ex);
  Solid<D> floor;
  floor.shape = PlaneShape<D>{Vec<double, D>::unit(1, 8.25), Vec<double, D>::unit(1)};
  floor.velocity.at_origin = Vec<double, D>::unit(1, 0.75) + Vec<double, D>::unit(0, 11.);
  const CutFaces<D> faces = faces_round(this->ex, topology, floor, 1.);
  MacField<float, D> u(this->ex, topology);
  for_each_coord(Box<D>{{}, Coord<D>::filled(24)}, [&](const Coord<D>& c) {
    if (c[1] >= 8) u[0].set(c, 3.f);
    if (c[1] > 8) u[1].set(c, -2.f);
  });
  extend_into_solids<D>(this->ex, u, faces.open, {&floor, 1}, &Solid<D>::shape, 1.,
                        VelocityExtension::closest_point);
  for_each_coord(Box<D>{Coord<D>::filled(4), Coord<D>::filled(20)}, [&](const Coord<D>& c) {
    if (c[1] < 5) return;  // too deep for anything to come there
    ASSERT_NEAR(u[0].get(c), 3.f, 1e-5) << c;
    ASSERT_NEAR(u[1].get(c), c[1] > 8 ? -2.f : 0.75f, 1e-5) << c;
  });
}

// Every solver finds the same divergence-free flow round a ball, in the open and in a closed box, where the
// constant that the pressure may have must not count the cells inside the ball.
TYPED_TEST(Solids, TheFlowGoesRoundThem) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.1, dt = 0.05;
  for (const Side side : {Side::open, Side::wall})
    for (const PressureSolver solver :
         {PressureSolver::multigrid_pcg, PressureSolver::mic_pcg, PressureSolver::cg}) {
      const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, side));
      MacField<float, D> u(this->ex, topology);
      for (int a = 0; a < D; ++a)
        for (std::size_t k = 0; k < u[a].size(); ++k)
          u[a].data()[k] = Rng(5 + std::uint64_t(a), k).uniform(-1, 1);
      Solid<D> solid;
      solid.shape = ball<D>(1.57, 0.6);
      CutFaces<D> faces = faces_round(this->ex, topology, solid, h);
      enforce_solids(this->ex, u, faces);
      enforce_sides(this->ex, u, {});
      const MacField<float, D> open = faces.open.clone(this->ex);
      const PressureSystem<D> system = pressure_system(this->ex, std::move(faces.open));
      Field<double, D> pressure(this->ex, topology);
      const ProjectionParams params{solver, {.relative = 0, .absolute = 1e-4}};
      const SolveReport report = project(this->ex, u, pressure, system, {}, params, h, dt);
      EXPECT_TRUE(report.converged) << int(solver);
      EXPECT_LT(report.residual, 2e-4) << int(solver);
      if (solver == PressureSolver::multigrid_pcg) {
        EXPECT_LE(report.iterations, 14);
      }
      // Nothing passes the ball's own faces.
      for (int a = 0; a < D; ++a)
        for_each_coord(Box<D>{Coord<D>::filled(8), Coord<D>::filled(24)}, [&](const Coord<D>& c) {
          if (open[a].get(c) == 0) {
            ASSERT_EQ(u[a].get(c), 0.f) << c;
          }
        });
    }
}

}  // namespace
}  // namespace whorl
