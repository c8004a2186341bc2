// Small random domains against a dense direct solve in double: slivers, pockets of one cell, checkerboards,
// thin gaps, islands that touch no air, moving walls, free surfaces.
#include "base/rng.h"
#include "linear/cholesky.h"
#include "stages/project.h"
#include "stages/sides.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace whorl {
namespace {

// Draws for one domain.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  double uniform(double lo = 0, double hi = 1) {
    return lo + (hi - lo) * double(Rng(seed_, count_++).uniform(0, 1));
  }
  int below(int n) { return std::min(int(uniform(0, n)), n - 1); }

 private:
  std::uint64_t seed_, count_ = 0;
};

enum class Pattern { slivers, checkerboard, gaps, islands, open_space };

template <int D>
struct RandomDomain {
  Exec ex{{.threads = 1}};
  TopologyPtr<D> topology;
  Box<D> cells{{}, {}};
  MacField<float, D> open, walls, u;
  Field<float, D> surface;
  bool has_surface;
  double h = 0.1, dt = 0.05;

  explicit RandomDomain(std::uint64_t seed) {
    Draw draw(seed);
    for (int a = 0; a < D; ++a) {
      cells.lo[a] = -draw.below(tile_side);  // across the tiles
      cells.hi[a] = cells.lo[a] + 2 + draw.below(D == 2 ? 14 : 6);
    }
    Domain<D> domain = box_domain<D>(cells, Side::wall);
    for (auto& ends : domain.sides)
      for (Side& side : ends) side = draw.uniform() < 0.25 ? Side::open : Side::wall;
    topology = Topology<D>::of_box(ex, domain);
    open = open_fraction(ex, topology);
    walls = MacField<float, D>(ex, topology);
    u = MacField<float, D>(ex, topology);
    has_surface = draw.uniform() < 0.4;
    if (has_surface) surface = Field<float, D>(ex, topology, 1.f);

    const Pattern pattern = Pattern(draw.below(5));
    const auto closed_cell = [&](const Coord<D>& c) {
      int sum = 0;
      for (int a = 0; a < D; ++a) sum += c[a];
      if (pattern == Pattern::checkerboard) return sum % 2 == 0 && draw.uniform() < 0.8;
      if (pattern == Pattern::gaps) return c[0] % 2 == 1 && draw.uniform() < 0.9;
      return pattern == Pattern::islands && draw.uniform() < 0.35;
    };
    const auto fraction = [&] {
      const double kind = draw.uniform();
      if (pattern == Pattern::slivers && kind < 0.5) return std::pow(10., draw.uniform(-3, 0));
      return kind < 0.15 ? 0. : kind < 0.35 ? draw.uniform(1e-3, 1) : 1.;
    };
    std::map<Coord<D>, bool> closed;
    for_each_coord(cells, [&](const Coord<D>& c) {
      closed[c] = closed_cell(c);
      if (has_surface) surface.set(c, float(draw.uniform(-1, 0.7)));
    });
    for (int a = 0; a < D; ++a)
      for_each_coord(Box<D>{cells.lo, cells.hi + Coord<D>::unit(a)}, [&](const Coord<D>& c) {
        if (!open[a].stores(c)) return;
        const Coord<D> below = c - Coord<D>::unit(a);
        const bool wall = (closed.count(c) && closed[c]) || (closed.count(below) && closed[below]);
        walls[a].set(c, float(draw.uniform(-1, 1)));
        u[a].set(c, float(draw.uniform(-1, 1)));
        if (open[a].get(c) > 0) open[a].set(c, wall ? 0.f : float(fraction()));
        if (open[a].get(c) == 0) u[a].set(c, walls[a].get(c));
      });
  }

  bool wet(const Coord<D>& c) const {
    for (int a = 0; a < D; ++a)
      if (c[a] < cells.lo[a] || c[a] >= cells.hi[a]) return false;
    return !has_surface || surface.get(c) < 0;
  }
  float face(const MacField<float, D>& field, int a, const Coord<D>& c) const {
    return field[a].stores(c) ? field[a].get(c) : 0.f;  // an unstored closed wall
  }
};

