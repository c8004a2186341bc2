// Vortex particles: born in sources, carried and stretched by the air, pushing it round themselves.
#include "stages/vortex_particles.h"
#include "grid/archive.h"
#include "io/temporary_folder.h"
#include "solvers/smoke.h"
#include "stages/box_cells.h"
#include "stages/measure.h"
#include "unit/stages_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace whorl {
namespace {

template <int D>
void add(VortexParticles<D>& particles, const Vec<double, D>& x, const Turn<float, D>& w, float radius,
         float decay = 0) {
  particles.position.push_back(x);
  particles.swirl.push_back(w);
  particles.strength.push_back(length(w));
  particles.life.push_back(1);
  particles.radius.push_back(radius);
  particles.decay.push_back(decay);
}

template <int D>
Turn<float, D> some_turn() {
  if constexpr (D == 3) return {1, -2, 0.5f};
  if constexpr (D == 2) return {-2};
}

// The push of a particle on the air at x, by the formula in the header.
template <int D>
Vec<double, D> push_at(const Vec<double, D>& x, const Vec<double, D>& center, const Turn<float, D>& w,
                       double radius) {
  Vec<double, 3> d{}, turn{};
  for (int a = 0; a < D; ++a) d[a] = (x[a] - center[a]) / radius;
  if constexpr (D == 3) turn = convert<double>(w);
  if constexpr (D == 2) turn[2] = double(w[0]);
  const double left = std::max(0., 1 - dot(d, d));
  const Vec<double, 3> f = cross(turn, d) * (left * left / (std::sqrt(0.2) * 0.64));
  Vec<double, D> result;
  for (int a = 0; a < D; ++a) result[a] = f[a];
  return result;
}

TYPED_TEST(Stages, VortexParticlesPushByTheirFormula) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.1;
  const auto topology = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(16)});
  MacField<float, D> u(this->ex, topology, Vec<float, D>::filled(1.f));
  VortexParticles<D> particles;
  const Vec<double, D> first = Vec<double, D>::filled(0.23), second = Vec<double, D>::filled(0.52);
  add<D>(particles, first, some_turn<D>(), 0.55f);
  add<D>(particles, second, some_turn<D>() * -0.5f, 0.31f);
  add_vortices(this->ex, u, particles, h, 0.25);
  double most = 0;
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (int a = 0; a < D; ++a) {
      const Vec<double, D> x = sample_place(c, a, h);
      const double f = push_at<D>(x, first, some_turn<D>(), 0.55)[a] +
                       push_at<D>(x, second, some_turn<D>() * -0.5f, 0.31)[a];
      ASSERT_NEAR(u[a].get(c), 1 + 0.25 * f, 1e-5) << c << " axis " << a;
      most = std::max(most, std::abs(f));
    }
  });
  const double limit = max_vortex_push(*topology, particles, h);
  EXPECT_GE(limit, most);
  EXPECT_NEAR(limit, 1.5 * double(length(some_turn<D>())), 1e-5);
}

// One that reaches far beyond the grid costs no more than the grid has tiles.
TYPED_TEST(Stages, VortexParticlesMayBeLargerThanTheGrid) {
  constexpr int D = TestFixture::dimension;
  const double h = 1e-6;
  const auto topology = Topology<D>::of_box(this->ex, {}, {Coord<D>::filled(-8), Coord<D>::filled(16)});
  MacField<float, D> u(this->ex, topology);
  VortexParticles<D> particles;
  add<D>(particles, Vec<double, D>::filled(5e-6), some_turn<D>(), 1e6f);
  add<D>(particles, Vec<double, D>::filled(4e-6), some_turn<D>(), 1e-5f);
  add_vortices(this->ex, u, particles, h, 1);
  const Coord<D> c = Coord<D>::filled(7);
  for (int a = 0; a < D; ++a) {
    const Vec<double, D> f =
        push_at<D>(sample_place(c, a, h), Vec<double, D>::filled(4e-6), some_turn<D>(), 1e-5);
    EXPECT_NEAR(u[a].get(c), f[a], 1e-3);
  }
  EXPECT_NEAR(max_vortex_push(*topology, particles, h), 2 * double(length(some_turn<D>())), 1e-5);
}

