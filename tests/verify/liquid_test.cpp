// Liquids against outside answers: sloshing (V-D2), waves (V-D3), and a dam that breaks (V-D4).
#include "solvers/liquid.h"
#include "cases/dam_break.h"
#include "cases/liquid_waves.h"
#include "expect_rows.h"
#include "stages/seed_particles.h"

namespace whorl {
namespace {

TEST(Sloshing, HasThePeriodOfTheory) { expect_rows(sloshing); }
TEST(StandingWaves, HaveTheFrequenciesOfTheory) { expect_rows(standing_waves); }
TEST(DamBreak, FrontRunsAsMeasured) { expect_rows(dam_break); }

// A splash over a block whose faces lie anywhere in their cells, in long steps: particles do not gather
// beside it, and the water that they stand for is not lost there.
TEST(DamBreak, DoesNotClumpBesideABlock) {
  Exec ex({.threads = 2});
  LiquidParams<3> p;
  p.h = 0.025;
  p.gravity = {0, -9.81, 0};
  p.projection.solve = {.relative = 1e-3, .absolute = 1e-3};
  const Domain<3> domain = box_domain<3>({{}, {40, 24, 16}}, Side::wall);
  LiquidState<3> s = make_liquid<3>(
      ex, domain, seed_particles<3>(BoxShape<3>{{-1, -1, -1}, {0.4, 0.4, 2}}, domain.cells, p.h), p.transfer);
  const Shape<3> block =
      BoxShape<3>{{26.23 * p.h, -4 * p.h, 3.73 * p.h}, {31.63 * p.h, 5.4 * p.h, 11.75 * p.h}};
  p.solids.push_back({block, block, {}});
  double crowded = 0, looks = 0;
  while (s.time < 3) {
    ASSERT_TRUE(step(ex, s, p, step_length(ex, s, p, 5, 1. / 24)).converged);
    if (s.time < 1) continue;
    for (std::size_t k = 0; k + 1 < s.particles.first.size(); ++k)
      if (const std::uint32_t count = s.particles.first[k + 1] - s.particles.first[k]; count > 24)
        crowded += count;
    ++looks;
  }
  const double part = crowded / (looks * double(s.particles.size()));
  std::printf(
      "dam break over a block: %.2f %% of the particles in cells that have more than three times theirs\n",
      100 * part);
  EXPECT_LT(part, 0.01);
}

}  // namespace
}  // namespace whorl
