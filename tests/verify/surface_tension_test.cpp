// V-E1: drops are at rest, with the pressure that they should have. V-E3: capillary waves have their
// frequency.
#include "cases/surface_tension.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(Laplace, ADropIsAtRest2D) { expect_rows(drop_at_rest_2d); }
TEST(Laplace, ADropIsAtRest3D) { expect_rows(drop_at_rest_3d); }
TEST(CapillaryWave, HasItsFrequency) { expect_rows(capillary_wave); }

TEST(Laplace, ADropOfParticlesHasItsPressure) { expect_rows(drop_of_particles); }

}  // namespace
}  // namespace whorl
