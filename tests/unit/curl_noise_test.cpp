// Curl noise: without divergence, as strong as asked for, smooth in space and time.
#include "stages/curl_noise.h"
#include "stages/force_fields.h"
#include "stages/measure.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace whorl {
namespace {

template <int D>
MacField<float, D> noise_of(Exec& ex, const TopologyPtr<D>& topology, const Turbulence& noise, double h,
                            double t) {
  MacField<float, D> u(ex, topology);
  const ForceField<D> force{{noise}, {}, 0, 1};
  add_forces<D>(ex, u, {&force, 1}, h, t, 1);
  return u;
}

template <int D>
double mean_square(const MacField<float, D>& u) {
  double sum = 0;
  for_active_cells(*u.topology(), [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) sum += double(u[a].get(c)) * u[a].get(c);
  });
  return sum / double(u.topology()->active_cells());
}

// The largest divergence of a cell times h, over the largest component.
template <int D>
double divergence_of(Exec& ex, const MacField<float, D>& u) {
  double worst = 0;
  for_active_cells(*u.topology(), [&](const Coord<D>& c) {
    double sum = 0;
    for (int a = 0; a < D; ++a) sum += double(u[a].get(c + Coord<D>::unit(a))) - u[a].get(c);
    worst = std::max(worst, std::abs(sum));
  });
  return worst / max_component(ex, u);
}

// The largest difference between neighbours along the first axis, over the root mean square.
template <int D>
double roughness(const MacField<float, D>& u) {
  double worst = 0;
  for_active_cells(*u.topology(), [&](const Coord<D>& c) {
    if (!u.topology()->domain().cells.contains(c + Coord<D>::unit(0))) return;
    for (int a = 0; a < D; ++a)
      worst = std::max(worst, double(std::abs(u[a].get(c + Coord<D>::unit(0)) - u[a].get(c))));
  });
  return worst / std::sqrt(mean_square(u));
}

TYPED_TEST(Stages, CurlNoiseHasNoDivergence) {
  constexpr int D = TestFixture::dimension;
  const auto open = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-16), Coord<D>::filled(16)});
  const auto periodic = Topology<D>::of_box(
      this->ex, box_domain<D>({Coord<D>::filled(-8), Coord<D>::filled(16)}, Side::periodic));
  for (const auto& topology : {open, periodic})
    for (const double size : {0.07, 0.31, 1.7}) {  // cells are 0.05
      const auto u =
          noise_of<D>(this->ex, topology,
                      {.acceleration = 3, .size = size, .speed = 2, .octaves = 4, .seed = 7}, 0.05, 1.3);
      EXPECT_LE(divergence_of(this->ex, u), 1e-5 * std::max(1., size / 0.05)) << size;
      EXPECT_GT(max_component(this->ex, u), 1) << size;
    }
}

TYPED_TEST(Stages, CurlNoiseIsAsStrongAsAskedFor) {
  constexpr int D = TestFixture::dimension;
  const int side = D == 2 ? 256 : 64;
  const auto topology = Topology<D>::of_box(this->ex, {}, {{}, Coord<D>::filled(side)});
  const double h = 0.01;
  for (const int octaves : {1, 2}) {
    double sum = 0, most = 0;
    for (int n = 0; n < 6; ++n) {  // at times all over an epoch: it must not pulse
      const auto u = noise_of<D>(this->ex, topology,
                                 {.acceleration = 5, .size = 0.08, .speed = 1, .octaves = octaves, .seed = n},
                                 h, n / 6.);
      const double rms = std::sqrt(mean_square(u));
      EXPECT_NEAR(rms, 5, 0.6) << octaves << " octaves, n = " << n;
      sum += rms / 6;
      most = std::max(most, max_component(this->ex, u));
    }
    std::printf("D = %d, %d octaves: rms %.3f of 5, largest component %.2f\n", D, octaves, sum, most);
    EXPECT_NEAR(sum, 5, 0.3) << octaves;
    EXPECT_LT(most, max_curl_noise({.acceleration = 5}));
  }
}

// Also where the lattice has to fit a period.
TYPED_TEST(Stages, PeriodicCurlNoiseIsAsStrongAsAskedFor) {
  constexpr int D = TestFixture::dimension;
  Box<D> box{{}, Coord<D>::filled(32)};
  box.hi[0] = 48;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>(box, Side::periodic));
  for (const double size : {9., 20., 100.}) {  // cells
    const int seeds = 24;
    double sum = 0;
    for (int n = 0; n < seeds; ++n)
      sum += mean_square(noise_of<D>(this->ex, topology,
                                     {.acceleration = 5, .size = 0.01 * size, .octaves = 1, .seed = n}, 0.01,
                                     n / 6.));
    EXPECT_NEAR(std::sqrt(sum / seeds), 5, 0.6) << size;
  }
}

// Between epochs, tiles and points of the lattice nothing jumps.
TYPED_TEST(Stages, CurlNoiseIsSmooth) {
  constexpr int D = TestFixture::dimension;
  const auto topology =
      Topology<D>::of_box(this->ex, box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(24)}, Side::open));
  const Turbulence noise{.acceleration = 1, .size = 0.4, .speed = 3, .octaves = 1, .seed = 1};
  const double coarse = roughness(noise_of<D>(this->ex, topology, noise, 0.04, 0.5));
  const double fine = roughness(noise_of<D>(this->ex, topology, noise, 0.02, 0.5));
  EXPECT_LT(coarse, 1);
  EXPECT_NEAR(fine / coarse, 0.5, 0.15);
  const auto before = noise_of<D>(this->ex, topology, noise, 0.04, 1 / 3. - 1e-4);
  const auto after = noise_of<D>(this->ex, topology, noise, 0.04, 1 / 3. + 1e-4);
  const auto later = noise_of<D>(this->ex, topology, noise, 0.04, 2 / 3. + 1e-4);
  double step = 0, change = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      step = std::max(step, double(std::abs(after[a].get(c) - before[a].get(c))));
      change = std::max(change, double(std::abs(later[a].get(c) - after[a].get(c))));
    }
  });
  EXPECT_LT(step, 1e-3);
  EXPECT_GT(change, 1);
}

// A place's noise depends on nothing but the place: a finer grid, or other tiles, see the same.
TYPED_TEST(Stages, CurlNoiseIsTheSameOnAnyGrid) {
  constexpr int D = TestFixture::dimension;
  const Turbulence noise{.acceleration = 1, .size = 0.8, .speed = 1, .octaves = 2, .seed = 4};
  const auto some = Topology<D>::of_box(this->ex, {}, {{}, Coord<D>::filled(16)});
  const auto more = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(32)});
  const auto u = noise_of<D>(this->ex, some, noise, 0.04, 0.2),
             v = noise_of<D>(this->ex, more, noise, 0.04, 0.2);
  const auto fine = noise_of<D>(this->ex, more, noise, 0.02, 0.2);
  for_active_cells(*some, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) ASSERT_EQ(u[a].get(c), v[a].get(c)) << c;
    double mean = 0;  // of the fine faces that make up a coarse one
    const Coord<D> first = c * 2;
    Coord<D> sides = Coord<D>::filled(2);
    sides[1] = 1;
    for_each_coord(Box<D>{first, first + sides}, [&](const Coord<D>& f) { mean += fine[1].get(f); });
    // In 3D the middle of an edge stands for all of it.
    ASSERT_NEAR(mean / (1 << (D - 1)), u[1].get(c), D == 2 ? 1e-5 : 0.01) << c;
  });
}

}  // namespace
}  // namespace whorl
