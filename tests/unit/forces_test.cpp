// What acts on the air: buoyancy and vorticity confinement.
#include "stages/buoyancy.h"
#include "stages/confine.h"
#include "stages/measure.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

// Every face takes the mean of its two cells; in open air, that of one cell and nothing.
TYPED_TEST(Stages, BuoyancyLiftsHotAirAndWeighsSmoke) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  Field<float, D> density(this->ex, topology), temperature(this->ex, topology, 300.f);
  std::uint64_t id = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    density.set(c, Rng(13, id).uniform());
    temperature.set(c, 300 + 100 * Rng(14, id++).uniform());
  });
  BuoyancyParams<D> params;
  params.gravity = Vec<float, D>::filled(-2.f);
  params.smoke_weight = 0.5f;
  params.expansion = 0.01f;
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  add_buoyancy(this->ex, u, density, temperature, params, 0.25);
  const auto force = [&](const Coord<D>& c) {
    if (!topology->domain().cells.contains(c)) return 0.;
    return -2 * (0.5 * density.get(c) - 0.01 * (temperature.get(c) - 300.));
  };
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a)
      for (const Coord<D>& face : {c, c + Coord<D>::unit(a)}) {
        const double expected = 1 + 0.25 * 0.5 * (force(face) + force(face - Coord<D>::unit(a)));
        ASSERT_NEAR(u[a].get(face), expected, 1e-5) << face << " axis " << a;
      }
  });
}

// The force turns the air the way it turns already, fades with h, and leaves a uniform wind alone.
TYPED_TEST(Stages, ConfinementFeedsSwirls) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(32)}, Side::open));
  MacField<float, D> wind(this->ex, topology, Vec<float, D>::filled(2.f));
  confine_vorticity(this->ex, wind, 1., 0.1, 0.1);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) ASSERT_EQ(wind[a].get(c), 2.f) << c;
  });

  const auto swirl = [&] {
    MacField<float, D> u(this->ex, topology);
    for (const int a : {0, 1})
      for_active_cells(*topology, [&](const Coord<D>& c) {
        double r2 = 0, lever = 0;
        for (const int b : {0, 1}) {
          const double x = c[b] + (a == b ? 0. : 0.5) - 16;
          r2 += x * x;
          if (b != a) lever = a ? x : -x;
        }
        u[a].set(c, float(lever * std::exp(-r2 / 50)));
      });
    return u;
  };
  const double before = kinetic_energy(this->ex, swirl(), 1.);
  const auto gained = [&](double strength, double h) {
    MacField<float, D> u = swirl();
    confine_vorticity(this->ex, u, strength, h, 0.1);
    return kinetic_energy(this->ex, u, 1.) - before;
  };
  EXPECT_GT(gained(0.1, 1.), 1e-3 * before);
  EXPECT_EQ(gained(0, 1.), 0.);
  // ω ~ 1/h at given velocities, so that ε h ω does not depend on h, and ε alone sets the strength.
  EXPECT_NEAR(gained(0.1, 1.), gained(0.1, 0.5), 1e-3 * gained(0.1, 1.));
  EXPECT_NEAR(gained(0.02, 1.) / gained(0.01, 1.), 2, 0.05);
}

}  // namespace
}  // namespace whorl
