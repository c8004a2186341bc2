// MacCormack with RK2 traces of the three face components and one scalar, CFL 3, on tiles beside a flat
// dense array. The dense one is one brick as large as the grid: the same lanes, traces and samples,
// without tiles, tables or bricks to fill, but with periodic halos to keep up.
#include "stages/advect.h"
#include "grid/brick.h"
#include "harness.h"

#include <cmath>
#include <cstdio>

namespace whorl::bench {

namespace {

constexpr int D = 3;
using Real = Lane<float>;

constexpr float cfl = 3;

// A vortical flow of largest speed 1 and a scalar, periodic over n cells.
float flow_at(const Coord<D>& c, int n, int which) {
  const float k = 2 * float(M_PI) / float(n);
  const auto x = [&](int a) { return k * (float(c[a]) + sample_offset(which, a)); };
  switch (which) {
    case 0:
      return 0.6f * std::sin(x(0)) * std::cos(x(1)) + 0.4f * std::sin(3 * x(2));
    case 1:
      return -0.6f * std::cos(x(0)) * std::sin(x(1)) + 0.4f * std::cos(2 * x(2));
    case 2:
      return std::sin(2 * x(0)) * std::cos(3 * x(1));
    default:
      return std::sin(5 * x(0)) * std::sin(4 * x(1)) * std::cos(3 * x(2));
  }
}

// A flat array of n³ cells with `halo` more on every side, as a brick.
struct DenseField {
  static constexpr int halo = tile_side;
  Buffer<float> memory;
  Brick<D> brick;

  DenseField(Exec& ex, int n) {
    brick.box = {Coord<D>::filled(-halo), Coord<D>::filled(n + halo)};
    memory = ex.buffer<float>(std::size_t(brick.box.cells()));
    brick.data = memory.data();
  }
  float& at(const Coord<D>& c) const { return *brick.at(c); }
};

// Copies what the halos repeat, axis by axis.
void fill_halo(Exec& ex, const DenseField& f) {
  const int n = f.brick.box.hi[0] - DenseField::halo, side = n + 2 * DenseField::halo;
  for (int a = 0; a < D; ++a)
    ex.parallel_for(side, 4, [&](std::int64_t begin, std::int64_t end) {
      for (int k = 0; k < DenseField::halo; ++k)
        for (std::int64_t i = begin; i < end; ++i) {
          // Along rows where the axis is not the last, so that copies are contiguous.
          Coord<D> c;
          const int other = a == 0 ? 1 : 0, row = D - 1;
          c[other] = int(i) - DenseField::halo;
          if (a != row) {
            const std::size_t bytes = std::size_t(side) * sizeof(float);
            c[row] = -DenseField::halo;
            for (const int to : {k - DenseField::halo, n + k}) {
              c[a] = to;
              float* target = f.brick.at(c);
              c[a] = to < 0 ? to + n : to - n;
              __builtin_memcpy(target, f.brick.at(c), bytes);
            }
          } else {
            for (int j = -DenseField::halo; j < n + DenseField::halo; ++j) {
              c[1] = j;
              for (const int to : {k - DenseField::halo, n + k}) {
                c[row] = to < 0 ? to + n : to - n;
                const float value = f.at(c);
                c[row] = to;
                f.at(c) = value;
              }
            }
          }
        }
    });
}

struct DenseAdvection {
  int n;
  std::vector<DenseField> in, there, lo, hi, out;  // three velocity components and the scalar

  DenseAdvection(Exec& ex, int cells) : n(cells) {
    for (auto* group : {&in, &there, &lo, &hi, &out})
      for (int q = 0; q <= D; ++q) group->emplace_back(ex, n);
    for (int q = 0; q <= D; ++q) {
      for_each_coord(Box<D>{{}, Coord<D>::filled(n)},
                     [&](const Coord<D>& c) { in[std::size_t(q)].at(c) = flow_at(c, n, q); });
      fill_halo(ex, in[std::size_t(q)]);
    }
  }

  template <class F>
  void for_lanes(Exec& ex, const F& f) const {
    ex.parallel_for(std::int64_t(n) * n, 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        for (int z = 0; z < n; z += lane_width) f(Coord<D>{int(k / n), int(k % n), z});
    });
  }

