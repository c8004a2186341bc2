// V-H4: what glows against published chromaticities of black bodies.
#include "validate/glow.h"
#include "verify/expect_rows.h"

namespace whorl {
namespace {

TEST(Blackbody, HasTheChromaticityOfItsTemperature) { expect_rows(glow); }

}  // namespace
}  // namespace whorl
