// V-B2: the inviscid Taylor–Green vortex keeps all its energy; what schemes keep of it.
#include "cases/taylor_green.h"
#include "expect_rows.h"

#include <cmath>

namespace whorl {
namespace {

TEST(TaylorGreen, KeepsTheEnergyOfTheTable) { expect_rows(inviscid_taylor_green); }
TEST(TaylorGreen, MapsKeepTheEnergy) { expect_rows(taylor_green_by_maps); }

template <int D>
void expect_energy_is_kept(int n, double until) {
  Findings found;
  for (const AdvectionScheme scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack})
    for (const double cfl : {1., 4.}) {
      const AdvectionParams advection{.scheme = scheme};
      const EnergyKept without = energy_kept<D>(found, n, cfl, until, advection, EnergyScheme::none);
      for (const EnergyScheme energy : {EnergyScheme::reflection, EnergyScheme::ivock}) {
        const EnergyKept with = energy_kept<D>(found, n, cfl, until, advection, energy);
        const std::string what = "scheme " + std::to_string(int(scheme)) + ", CFL " +
                                 std::to_string(int(cfl)) +
                                 (energy == EnergyScheme::ivock ? ", ivock" : ", reflection");
        found.at_most(what + ", off by", std::abs(with.last - 1), 0.99 * std::abs(without.last - 1));
        found.at_most(what + ", at its most", with.most, 1.01);
      }
    }
  expect_rows(found);
}
TEST(TaylorGreen, EveryEnergySchemeKeepsMore2D) { expect_energy_is_kept<2>(64, 10); }
TEST(TaylorGreen, EveryEnergySchemeKeepsMore3D) { expect_energy_is_kept<3>(64, 3); }

}  // namespace
}  // namespace whorl
