// V-P3: water at rest in a tank turned against the grid, its surface where it is, stays at rest.
#include "cases/hydrostatics.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(Hydrostatics, WaterStaysAtRest2D) { expect_rows(water_at_rest_2d); }
TEST(Hydrostatics, WaterStaysAtRest3D) { expect_rows(water_at_rest_3d); }

// Air one cell away from every cell at the surface, as without the ghost fluid: the test can tell.
TEST(Hydrostatics, WithoutItsSurfaceItDoesNot) {
  Findings found;
  WaterTank<2> tank(64, 17, 0.3, 0.0312);
  for (std::size_t c = 0; c < tank.system.surface.size(); ++c)
    tank.system.surface.data()[c] = tank.system.surface.data()[c] < 0 ? -1.f : 0.f;
  tank.system = pressure_system(tank.ex, std::move(tank.system.open), std::move(tank.system.surface));
  found.at_least("speed of the water", tank.speed_after(found, 10, 1e-6), 1e-3);
  expect_rows(found);
}

}  // namespace
}  // namespace whorl