// By the book: all unknowns in one dense matrix, each region's mean taken off.
template <int D>
class Direct {
 public:
  explicit Direct(const RandomDomain<D>& d) : d_(d) {
    for_each_coord(d.cells, [&](const Coord<D>& c) {
      double weights = 0;
      for_sides(c, [&](int, int, const Coord<D>&, double w) { weights += w; });
      if (d.wet(c) && weights > 0) {
        number_[c] = int(cells_.size());
        cells_.push_back(c);
      }
    });
    find_regions();
    solve();
  }

  double pressure(const Coord<D>& c) const { return number_.count(c) ? p_[std::size_t(number_.at(c))] : 0; }
  const std::vector<Coord<D>>& cells() const { return cells_; }
  int region(std::size_t k) const { return region_[k]; }
  int regions() const { return int(touches_air_.size()); }
  bool floating(int region) const { return !touches_air_[std::size_t(region)]; }
  double worst_mean() const { return worst_mean_; }

  // A low face's velocity after the projection.
  double velocity(int a, const Coord<D>& c) const {
    const double before = d_.face(d_.u, a, c);
    if (d_.face(d_.open, a, c) == 0) return before;
    const Coord<D> below = c - Coord<D>::unit(a);
    const double slope = (pressure(c) - pressure(below)) / theta(c, below);
    return before - d_.dt / d_.h * slope;
  }

 private:
  // f(axis, step, the cell there, the open fraction between)
  template <class F>
  void for_sides(const Coord<D>& c, const F& f) const {
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, 1})
        f(a, step, c + Coord<D>::unit(a, step),
          double(d_.face(d_.open, a, step < 0 ? c : c + Coord<D>::unit(a))));
  }
  double theta(const Coord<D>& c, const Coord<D>& other) const {
    if (!d_.has_surface || d_.wet(c) == d_.wet(other)) return 1;
    const Coord<D>&inside = d_.wet(c) ? c : other, &outside = d_.wet(c) ? other : c;
    const double in = d_.surface.get(inside), out = d_.surface.stores(outside) ? d_.surface.get(outside) : 0.;
    return std::clamp(in / (in - std::max(out, 0.)), 1e-6, 1.);
  }
  void find_regions() {
    region_.assign(cells_.size(), -1);
    for (std::size_t first = 0; first < cells_.size(); ++first) {
      if (region_[first] >= 0) continue;
      const int name = int(touches_air_.size());
      touches_air_.push_back(false);
      std::vector<std::size_t> rest{first};
      region_[first] = name;
      while (!rest.empty()) {
        const Coord<D> c = cells_[rest.back()];
        rest.pop_back();
        for_sides(c, [&](int, int, const Coord<D>& other, double w) {
          if (w == 0) return;
          const auto there = number_.find(other);
          if (there == number_.end())
            touches_air_[std::size_t(name)] = true;
          else if (region_[std::size_t(there->second)] < 0)
            region_[std::size_t(there->second)] = name, rest.push_back(std::size_t(there->second));
        });
      }
    }
  }
  void solve() {
    const std::size_t n = cells_.size();
    std::vector<double> matrix(n * n), sum(touches_air_.size()), count(touches_air_.size());
    p_.assign(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      double divergence = 0;
      for_sides(cells_[k], [&](int a, int step, const Coord<D>& other, double w) {
        const Coord<D> at = step < 0 ? cells_[k] : other;
        const double through =
            w > 0 ? w * d_.face(d_.u, a, at) + (1 - w) * d_.face(d_.walls, a, at) : d_.face(d_.u, a, at);
        divergence += step * through / d_.h;
        if (w == 0) return;
        const bool linked = number_.count(other) > 0;
        matrix[k * n + k] += linked ? w : w / theta(cells_[k], other);
        if (linked) matrix[k * n + std::size_t(number_.at(other))] -= w;
      });
      p_[k] = -divergence * d_.h * d_.h / d_.dt;
      sum[std::size_t(region_[k])] += p_[k];
      count[std::size_t(region_[k])] += 1;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t r = std::size_t(region_[k]);
      if (touches_air_[r]) continue;
      p_[k] -= sum[r] / count[r];
      worst_mean_ = std::max(worst_mean_, std::abs(sum[r] / count[r]) * d_.dt / (d_.h * d_.h));
      for (std::size_t j = 0; j < n; ++j)  // a constant costs something: the answer's mean is zero
        if (region_[j] == region_[k]) matrix[k * n + j] += 1 / count[r];
    }
    const Cholesky factor(std::move(matrix), n);
    ASSERT_TRUE(factor.ok());
    factor.solve(p_);
  }

  const RandomDomain<D>& d_;
  std::map<Coord<D>, int> number_;
  std::vector<Coord<D>> cells_;
  std::vector<int> region_;
  std::vector<bool> touches_air_;
  std::vector<double> p_;
  double worst_mean_ = 0;
};

