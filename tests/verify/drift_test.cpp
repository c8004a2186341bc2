// Retiling: a blob carried 2,000 cells by the wind in an unbounded domain, on a grid that goes with it.
#include "smoke_case.h"
#include "stages/measure.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

template <int D>
std::int64_t cells_above(Exec& ex, const SmokeState<D>& s, float threshold) {
  const auto density = s.density.view();
  const auto cells = s.topology()->view();
  return std::int64_t(sum_rows<double>(ex, s.topology()->active_tile_set(), [=](const RowIndex<D>& r) {
    const unsigned above = cells.active_bits(r) & bits(density(r) > Lane<float>(threshold));
    return select(Lane<double>::mask_from_bits(above), Lane<double>(1.), Lane<double>(0.));
  }));
}

template <int D>
SmokeState<D> clone(Exec& ex, const SmokeState<D>& s) {
  SmokeState<D> copy;
  copy.velocity = s.velocity.clone(ex);
  copy.density = s.density.clone(ex);
  copy.temperature = s.temperature.clone(ex);
  copy.pressure = s.pressure.clone(ex);
  copy.time = s.time;
  copy.steps = s.steps;
  return copy;
}

template <int D>
Vec<float, D> oblique_wind() {
  Vec<float, D> wind{};
  for (int a = 0; a < D; ++a) wind[a] = 1.f - 0.35f * float(a);
  return wind;
}

template <int D>
SmokeState<D> windborne_blob(Exec& ex, const SmokeParams<D>& p, double radius, double swirl_speed) {
  const int reach = int(4 * radius) + p.margin;
  const auto topology = Topology<D>::of_box(ex, {}, {Coord<D>::filled(-reach), Coord<D>::filled(reach)});
  const Vec<float, D> wind = oblique_wind<D>();
  SmokeState<D> s = make_smoke<D>(ex, topology, wind);
  fill_smoke<D>(
      s, [&](const auto& x) { return blob<D>(x, {}, radius); },
      [&](const auto& x, int a) { return wind[a] + swirl<D>(x, a, {}, radius, swirl_speed); });
  return s;
}

// The wind alone: the velocity is solved in every step, and must stay what it was.
template <int D>
void expect_blob_arrives(double radius, const AdvectionParams& advection) {
  Exec ex;
  SmokeParams<D> p;
  p.advection = advection;
  SmokeState<D> s = windborne_blob<D>(ex, p, radius, 0);
  (void)step(ex, s, p, step_length(ex, s, p, {.cfl = 4, .longest = 1e9}));  // the box becomes a blob's tiles
  const Vec<float, D> wind = oblique_wind<D>();
  const double mass = integral(ex, s.density, 1);
  const double ratio = double(s.topology()->active_cells()) / double(cells_above(ex, s, p.density_threshold));
  double energy = kinetic_energy(ex, s.velocity, 1, {}, &s.density), jump = 0, worst_ratio = 0,
         worst_mass = 0;
  int changes = 0;
  while (s.time < 2000) {
    const StepReport report = step(ex, s, p, step_length(ex, s, p, {.cfl = 4, .longest = 1e9}));
    ASSERT_TRUE(report.pressure.converged);
    const double next = kinetic_energy(ex, s.velocity, 1, {}, &s.density);
    if (report.retiled) {
      jump = std::max(jump, std::abs(next - energy) / energy);
      ++changes;
    }
    energy = next;
    worst_mass = std::max(worst_mass, std::abs(integral(ex, s.density, 1) / mass - 1));
    const double now = double(s.topology()->active_cells()) / double(cells_above(ex, s, p.density_threshold));
    worst_ratio = std::max(worst_ratio, std::abs(now / ratio - 1));
  }
  std::printf(
      "D = %d: %d topology changes, mass off by %.3f %%, active cells per smoky cell by %.1f %%, "
      "largest energy jump %.1e, energy in the wind's frame %.1e\n",
      D, changes, 100 * worst_mass, 100 * worst_ratio, jump, kinetic_energy(ex, s.velocity, 1, wind));
  EXPECT_GT(changes, 100);
  EXPECT_LE(worst_mass, 0.01);
  EXPECT_LE(worst_ratio, 0.2);
  EXPECT_LE(jump, 1e-3);
  EXPECT_LE(kinetic_energy(ex, s.velocity, 1, wind), 1e-8 * energy);

  // The smoke is where the wind has taken it.
  Vec<double, D> centre{};
  double sum = 0;
  for (const Coord<D>& tile : s.topology()->tiles())
    for_each_coord(Box<D>{tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)},
                   [&](const Coord<D>& c) {
                     sum += s.density.get(c);
                     for (int a = 0; a < D; ++a) centre[a] += s.density.get(c) * (c[a] + 0.5);
                   });
  for (int a = 0; a < D; ++a) EXPECT_NEAR(centre[a] / sum, wind[a] * s.time, 1.);
}

