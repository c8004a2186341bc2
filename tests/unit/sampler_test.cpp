// Interpolation, the three samplers and traces.
#include "grid/sampler.h"
#include "base/rng.h"
#include "exec/shapes.h"
#include "grid/brick.h"
#include "grid/field.h"
#include "grid/field_sampler.h"
#include "grid/sample_points.h"
#include "grid/trace.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whorl {
namespace {

template <class Method>
float interpolate_line(float (*f)(float), float x) {
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = f(float(k - Method::before));
  return Method::eval(v, x);
}

TEST(Interpolation, ReproducesWhatItShould) {
  const auto line = [](float x) { return 3.f - 2 * x; };
  const auto parabola = [](float x) { return x * x - x + 1; };
  for (float t = 0; t <= 1; t += 0.125f) {
    EXPECT_NEAR(interpolate_line<Linear>(line, t), line(t), 1e-6);
    EXPECT_NEAR(interpolate_line<CatmullRom>(line, t), line(t), 1e-6);
    EXPECT_NEAR(interpolate_line<MonotoneCubic>(line, t), line(t), 1e-6);
    EXPECT_NEAR(interpolate_line<CatmullRom>(parabola, t), parabola(t), 1e-6);
  }
}

TEST(Interpolation, MonotoneCubicMakesNoNewExtremes) {
  int extremes = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    Rng rng(1, k);
    float v[4];
    for (float& x : v) x = rng.uniform(-1, 1);
    const float lo = std::min(v[1], v[2]), hi = std::max(v[1], v[2]);
    // Slopes that point against the rise, or are at most three times it, cannot leave [lo, hi].
    const float rise = v[2] - v[1], d0 = 0.5f * (v[2] - v[0]), d1 = 0.5f * (v[3] - v[1]);
    if (d0 / rise > 3 || d1 / rise > 3) continue;
    const float t = rng.uniform(), value = MonotoneCubic::eval(v, t);
    EXPECT_GE(value, lo - 1e-6f);
    EXPECT_LE(value, hi + 1e-6f);
    const float free = CatmullRom::eval(v, t);
    extremes += free < lo - 1e-3f || free > hi + 1e-3f;
  }
  EXPECT_GT(extremes, 100);  // Catmull–Rom does make them on the same data
}

// A field with ragged edges and a domain, and the three ways to sample it round one tile.
template <int D>
struct Problem {
  Exec ex{{.threads = 1}};
  TopologyPtr<D> topology;
  Field<float, D> field;
  SampleView<D> view;
  Crossing<D> crossing;

  explicit Problem(const Domain<D>& domain)
      : topology(make(ex, domain)), field(ex, topology, 0.25f), crossing(ex, topology, topology) {
    for (std::size_t k = 0; k < field.size(); ++k) field.data()[k] = Rng(2, k).uniform(-1, 1);
    Boundary<D> boundary = scalar_boundary(domain, 0.25f, 0.75f);
    view = {field.data(), crossing.table(), topology->tile_count(), 0.25f, topology->view().tiles, boundary};
  }
  static TopologyPtr<D> make(Exec& ex, const Domain<D>& domain) {
    std::vector<Coord<D>> tiles;
    for_each_coord(Box<D>{Coord<D>::filled(-2), Coord<D>::filled(4)}, [&](const Coord<D>& t) {
      if (Rng(8, tiles.size() + std::size_t(64 * (t[0] + 9) + t[1] + 9)).uniform() < 0.7f) tiles.push_back(t);
    });
    return Topology<D>::of_tiles(ex, domain, std::move(tiles));
  }
  HashSampler<D> hash(const Coord<D>& origin) const { return hash_sampler(field, view.boundary, origin); }
};

