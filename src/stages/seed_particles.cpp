#include "stages/seed_particles.h"

#include "base/rng.h"

#include <cmath>

namespace whorl {

template <int D>
NewParticles<D> seed_particles(const Shape<D>& shape, const Box<D>& cells, double h, std::uint64_t seed,
                               const Vec<float, D>& velocity) {
  NewParticles<D> made;
  const double half_diagonal = 0.5 * std::sqrt(double(D)) * h;
  for_each_coord(cells, [&](const Coord<D>& cell) {
    Vec<double, D> centre;
    for (int a = 0; a < D; ++a) centre[a] = cell[a] + 0.5;
    if (shape.distance(centre * h) > half_diagonal) return;
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key = mix64(key, std::uint64_t(std::uint32_t(cell[a])));
    Rng rng(seed, key);
    for (int k = 0; k < 1 << D; ++k) {
      Vec<double, D> x;
      for (int a = 0; a < D; ++a) x[a] = cell[a] + 0.5 * ((k >> a & 1) + double(rng.uniform()));
      if (!(shape.distance(x * h) < 0)) continue;
      made.position.push_back(x);
      made.velocity.push_back(velocity);
    }
  });
  return made;
}

template NewParticles<2> seed_particles(const Shape<2>&, const Box<2>&, double, std::uint64_t,
                                        const Vec<float, 2>&);
template NewParticles<3> seed_particles(const Shape<3>&, const Box<3>&, double, std::uint64_t,
                                        const Vec<float, 3>&);

}  // namespace whorl
