// The velocity of liquid, continued into the air.
#include "stages/extend_into_air.h"

#include "stages_case.h"

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

// A slope of liquid under air; velocities at random, as no projection would leave them.
template <int D>
struct Slope {
  Exec ex{{.threads = 2}};
  TopologyPtr<D> topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(24)}, Side::wall));
  PressureSystem<D> system;
  MacField<float, D> velocity{ex, topology}, weight{ex, topology};
  CellMask<D> occupied = empty_mask(ex, topology);

  explicit Slope(bool mirrored = false) {
    system.open = MacField<float, D>(ex, topology);
    system.surface = Field<float, D>(ex, topology);
    randomise(velocity, 7);
    for (int a = 0; a < D; ++a)
      for (std::size_t k = 0; k < system.open[a].size(); ++k) system.open[a].data()[k] = 1;
    for_each_coord(topology->domain().cells, [&](const Coord<D>& cell) {
      const int x = mirrored ? 23 - cell[0] : cell[0], y = mirrored ? 23 - cell[1] : cell[1];
      system.surface.set(cell, float(y + 0.4 * x) - 15.3f);
    });
  }
  bool is_liquid(const Coord<D>& cell) const { return system.surface.get(cell) < 0; }
  double inflow(const Coord<D>& cell) const {
    double in = 0;
    for (int a = 0; a < D; ++a)
      in += double(velocity[a].get(cell) - velocity[a].get(cell + Coord<D>::unit(a)));
    return in;
  }
};

// But where all faces of a cell have liquid near: there is nowhere to let it out.
TYPED_TEST(Stages, AirNextToLiquidLetsOutWhatComesIn) {
  constexpr int D = TestFixture::dimension;
  for (const bool mirrored : {false, true}) {
    Slope<D> s(mirrored);
    const MacField<float, D> before = s.velocity.clone(s.ex);
    extend_into_air(s.ex, s.velocity, s.system, s.occupied, s.weight, 4);
    int balanced = 0, next = 0;
    for_each_coord(Box<D>{Coord<D>::filled(2), Coord<D>::filled(22)}, [&](const Coord<D>& cell) {
      bool beside = false;
      for (int a = 0; a < D; ++a) {
        const Coord<D> low = cell - Coord<D>::unit(a), high = cell + Coord<D>::unit(a);
        beside = beside || s.is_liquid(low) || s.is_liquid(high);
        // What the projection found stays.
        if (s.is_liquid(cell) || s.is_liquid(low)) {
          EXPECT_EQ(s.velocity[a].get(cell), before[a].get(cell));
        }
      }
      if (s.is_liquid(cell) || !beside) return;
      ++next;
      balanced += std::abs(s.inflow(cell)) < 1e-5;
    });
    std::printf("%d of %d cells next to liquid are in balance\n", balanced, next);
    EXPECT_GE(next, 20);
    EXPECT_EQ(balanced, next);
  }
}

// A flow that is the same everywhere goes on so.
TYPED_TEST(Stages, UniformFlowGoesOnIntoTheAir) {
  constexpr int D = TestFixture::dimension;
  Slope<D> s;
  for (int a = 0; a < D; ++a)
    for_each_coord(s.topology->domain().cells, [&](const Coord<D>& cell) {
      const bool wet = s.is_liquid(cell) || (cell[a] > 0 && s.is_liquid(cell - Coord<D>::unit(a)));
      s.velocity[a].set(cell, wet ? float(a + 1) : 0.f);
    });
  extend_into_air(s.ex, s.velocity, s.system, s.occupied, s.weight, 4);
  for_each_coord(Box<D>{Coord<D>::filled(2), Coord<D>::filled(22)}, [&](const Coord<D>& cell) {
    if (s.system.surface.get(cell) > 2) return;
    for (int a = 0; a < D; ++a)
      EXPECT_NEAR(s.velocity[a].get(cell), a + 1, 1e-5) << cell[0] << ' ' << cell[1];
  });
}

// Over a face of air next to liquid, a drop falls by its own velocity, as do all faces round it.
TYPED_TEST(Stages, ADropNextToTheSurfaceGoesOnFalling) {
  constexpr int D = TestFixture::dimension;
  Slope<D> s;
  Coord<D> drop = Coord<D>::filled(11);
  while (s.is_liquid(drop - Coord<D>::unit(1)) || s.is_liquid(drop)) ++drop[1];
  while (!s.is_liquid(drop - Coord<D>::unit(1) - Coord<D>::unit(1))) --drop[1];
  ASSERT_FALSE(s.is_liquid(drop - Coord<D>::unit(0)));  // no liquid is next to it, but to what is below it
  std::fill(s.occupied.rows.begin(), s.occupied.rows.end(),
            std::uint8_t(0xff));  // no face but the drop's is reached
  for (int a = 0; a < D; ++a)
    for (const Coord<D>& face : {drop, drop + Coord<D>::unit(a)}) {
      s.weight[a].set(face, 1);
      s.velocity[a].set(face, a == 1 ? -5.f : 0.f);
    }
  extend_into_air(s.ex, s.velocity, s.system, s.occupied, s.weight, 4);
  for (int a = 0; a < D; ++a)
    for (const Coord<D>& face : {drop, drop + Coord<D>::unit(a)})
      EXPECT_EQ(s.velocity[a].get(face), a == 1 ? -5.f : 0.f) << "axis " << a;
}

}  // namespace
}  // namespace whorl