template <class Method, int D>
void expect_samplers_agree(const Domain<D>& domain) {
  const Problem<D> problem(domain);
  std::vector<float> memory(std::size_t(ipow<D>(3 * tile_side)));
  for (int tile = 0; tile < problem.topology->tile_count(); tile += 3) {
    const TileGroup<D> group(problem.topology->tile_set(), tile, nullptr);
    Brick<D> brick{memory.data(), BrickBox<D>::around(Coord<D>::filled(8), Coord<D>::filled(8))};
    load_brick(group, brick, problem.view);
    const TableSampler<D> table{problem.view, tile};
    const HashSampler<D> hash = problem.hash(problem.topology->tiles()[std::size_t(tile)] * tile_side);
    const int reach = tile_side - 1 - Method::before;
    group.for_cells([&](const RowIndex<D>& r) {
      Vec<Lane<float>, D> d;
      for (int a = 0; a < D; ++a)
        d[a] = from_elements<Lane<float>>([&](int k) {
          return Rng(std::uint64_t(tile), std::uint64_t(r.offset() + k), std::uint64_t(a))
              .uniform(float(-reach), float(reach));
        });
      const Lane<float> by_brick = sample<Method, D>(brick, r.at, d),
                        by_table = sample<Method, D>(table, r.at, d);
      const Sampled<Lane<float>> bounded = sample_with_bounds<Method, D>(brick, r.at, d);
      for (int k = 0; k < lane_width; ++k) {
        Coord<D> at = r.at;
        at[D - 1] += k;
        Vec<float, D> one;
        for (int a = 0; a < D; ++a) one[a] = d[a][k];
        const float by_hash = sample<Method, D>(hash, at, one),
                    one_by_brick = sample<Method, D>(brick, at, one);
        ASSERT_NEAR(by_brick[k], by_hash, 2e-6f) << "tile " << tile << " cell " << at;
        ASSERT_NEAR(by_table[k], by_hash, 2e-6f) << "tile " << tile << " cell " << at;
        ASSERT_NEAR(one_by_brick, by_hash, 2e-6f);
        ASSERT_NEAR(bounded.value[k], by_hash, 2e-6f);
        if (Method::before == 0) {
          ASSERT_LE(bounded.lo[k], by_hash + 2e-6f);
          ASSERT_GE(bounded.hi[k], by_hash - 2e-6f);
        }
      }
    });
  }
}

template <int D>
std::vector<Domain<D>> domains() {
  std::vector<Domain<D>> all{{}};
  for (const Side side : {Side::wall, Side::open, Side::inflow})
    all.push_back(box_domain<D>({Coord<D>::filled(-11), Coord<D>::filled(19)}, side));
  all.push_back(box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(16)}, Side::periodic));
  Domain<D> mixed = box_domain<D>({Coord<D>::filled(-16), Coord<D>::filled(16)}, Side::wall);
  mixed.sides[0] = {Side::open, Side::wall};
  mixed.sides[1] = {Side::periodic, Side::periodic};
  all.push_back(mixed);
  return all;
}

TEST(Samplers, BrickTableAndHashAgree) {
  for (const auto& domain : domains<2>()) {
    expect_samplers_agree<Linear, 2>(domain);
    expect_samplers_agree<CatmullRom, 2>(domain);
    expect_samplers_agree<MonotoneCubic, 2>(domain);
  }
  for (const auto& domain : domains<3>()) {
    expect_samplers_agree<Linear, 3>(domain);
    expect_samplers_agree<CatmullRom, 3>(domain);
  }
}

// The hash sampler itself against multilinear interpolation written out.
TEST(Samplers, HashFindsWhatIsThere) {
  const Problem<2> problem{{}};
  const HashSampler<2> hash = problem.hash({});
  for (std::uint64_t k = 0; k < 500; ++k) {
    Rng rng(6, k);
    const float x = rng.uniform(-30, 40), y = rng.uniform(-30, 40);
    const int i = int(std::floor(x)), j = int(std::floor(y));
    const float s = x - float(i), t = y - float(j);
    const auto f = [&](int a, int b) { return problem.field.get({a, b}); };
    const float expected =
        (1 - s) * ((1 - t) * f(i, j) + t * f(i, j + 1)) + s * ((1 - t) * f(i + 1, j) + t * f(i + 1, j + 1));
    EXPECT_NEAR((sample<Linear, 2>(hash, Coord<2>{}, Vec<float, 2>{x, y})), expected, 1e-5f);
  }
}

