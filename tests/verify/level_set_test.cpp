// V-B9 and V-B10: shapes that level sets carry keep their areas.
#include "cases/level_set.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(ZalesakDisk, KeepsItsAreaWithMarkers) { expect_rows(zalesak_disk); }
TEST(ZalesakDisk, ShrinksWithoutMarkers) { expect_rows(zalesak_disk_plain); }
TEST(ZalesakDisk, IsLostBySamplingAlone) { expect_rows(zalesak_disk_sampled); }
TEST(VortexInABox, KeepsItsAreaWithMarkers) { expect_rows(vortex_in_a_box); }
TEST(VortexInABox, EndsElsewhereWithoutMarkers) { expect_rows(vortex_in_a_box_plain); }

TEST(ZalesakDisk, KeepsItsAreaByParticles) { expect_rows(zalesak_disk_particles); }
TEST(VortexInABox, KeepsItsAreaByParticles) { expect_rows(vortex_in_a_box_particles); }

}  // namespace
}  // namespace whorl
