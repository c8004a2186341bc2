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
    extend_into_air(s.ex, s.velocity, s.system, find_air(s.ex, s.system, s.occupied, s.weight), 4);
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
  extend_into_air(s.ex, s.velocity, s.system, find_air(s.ex, s.system, s.occupied, s.weight), 4);
  for_each_coord(Box<D>{Coord<D>::filled(2), Coord<D>::filled(22)}, [&](const Coord<D>& cell) {
    if (s.system.surface.get(cell) > 2) return;
    for (int a = 0; a < D; ++a)
      EXPECT_NEAR(s.velocity[a].get(cell), a + 1, 1e-5) << cell[0] << ' ' << cell[1];
  });
}

// A drop in a cell that no liquid is next to has the faces of that cell for itself, also where the surface is
// right below it, and further away all that it reaches.
TYPED_TEST(Stages, DropsGoOnFalling) {
  constexpr int D = TestFixture::dimension;
  for (const bool mirrored : {false, true})
    for (const int height : {1, 5}) {
      Slope<D> s(mirrored);
      const Coord<D> up = Coord<D>::unit(1) * (mirrored ? -1 : 1);
      Coord<D> drop = Coord<D>::filled(11);
      while (s.is_liquid(drop)) drop = drop + up;
      while (!s.is_liquid(drop - up)) drop = drop - up;
      drop = drop + up * height;
      Coord<D> tile, place;
      for (int a = 0; a < D; ++a) tile[a] = drop[a] / tile_side, place[a] = drop[a] % tile_side;
      s.occupied.rows[std::size_t(s.topology->map().find(tile)) * tile_rows<D> +
                      std::size_t(cell_offset<D>(place)) / tile_side] = std::uint8_t(1u << place[D - 1]);
      for (int a = 0; a < D; ++a)
        for_each_coord(Box<D>{Coord<D>::filled(-1), Coord<D>::filled(2)}, [&](const Coord<D>& step) {
          if (step[a] >= 0) s.weight[a].set(drop + step, 1);
        });
      const MacField<float, D> before = s.velocity.clone(s.ex);
      extend_into_air(s.ex, s.velocity, s.system, find_air(s.ex, s.system, s.occupied, s.weight), 4);
      for (int a = 0; a < D; ++a)
        for_each_coord(Box<D>{Coord<D>::filled(-1), Coord<D>::filled(2)}, [&](const Coord<D>& step) {
          bool own = true;
          for (int b = 0; b < D; ++b) own = own && (step[b] == 0 || (b == a && step[b] == 1));
          if (step[a] < 0 || (height == 1 && !own)) return;
          EXPECT_EQ(s.velocity[a].get(drop + step), before[a].get(drop + step))
              << "mirrored " << mirrored << ", height " << height << ", axis " << a;
        });
    }
}

}  // namespace
}  // namespace whorl
