#include "sphere_problem.h"
#include "base/box.h"
#include "base/rng.h"

#include <cmath>

namespace whorl::bench {

namespace {

constexpr int D = 3;

bool in_sphere(const Coord<D>& c, int n) {
  double r2 = 0;
  for (int a = 0; a < D; ++a) r2 += std::pow((c[a] + 0.5) / n - 0.5, 2);
  return r2 < 0.2 * 0.2;
}

// A cell at the top has air above it, one cell away: a weight on the diagonal and no neighbour.
bool is_open(const Coord<D>& c, int n) {
  for (int a = 0; a < D; ++a)
    if (c[a] < 0 || c[a] >= n) return a == 1 && c[a] >= n;
  return !in_sphere(c, n);
}

double right_side(const Coord<D>& c, int n) {
  double smooth = 1;
  std::uint64_t id = 0;
  for (int a = 0; a < D; ++a) {
    smooth *= std::sin(2 * M_PI * (c[a] + 0.5) / n + a);
    id = id * 4096 + std::uint64_t(c[a]);
  }
  return smooth + 0.1 * double(Rng(1, id).uniform(-1, 1));
}

}  // namespace

Result<PoissonFile> sphere_problem(int n) {
  Result<PoissonFile> made = PoissonFile::temporary(n);
  if (!made) return made;
  PoissonFile& file = made.value();
  const double h2 = 1. / (double(n) * n);
  std::size_t i = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
    if (is_open(c, n)) {
      for (int a = 0; a < D; ++a)
        for (const int side : {-1, +1}) {
          if (!is_open(c + Coord<D>::unit(a, side), n)) continue;
          file.diagonal()[i] += 1;
          if (side < 0) file.low_weight(a)[i] = 1;
        }
      file.b()[i] = h2 * right_side(c, n);
    }
    ++i;
  });
  return made;
}

}  // namespace whorl::bench
