// V-D7: what transfers between particles and the grid keep.
#include "cases/transfers.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(Transfers, KeepAngularMomentum) { expect_rows(transfers); }

}  // namespace
}  // namespace whorl