TEST(Samplers, PointKernelVisitsEveryPoint) {
  Problem<3> problem{{}};
  const int n = 10000;
  std::vector<Vec<float, 3>> position(n);
  std::vector<float> value(n, 99.f);
  for (int k = 0; k < n; ++k)
    for (int a = 0; a < 3; ++a)
      position[std::size_t(k)][a] = Rng(7, std::uint64_t(k), std::uint64_t(a)).uniform(-30, 40);
  const SamplePointsKernel<Linear, 3> kernel{problem.hash({}), position.data(), value.data()};
  for_points(problem.ex, n, kernel);
  for (int k = 0; k < n; ++k)
    ASSERT_EQ(value[std::size_t(k)],
              (sample<Linear, 3>(kernel.sampler, Coord<3>{}, position[std::size_t(k)])));
}

TEST(Samplers, StayInsideTheirBrickWhateverTheyAreAsked) {
  const Problem<3> problem{{}};
  std::vector<float> memory(std::size_t(ipow<3>(3 * tile_side)));
  Brick<3> brick{memory.data(), BrickBox<3>::around(Coord<3>::filled(2), Coord<3>::filled(2))};
  load_brick(TileGroup<3>(problem.topology->tile_set(), 0, nullptr), brick, problem.view);
  for (const float bad : {NAN, INFINITY, -INFINITY, 1e30f, -1e9f}) {
    const Vec<Lane<float>, 3> d{bad, bad, bad};
    Vec<Lane<float>, 3> t;
    const auto place = brick.locate<Linear>(Coord<3>{}, d, t);
    for (int k = 0; k < lane_width; ++k) {
      EXPECT_GE(place.index[k], 0) << bad;
      EXPECT_LT(place.index[k] + place.stride[0] + place.stride[1] + place.stride[2], brick.box.cells())
          << bad;
    }
  }
}

TEST(Samplers, ReadRunsAsTheyReadSinglePoints) {
  const Problem<3> problem{{}};
  std::vector<float> memory(std::size_t(ipow<3>(3 * tile_side)));
  Brick<3> brick{memory.data(), BrickBox<3>::around(Coord<3>::filled(3), Coord<3>::filled(3))};
  load_brick(TileGroup<3>(problem.topology->tile_set(), 0, nullptr), brick, problem.view);
  // Displacements along the row that stay within a cell, jump once, and jump everywhere.
  const auto check = [&](auto along) {
    Lane<float> x;
    for (int k = 0; k < lane_width; ++k) x.set(k, along(k));
    for (int row = 0; row < tile_side; ++row) {
      const Coord<3> at{row, (row * 3) % tile_side, 0};
      const Lane<float> all = sample<CatmullRom, 3>(brick, at, Vec<Lane<float>, 3>{Lane<float>(0.3f), x, x});
      for (int k = 0; k < lane_width; ++k) {
        Coord<3> one = at;
        one[2] = k;
        EXPECT_NEAR(all[k], (sample<CatmullRom, 3>(brick, one, Vec<float, 3>{0.3f, x[k], x[k]})), 1e-6)
            << row << k;
      }
    }
  };
  check([](int k) { return 0.1f + 0.1f * float(k); });
  check([](int k) { return -0.35f + 0.1f * float(k); });
  check([](int k) { return k % 2 ? 0.6f : -0.7f; });
  check([](int k) { return k % 3 ? 0.6f : -1.7f + 0.2f * float(k); });
}

TEST(Trace, HasTheOrderItSays) {
  // Once round a circle: error falls with the order's power of the step.
  const auto error = [](int order, int steps) {
    Vec<double, 2> x{1, 0};
    const double step = 2 * M_PI / steps;
    for (int k = 0; k < steps; ++k) {
      const auto velocity = [&](const Vec<double, 2>& d) {
        return Vec<double, 2>{-(x[1] + d[1]), x[0] + d[0]};
      };
      // trace() is for floats in cells; here the constants in it are what is tested.
      const Vec<double, 2> u0 = velocity({0, 0});
      x = x + trace<2>(velocity, u0, step, order);
    }
    return std::hypot(x[0] - 1, x[1]);
  };
  for (const int order : {1, 2, 3}) {
    const double rate = std::log2(error(order, 64) / error(order, 128));
    EXPECT_GT(rate, order - 0.25) << order;
    EXPECT_LT(rate, order + 0.6) << order;
  }
}

}  // namespace
}  // namespace whorl
