// V-B3 and V-B4: Taylor–Green vortices lose the energy that viscosity takes, and hardly more.
#include "cases/taylor_green.h"
#include "expect_rows.h"
#include "stages/measure.h"

#include <cmath>

namespace whorl {
namespace {

TEST(ViscousTaylorGreen, KeepsTheEnergyOfTheExactFlow) { expect_rows(viscous_taylor_green); }
TEST(ViscousTaylorGreen, IsTheTableIn3D) { expect_rows(viscous_taylor_green_3d); }

// Walls that are slippery mirrors: an eighth of the box has the energy of the whole.
TEST(ViscousTaylorGreen, AnEighthIsTheWhole) {
  Exec ex;
  const int n = 32;
  const double h = 2 * M_PI / n;
  SmokeState<3> whole = taylor_green_vortex<3>(ex, n, Side::periodic, h),
                eighth = taylor_green_vortex<3>(ex, n / 2, Side::wall, h);
  const SmokeParams<3> p = taylor_green_params<3>(h, 0.01, WallFriction::free_slip);
  for (int k = 0; k < 40; ++k) {
    EXPECT_TRUE(step(ex, whole, p, 0.05).diffusion.converged);
    EXPECT_TRUE(step(ex, eighth, p, 0.05).diffusion.converged);
  }
  const double energy = kinetic_energy(ex, whole.velocity, h);
  EXPECT_NEAR(8 * kinetic_energy(ex, eighth.velocity, h), energy, 1e-4 * energy);
}

}  // namespace
}  // namespace whorl
