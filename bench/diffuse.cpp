// Implicit diffusion of one scalar and of momentum in a closed box with a ball in it.
#include "stages/diffuse.h"
#include "base/rng.h"
#include "harness.h"

#include <cstdio>

namespace whorl::bench {

namespace {

constexpr int D = 3;

void randomise(Exec& ex, Field<float, D>& q) {
  ex.parallel_for(std::int64_t(q.size()), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) q.data()[k] = Rng(3, std::uint64_t(k)).uniform(-1, 1);
  });
}

}  // namespace

int diffuse(const Options& options) {
  const int n = options.size ? options.size : 128;
  Table table("implicit diffusion to 1e-5 of noise, " + std::to_string(n) + "^3 cells");
  for (const int threads : thread_counts(options)) {
    Exec ex({.threads = threads});
    const auto topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
    Solid<D> ball;
    ball.shape = SphereShape<D>{Vec<double, D>::filled(0.5 * n), 0.2 * n};
    const CutFaces<D> faces = cut_faces<D>(ex, topology, {&ball, 1}, &Solid<D>::shape, 1., WallMode::cut);
    const double cells = double(topology->active_cells());
    Field<float, D> noise(ex, topology);
    randomise(ex, noise);
    MacField<float, D> gusts(ex, topology);
    for (int a = 0; a < D; ++a) randomise(ex, gusts[a]);
    for (const double strength : {1., 10., 100.}) {
      DiffusionReport scalar, momentum;
      const std::vector<double> seconds =
          best_seconds(2, {[&] {
                             Field<float, D> q = noise.clone(ex);
                             scalar = whorl::diffuse(ex, q, faces.open, strength, 1., 1.);
                           },
                           [&] {
                             MacField<float, D> u = gusts.clone(ex);
                             momentum = whorl::diffuse(ex, u, faces, {}, strength, 1., 1.);
                           }});
      table.add("k dt/h2 = " + std::to_string(int(strength)) + ", " + std::to_string(threads) +
                    (threads == 1 ? " thread" : " threads"),
                {{"iterations", double(scalar.iterations)},
                 {"ns/cell", 1e9 * seconds[0] / cells},
                 {"momentum iterations", double(momentum.iterations)},
                 {"momentum ns/cell", 1e9 * seconds[1] / cells}});
    }
  }
  return table.write_json(options.json);
}

}  // namespace whorl::bench