  // Kept out of line: with all of a pass in one function the compiler runs out of registers.
  __attribute__((noinline)) static Vec<Real, D> departure(const Brick<D>* u, const Coord<D>& c, int location,
                                                          float step) {
    Vec<Real, D> v;
    for (int a = 0; a < D; ++a) {
      const auto at = [&](Coord<D> i) { return Real::load(u[a].at(i)); };
      const Coord<D> next = c + Coord<D>::unit(a);
      if (location == a) {
        v[a] = at(c);
      } else if (location == at_centres) {
        v[a] = Real(0.5f) * (at(c) + at(next));
      } else {
        const Coord<D> below = Coord<D>::unit(location);
        v[a] = Real(0.25f) * ((at(c) + at(c - below)) + (at(next) + at(next - below)));
      }
    }
    const auto velocity = [&](const Vec<Real, D>& d) { return sample_velocity<D>(u, c, location, d); };
    return trace<D>(velocity, v, Real(step), 2);
  }

  void run(Exec& ex, float step) const {
    const Brick<D> u[D] = {in[0].brick, in[1].brick, in[2].brick};
    for_lanes(ex, [&](const Coord<D>& c) {
      for (std::size_t q = 0; q <= D; ++q) {
        const auto s = sample_with_bounds<Linear, D>(in[q].brick, c, departure(u, c, location(q), -step));
        s.value.store(&there[q].at(c));
        s.lo.store(&lo[q].at(c));
        s.hi.store(&hi[q].at(c));
      }
    });
    for (const DenseField& f : there) fill_halo(ex, f);
    for_lanes(ex, [&](const Coord<D>& c) {
      for (std::size_t q = 0; q <= D; ++q) {
        const Real back = sample<Linear, D>(there[q].brick, c, departure(u, c, location(q), step));
        const Real value = Real::load(&there[q].at(c)) + Real(0.5f) * (Real::load(&in[q].at(c)) - back);
        min(max(value, Real::load(&lo[q].at(c))), Real::load(&hi[q].at(c))).store(&out[q].at(c));
      }
    });
  }
  static int location(std::size_t q) { return q < D ? int(q) : at_centres; }
};

struct TileAdvection {
  TopologyPtr<D> topology;
  MacField<float, D> velocity, new_velocity;
  Field<float, D> scalar, new_scalar;

  TileAdvection(Exec& ex, int n)
      : topology(Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::periodic))),
        velocity(ex, topology),
        scalar(ex, topology) {
    for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
      for (int a = 0; a < D; ++a) velocity[a].set(c, flow_at(c, n, a));
      scalar.set(c, flow_at(c, n, D));
    });
  }
  void run(Exec& ex, float step) {
    const Domain<D>& domain = topology->domain();
    std::vector<Carried<D>> carried{{&scalar, &new_scalar, at_centres, scalar_boundary(domain, 0.f, 0.f)}};
    for (int a = 0; a < D; ++a)
      carried.push_back({&velocity[a], &new_velocity[a], a, velocity_boundary<D>(domain, a, 0.f, {})});
    whorl::advect<D>(ex, Crossing<D>(ex, topology, topology), {&velocity, {}}, carried, step,
                     AdvectionParams{});
  }
};

}  // namespace

int advect(const Options& options) {
  const int n = options.size ? options.size : 128;
  if (n % tile_side != 0 || n > 512) {
    std::fprintf(stderr, "whorl-bench: --size must be a multiple of %d up to 512, not %d\n", tile_side, n);
    return 2;
  }
  const double cells = double(n) * n * n;
  Table table("MacCormack, RK2, CFL 3, three face components and a scalar, " + std::to_string(n) + "^3");
  for (const int threads : thread_counts(options)) {
    Exec ex({.threads = threads});
    const DenseAdvection dense(ex, n);
    TileAdvection tiles(ex, n);
    dense.run(ex, cfl);
    tiles.run(ex, cfl);
    double worst = 0;
    for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
      for (int q = 0; q <= D; ++q) {
        const float value = q < D ? tiles.new_velocity[q].get(c) : tiles.new_scalar.get(c);
        worst = std::max(worst, std::abs(double(value) - dense.out[std::size_t(q)].at(c)));
      }
    });
    if (!(worst < 1e-3)) {
      std::fprintf(stderr, "whorl-bench: tiles and dense disagree by %g\n", worst);
      return 1;
    }
    const auto s = best_seconds(5, {[&] { dense.run(ex, cfl); }, [&] { tiles.run(ex, cfl); }});
    const std::string suffix = ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    table.add("dense" + suffix, {{"ns/cell", 1e9 * s[0] / cells}, {"x dense", 1.}});
    table.add("tiles" + suffix, {{"ns/cell", 1e9 * s[1] / cells}, {"x dense", s[1] / s[0]}});
  }
  return table.write_json(options.json);
}

}  // namespace whorl::bench
