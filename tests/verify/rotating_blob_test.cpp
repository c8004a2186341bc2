// V-B1: what is left of a blob after one turn.
#include "cases/rotating_blob.h"
#include "expect_rows.h"

namespace whorl {
namespace {

TEST(RotatingBlob, HasTheErrorsOfTheTable) { expect_rows(rotating_blob); }
TEST(RotatingBlobByMaps, LosesLittle) { expect_rows(rotating_blob_by_maps); }

}  // namespace
}  // namespace whorl
