// Vortices against what is known of them: two that must part (V-B5) and a ring that must travel (V-B7).
#include "cases/vortices.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(TaylorVortices, Part) { expect_rows(two_vortices); }
TEST(VortexRing, TravelsAtItsSpeed) { expect_rows(vortex_ring); }

}  // namespace
}  // namespace whorl
