// The 7-point operator over tiles beside the same over a flat dense array, and the memory's own speed
// (STREAM triad) beside both. Bytes are counted with the write-allocate read of each output line:
// triad 16 a cell, apply 12, with face weights 24.
#include "grid/field.h"
#include "harness.h"
#include "linear/laplacian.h"

#include "base/rng.h"

#include <cmath>
#include <cstdio>

namespace whorl::bench {

namespace {

constexpr int D = 3;

// n³ cells and a halo all round; rows begin at a cache line, the fastest of the layouts tried.
struct DenseGrid {
  static constexpr long margin = 16;  // along a row
  long n, sy, sx;
  explicit DenseGrid(int cells) : n(cells), sy(n + margin), sx(sy * (n + 2)) {}
  std::size_t size() const { return std::size_t(sx * (n + 2) + margin); }
  long row(long x, long y) const { return (x + 1) * sx + (y + 1) * sy + margin; }
  std::size_t index(const Coord<D>& c) const { return std::size_t(row(c[0], c[1]) + c[2]); }
};

void dense_apply(const DenseGrid& g, long x_begin, long x_end, const float* __restrict p,
                 float* __restrict out, float inv_h2) {
  for (long x = x_begin; x < x_end; ++x)
    for (long y = 0; y < g.n; ++y) {
      const long row = g.row(x, y);
      const float *c = p + row, *x0 = c - g.sx, *x1 = c + g.sx, *y0 = c - g.sy, *y1 = c + g.sy;
      float* o = out + row;
      for (long z = 0; z < g.n; ++z)
        o[z] = (6 * c[z] - ((x0[z] + x1[z]) + (y0[z] + y1[z]) + (c[z - 1] + c[z + 1]))) * inv_h2;
    }
}

// The same, two planes at a time: half as many rows come from a core's second cache. The best dense loop
// found.
void dense_apply_pairs(const DenseGrid& g, long x_begin, long x_end, const float* __restrict p,
                       float* __restrict out, float inv_h2) {
  const long sy = g.sy;
  for (long x = x_begin; x < x_end; x += 2)
    for (long y = 0; y < g.n; ++y) {
      const float *b = p + g.row(x, y), *a = b - g.sx, *c = b + g.sx, *d = c + g.sx;
      float* __restrict o = out + g.row(x, y);
      float* __restrict next = o + g.sx;
      for (long z = 0; z < g.n; ++z) {
        o[z] = (6 * b[z] - ((a[z] + c[z]) + (b[z - sy] + b[z + sy]) + (b[z - 1] + b[z + 1]))) * inv_h2;
        next[z] = (6 * c[z] - ((b[z] + d[z]) + (c[z - sy] + c[z + sy]) + (c[z - 1] + c[z + 1]))) * inv_h2;
      }
    }
}

void dense_apply_weighted(const DenseGrid& g, long x_begin, long x_end, const float* __restrict p,
                          const float* const* w, float* __restrict out, float inv_h2) {
  for (long x = x_begin; x < x_end; ++x)
    for (long y = 0; y < g.n; ++y) {
      const long row = g.row(x, y);
      const float *c = p + row, *x0 = c - g.sx, *x1 = c + g.sx, *y0 = c - g.sy, *y1 = c + g.sy;
      const float* __restrict wx = w[0] + row;
      const float* __restrict wy = w[1] + row;
      const float* __restrict wz = w[2] + row;
      float* o = out + row;
      for (long z = 0; z < g.n; ++z)
        o[z] = ((wx[z] * (c[z] - x0[z]) + wx[z + g.sx] * (c[z] - x1[z])) +
                (wy[z] * (c[z] - y0[z]) + wy[z + g.sy] * (c[z] - y1[z])) +
                (wz[z] * (c[z] - c[z - 1]) + wz[z + 1] * (c[z] - c[z + 1]))) *
               inv_h2;
    }
}

float value_at(const Coord<D>& c, int which) {
  return Rng(7, std::uint64_t(which),
             mix64(std::uint64_t(c[0]) << 40 | std::uint64_t(c[1]) << 20 | std::uint64_t(c[2])))
      .uniform();
}

// Fields on a topology, filled with the same numbers as the dense arrays.
struct TileProblem {
  TopologyPtr<D> topology;
  Field<float, D> p, out;
  MacField<float, D> w;

  TileProblem(Exec& ex, TopologyPtr<D> t) : topology(t), p(ex, t), out(ex, t), w(ex, t) {
    const TopologyView<D> cells = t->view();
    const auto fill = [&](Field<float, D>& f, int which) {
      float* data = f.data();
      ex.parallel_for(t->tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile)
          for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
            data[std::size_t(tile) * tile_cells<D> + std::size_t(cell_offset<D>(at))] =
                value_at(cells.tiles[tile] * tile_side + at, which);
          });
      });
    };
    fill(p, 0);
    for (int a = 0; a < D; ++a) fill(w[a], 1 + a);
  }
  void apply(Exec& ex) {
    for_rows(ex, topology->active_tile_set(),
             LaplacianKernel<float, D>{std::as_const(p).view(), out.view(), 4.f});
  }
  void apply_weighted(Exec& ex) {
    for_rows(ex, topology->active_tile_set(),
             WeightedLaplacianKernel<float, D>{{std::as_const(p).view(), std::as_const(w).view(), 4.f},
                                               out.view()});
  }
};

struct DenseProblem {
  DenseGrid grid;
  Buffer<float> p, out, w[D];