// In a periodic box a particle at one side pushes at the other.
TYPED_TEST(Stages, VortexParticlesReachRoundAPeriodicBox) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(
      this->ex, box_domain<D>({Coord<D>::filled(8), Coord<D>::filled(32)}, Side::periodic));
  const auto pushed = [&](double x) {
    MacField<float, D> u(this->ex, topology);
    VortexParticles<D> particles;
    add<D>(particles, Vec<double, D>::filled(x), some_turn<D>(), 4);
    add_vortices(this->ex, u, particles, 1, 1);
    return u;
  };
  const auto middle = pushed(20.3), corner = pushed(20.3 + 12);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    Coord<D> image;
    for (int a = 0; a < D; ++a) image[a] = 8 + (c[a] - 8 + 12) % 24;
    for (int a = 0; a < D; ++a) ASSERT_NEAR(middle[a].get(c), corner[a].get(image), 1e-5) << c;
  });
}

// A solid turn about (8, 8): one particle goes round with it, others leave the grid or fade away.
TYPED_TEST(Stages, VortexParticlesGoWithTheAir) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  MacField<float, D> u(this->ex, topology);
  for_active_cells(*topology, [&](const Coord<D>& c) {
    for (const Coord<D>& face : {c, c + Coord<D>::unit(0), c + Coord<D>::unit(1)}) {
      u[0].set(face, float(8 - (face[1] + 0.5)));
      u[1].set(face, float(face[0] + 0.5 - 8));
    }
  });
  VortexParticles<D> particles;
  Vec<double, D> round = Vec<double, D>::filled(8), out = Vec<double, D>::filled(15.9), faded = round;
  round[0] = 11;
  out[1] = 1;
  Turn<float, D> w{};
  w[D == 3 ? 2 : 0] = 1;
  add<D>(particles, out, w, 1);
  add<D>(particles, round, w, 1, 0.5f);
  add<D>(particles, faded, w, 1, 1000.f);
  const int steps = 100;
  for (int k = 0; k < steps; ++k)
    move_vortices(this->ex, particles, u, {}, 1, 2 * M_PI / steps / 4);  // a quarter turn in all
  ASSERT_EQ(particles.size(), 1u);
  EXPECT_NEAR(particles.position[0][0], 8, 0.01);
  EXPECT_NEAR(particles.position[0][1], 11, 0.01);
  const double left = std::exp(-0.5 * M_PI / 2);
  EXPECT_NEAR(particles.life[0], left, 1e-4);
  EXPECT_NEAR(length(particles.swirl[0]), left, 1e-3);  // the turn does not stretch its own axis
}

// du/dx = 1, dv/dy = -1: what lies along x is stretched but may not grow, what lies along y shrinks, and a
// mixed one turns towards x.
TEST(VortexParticles, AreStretchedByTheAir) {
  Exec ex;
  const auto topology = Topology<3>::of_box(ex, {}, {{}, Coord<3>::filled(16)});
  MacField<float, 3> u(ex, topology);
  for_active_cells(*topology, [&](const Coord<3>& c) {
    for (const int a : {0, 1})
      for (const Coord<3>& face : {c, c + Coord<3>::unit(a)})
        u[a].set(face, float((face[a] - 8) * (a ? -1 : 1)));
  });
  VortexParticles<3> particles;
  const Vec<double, 3> still = Vec<double, 3>::filled(8);
  add<3>(particles, still, {1, 0, 0}, 1);
  add<3>(particles, still, {0, 1, 0}, 1);
  add<3>(particles, still, {0.6f, 0.8f, 0}, 1);
  for (int k = 0; k < 100; ++k) move_vortices(ex, particles, u, {}, 1, 0.005);
  EXPECT_NEAR(particles.swirl[0][0], 1, 1e-5);
  EXPECT_NEAR(particles.swirl[1][1], std::exp(-0.5), 2e-3);
  const Vec<float, 3>& mixed = particles.swirl[2];
  EXPECT_NEAR(mixed[1] / mixed[0], 0.8 / 0.6 * std::exp(-1), 5e-3);
  EXPECT_LE(length(mixed), 1.0001f);
}