template <int D>
void expect_direct_answer(std::uint64_t seed, int& floating) {
  RandomDomain<D> d(seed);
  const Direct<D> direct(d);
  MacField<float, D> u = d.u.clone(d.ex);
  Field<double, D> pressure(d.ex, d.topology);
  const PressureSystem<D> system =
      pressure_system(d.ex, d.open.clone(d.ex), d.has_surface ? d.surface.clone(d.ex) : Field<float, D>{});
  const PressureSolver solvers[] = {PressureSolver::multigrid_pcg, PressureSolver::multigrid_pcg,
                                    PressureSolver::mic_pcg, PressureSolver::cg};
  const SolveReport report = project(d.ex, u, pressure, system, d.walls,
                                     {.solver = solvers[seed % 4], .solve = {.relative = 1e-10}}, d.h, d.dt);
  ASSERT_TRUE(report.converged) << "seed " << seed;
  ASSERT_EQ(report.regions, direct.regions()) << "seed " << seed;
  int expected_floating = 0;
  for (int r = 0; r < direct.regions(); ++r) expected_floating += direct.floating(r);
  ASSERT_EQ(report.floating_regions, expected_floating) << "seed " << seed;
  floating += expected_floating;
  ASSERT_NEAR(report.imbalance, direct.worst_mean(), 1e-6 * (1 + direct.worst_mean())) << "seed " << seed;

  double most = 0, worst = 0;
  for (int a = 0; a < D; ++a)
    for_each_coord(Box<D>{d.cells.lo, d.cells.hi + Coord<D>::unit(a)}, [&](const Coord<D>& c) {
      if (!u[a].stores(c)) return;
      most = std::max(most, std::abs(direct.velocity(a, c)));
      worst = std::max(worst, std::abs(u[a].get(c) - direct.velocity(a, c)));
    });
  ASSERT_LE(worst, 1e-5 * most) << "seed " << seed;

  // The pressure, but for a constant in each floating region; both have mean zero there.
  double largest = 0, off = 0;
  for (const Coord<D>& c : direct.cells()) {
    largest = std::max(largest, std::abs(direct.pressure(c)));
    off = std::max(off, std::abs(pressure.get(c) - direct.pressure(c)));
  }
  ASSERT_LE(off, 1e-5 * largest) << "seed " << seed;
}

template <int D>
void expect_direct_answers(std::uint64_t first, std::uint64_t count) {
  int floating = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    expect_direct_answer<D>(seed, floating);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("D = %d: %d domains, %d floating regions\n", D, int(count), floating);
  EXPECT_GT(floating, int(count) / 4);
}

TEST(RandomGeometry, AgreesWithADirectSolve2D) { expect_direct_answers<2>(1, 1000); }
TEST(RandomGeometry, AgreesWithADirectSolve3D) { expect_direct_answers<3>(5001, 1000); }

}  // namespace
}  // namespace whorl