  DenseProblem(Exec& ex, int n)
      : grid(n), p(ex.buffer<float>(grid.size())), out(ex.buffer<float>(grid.size())) {
    for (auto& weight : w) weight = ex.buffer<float>(grid.size());
    for (auto* b : {&p, &out, &w[0], &w[1], &w[2]}) std::fill(b->begin(), b->end(), 0.f);
    for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
      p[grid.index(c)] = value_at(c, 0);
      for (int a = 0; a < D; ++a) w[a][grid.index(c)] = value_at(c, 1 + a);
    });
  }
  // As few chunks as keep the threads even: neighbouring planes are then read once.
  std::int64_t planes(const Exec& ex) const {
    return std::max<std::int64_t>(1, grid.n / (8 * ex.threads())) * 2;
  }
  void apply(Exec& ex) {
    ex.parallel_for(grid.n, planes(ex), [&](std::int64_t begin, std::int64_t end) {
      dense_apply(grid, begin, end, p.data(), out.data(), 4.f);
    });
  }
  void apply_pairs(Exec& ex) {
    ex.parallel_for(grid.n, planes(ex), [&](std::int64_t begin, std::int64_t end) {
      dense_apply_pairs(grid, begin, end, p.data(), out.data(), 4.f);
    });
  }
  void apply_weighted(Exec& ex) {
    const float* weights[D] = {w[0].data(), w[1].data(), w[2].data()};
    ex.parallel_for(grid.n, planes(ex), [&](std::int64_t begin, std::int64_t end) {
      dense_apply_weighted(grid, begin, end, p.data(), weights, out.data(), 4.f);
    });
  }
};

// Tiles between two spheres, about as many cells as the cube has.
TopologyPtr<D> shell_topology(Exec& ex, int n) {
  const double radius = 0.78 * n, half = n / 16.;
  const int tiles = int((radius + half) / tile_side) + 1;
  std::vector<Coord<D>> shell;
  for_each_coord(Box<D>{Coord<D>::filled(-tiles), Coord<D>::filled(tiles)}, [&](const Coord<D>& t) {
    double r2 = 0;
    for (int a = 0; a < D; ++a) r2 += (t[a] + 0.5) * (t[a] + 0.5) * tile_side * tile_side;
    if (std::abs(std::sqrt(r2) - radius) <= half) shell.push_back(t);
  });
  return Topology<D>::of_tiles(ex, {}, std::move(shell));
}

double worst_difference(const TileProblem& tiles, const DenseProblem& dense) {
  double worst = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(int(dense.grid.n))}, [&](const Coord<D>& c) {
    worst = std::max(worst, std::abs(double(tiles.out.get(c)) - dense.out[dense.grid.index(c)]));
  });
  return worst;
}

}  // namespace

int stencil(const Options& options) {
  const int n = options.size ? options.size : 256;
  if (n % tile_side != 0 || n > 1024) {
    std::fprintf(stderr, "whorl-bench: --size must be a multiple of %d up to 1024, not %d\n", tile_side, n);
    return 2;
  }
  const double cells = double(n) * n * n;
  Table table("7-point apply, " + std::to_string(n) + "^3");
  for (const int threads : thread_counts(options)) {
    Exec ex({.threads = threads});
    DenseProblem dense(ex, n);
    TileProblem cube(ex, Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall)));
    TileProblem shell(ex, shell_topology(ex, n));
    Buffer<float> target = ex.buffer<float>(dense.grid.size());
    const auto triad = [&] {
      ex.parallel_for(std::int64_t(cells), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        float* __restrict a = target.data();
        const float *b = dense.w[1].data(), *c = dense.w[2].data();
        for (std::int64_t i = begin; i < end; ++i) a[i] = b[i] + 3.f * c[i];
      });
    };

    dense.apply(ex), cube.apply(ex);
    const double difference = worst_difference(cube, dense);
    dense.apply_weighted(ex), cube.apply_weighted(ex);
    const double weighted_difference = worst_difference(cube, dense);
    if (!(difference <= 1e-4 && weighted_difference <= 1e-4)) {
      std::fprintf(stderr, "whorl-bench: tiles and dense disagree by %g and %g\n", difference,
                   weighted_difference);
      return 1;
    }

    const std::vector<double> s = best_seconds(
        12, {triad, [&] { dense.apply(ex); }, [&] { dense.apply_pairs(ex); }, [&] { cube.apply(ex); },
             [&] { shell.apply(ex); }, [&] { dense.apply_weighted(ex); }, [&] { cube.apply_weighted(ex); },
             [&] { shell.apply_weighted(ex); }});
    const double shell_cells = double(shell.topology->active_cells());
    const double bandwidth = 16 * cells / s[0];
    const auto line = [&](const char* name, double seconds, double count, double bytes, double reference) {
      const double per_cell = seconds / count;
      table.add(name + std::string(", ") + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
                {{"ns/cell", 1e9 * per_cell},
                 {"GB/s", 1e-9 * bytes / per_cell},
                 {"of triad", bytes / per_cell / bandwidth},
                 {"x dense", per_cell / (reference / cells)}});
    };
    line("triad", s[0], cells, 16, s[0]);
    line("constant, dense", s[1], cells, 12, s[1]);
    line("constant, dense by two planes", s[2], cells, 12, s[1]);
    line("constant, tiles", s[3], cells, 12, s[1]);
    line("constant, shell of tiles", s[4], shell_cells, 12, s[1]);
    line("weighted, dense", s[5], cells, 24, s[5]);
    line("weighted, tiles", s[6], cells, 24, s[5]);
    line("weighted, shell of tiles", s[7], shell_cells, 24, s[5]);
  }
  return table.write_json(options.json);
}

}  // namespace whorl::bench