TYPED_TEST(Stages, SourcesGiveOffVortexParticlesAtTheirRate) {
  constexpr int D = TestFixture::dimension;
  const double h = 0.1;
  SmokeSource<D> source;
  source.shape = SphereShape<D>{Vec<double, D>::filled(1.234), 0.43};
  source.cells = cells_round(source.shape.bounds(), h);
  source.vortices = VortexSeeding{.rate = 700, .acceleration = 3, .radius = 0.2, .decay = 2, .seed = 5};
  VortexParticles<D> particles, again;
  for (std::int64_t step = 0; step < 1000; ++step)
    emit_vortices<D>(particles, {&source, 1}, h, 0.001, step);  // 0.7 a step
  EXPECT_NEAR(double(particles.size()), 700, 50);
  EXPECT_EQ(particles.made, particles.size());
  Turn<float, D> mean{};
  Vec<double, D> center{};
  for (std::size_t p = 0; p < particles.size(); ++p) {
    ASSERT_TRUE(source.shape.contains(particles.position[p]));
    ASSERT_NEAR(length(particles.swirl[p]), 3, 1e-5);
    mean = mean + particles.swirl[p] * (1.f / float(particles.size()));
    center = center + particles.position[p] * (1. / double(particles.size()));
  }
  EXPECT_LT(length(mean), 0.3f);  // they turn every way
  EXPECT_LT(length(center - Vec<double, D>::filled(1.234)), 0.05);
  EXPECT_EQ(particles.radius[0], 0.2f);
  EXPECT_EQ(particles.decay[0], 2.f);
  for (std::int64_t step = 0; step < 1000; ++step) emit_vortices<D>(again, {&source, 1}, h, 0.001, step);
  EXPECT_EQ(again.position.back(), particles.position.back());
  source.vortices->seed = 6;
  VortexParticles<D> other;
  for (std::int64_t step = 0; step < 10; ++step) emit_vortices<D>(other, {&source, 1}, h, 0.001, step);
  EXPECT_FALSE(other.position.at(0) == particles.position[0]);
}

// They are part of the state: hashed, saved, loaded, and what the next step does depends on them.
TYPED_TEST(Stages, VortexParticlesArePartOfTheState) {
  constexpr int D = TestFixture::dimension;
  const auto topology = Topology<D>::of_box(this->ex, box_domain<D>({{}, Coord<D>::filled(16)}, Side::open));
  SmokeState<D> s = make_smoke<D>(this->ex, topology), loaded;
  SmokeParams<D> p;
  p.sparse = false;
  const std::uint64_t without = state_hash(this->ex, s);
  add<D>(s.vortices, Vec<double, D>::filled(7.6), some_turn<D>(), 4.f, 0.5f);
  EXPECT_NE(state_hash(this->ex, s), without);
  EXPECT_TRUE(step(this->ex, s, p, 0.1).pressure.converged);
  EXPECT_GT(max_component(this->ex, s.velocity), 0.01);
  const TemporaryFolder folder;
  ASSERT_TRUE(save_state(this->ex, folder / "state", s));
  ASSERT_TRUE(load_state(this->ex, folder / "state", loaded));
  EXPECT_EQ(loaded.vortices.position, s.vortices.position);
  EXPECT_TRUE(step(this->ex, s, p, 0.1).pressure.converged);
  EXPECT_TRUE(step(this->ex, loaded, p, 0.1).pressure.converged);
  EXPECT_EQ(state_hash(this->ex, loaded), state_hash(this->ex, s));
}

}  // namespace
}  // namespace whorl