TEST(Drift, BlobArrivesWhole2D) { expect_blob_arrives<2>(16, {}); }
TEST(Drift, BlobArrivesWholeByMaps) { expect_blob_arrives<2>(16, {.scheme = AdvectionScheme::bimocq}); }
TEST(Drift, BlobArrivesWhole3D) { expect_blob_arrives<3>(6, {.interpolation = Interpolation::catmull_rom}); }

// With a vortex in the blob there is a pressure to solve for. Every step that changes the topology is taken a
// second time without the change: the energy of the motion in the wind's frame must be the same.
template <int D>
void expect_no_jump(double radius, int steps) {
  Exec ex;
  SmokeParams<D> p;
  p.projection.solve.relative = 1e-6;
  SmokeState<D> s = windborne_blob<D>(ex, p, radius, 0.2);
  const Vec<float, D> wind = oblique_wind<D>();
  double jump = 0;
  int changes = 0;
  for (int k = 0; k < steps; ++k) {
    const double dt = step_length(ex, s, p, {.cfl = 2, .longest = 1e9});
    SmokeState<D> still = clone(ex, s);
    const StepReport report = step(ex, s, p, dt);
    ASSERT_TRUE(report.pressure.converged);
    if (!report.retiled || k == 0) continue;  // the first cuts the starting box down
    SmokeParams<D> keep = p;
    keep.sparse = false;
    (void)step(ex, still, keep, dt);
    const double expected = kinetic_energy(ex, still.velocity, 1, wind);
    jump = std::max(jump, std::abs(kinetic_energy(ex, s.velocity, 1, wind) - expected) / expected);
    ++changes;
  }
  std::printf("D = %d: %d of %d steps changed the topology, largest energy jump %.1e\n", D, changes, steps,
              jump);
  EXPECT_GT(changes, steps / 4);
  EXPECT_LE(jump, 1e-4);
}

TEST(Drift, TopologyChangesDoNotKick2D) { expect_no_jump<2>(8, 300); }
TEST(Drift, TopologyChangesDoNotKick3D) { expect_no_jump<3>(5, 20); }

// Sparse against a box so large that its sides do not matter: the same smoke.
template <int D>
void expect_sparse_like_full(int box_reach, int steps, int margin, double tolerance) {
  Exec ex;
  SmokeParams<D> sparse, full;
  sparse.margin = margin;
  sparse.projection.solve.relative = full.projection.solve.relative = 1e-6;
  full.sparse = false;
  const double radius = 4;
  const auto make = [&](int reach) {
    SmokeState<D> s =
        make_smoke<D>(ex, Topology<D>::of_box(ex, {}, {Coord<D>::filled(-reach), Coord<D>::filled(reach)}));
    fill_smoke<D>(
        s, [&](const auto& x) { return blob<D>(x, {}, radius); },
        [&](const auto& x, int a) {
          return swirl<D>(x, a, {}, radius, 1.) + (a == 1 ? blob<D>(x, {}, radius) : 0.);
        });
    return s;
  };
  SmokeState<D> s = make(16 + margin), f = make(box_reach);
  for (int k = 0; k < steps; ++k) {
    const double dt = step_length(ex, f, full, {.cfl = 2, .longest = 1e9});
    ASSERT_TRUE(step(ex, s, sparse, dt).pressure.converged);
    ASSERT_TRUE(step(ex, f, full, dt).pressure.converged);
  }
  const double mass = integral(ex, s.density, 1) / integral(ex, f.density, 1) - 1;
  const double energy =
      kinetic_energy(ex, s.velocity, 1, {}, &s.density) / kinetic_energy(ex, f.velocity, 1, {}, &f.density) -
      1;
  double worst = 0;
  for_each_coord(Box<D>{Coord<D>::filled(-16), Coord<D>::filled(16)}, [&](const Coord<D>& c) {
    worst = std::max(worst, std::abs(double(s.density.get(c)) - f.density.get(c)));
  });
  std::printf(
      "D = %d, margin %d, after %d steps: mass off by %.2e, energy of the smoke by %.2e, density by %.2e at "
      "most\n",
      D, margin, steps, mass, energy, worst);
  EXPECT_LT(s.topology()->active_cells(), f.topology()->active_cells() / 3);
  EXPECT_LE(std::abs(mass), tolerance);
  EXPECT_LE(std::abs(energy), tolerance);
  EXPECT_LE(worst, 4 * tolerance);
}

// In the plane, motion falls off slowly: what the edge cuts off shows, and less so the further it is.
TEST(Drift, SparseGridGivesWhatALargeBoxGives2D) {
  expect_sparse_like_full<2>(160, 20, 8, 0.05);
  expect_sparse_like_full<2>(160, 20, 16, 0.025);
  expect_sparse_like_full<2>(160, 20, 32, 0.012);
}
TEST(Drift, SparseGridGivesWhatALargeBoxGives3D) { expect_sparse_like_full<3>(56, 10, 8, 0.005); }

}  // namespace
}  // namespace whorl
