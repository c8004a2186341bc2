// Small smoke states that several tests start from.
#pragma once

#include "solvers/smoke.h"

#include <cmath>
#include <functional>

namespace whorl {

// Sets density (at centres) and velocity (at faces) of every stored cell from functions of position, in
// cells.
template <int D>
void fill_smoke(SmokeState<D>& s, const std::function<double(const Vec<double, D>&)>& density,
                const std::function<double(const Vec<double, D>&, int axis)>& velocity) {
  const Topology<D>& topology = *s.topology();
  const TopologyView<D> cells = topology.view();
  for (int tile = 0; tile < topology.tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const CellIndex<D> i{tile, topology.tile_set().neighbours + tile * neighbourhood<D>, at};
      const Coord<D> c = topology.tiles()[std::size_t(tile)] * tile_side + at;
      Vec<double, D> x;
      for (int a = 0; a < D; ++a) x[a] = c[a] + 0.5;
      if (cells.active_bits(i)) s.density.set(c, float(density(x)));
      for (int a = 0; a < D; ++a)
        if (cells.live_face_bits(i, a))
          s.velocity[a].set(c, float(velocity(x - Vec<double, D>::unit(a, 0.5), a)));
    });
}

// A Gaussian of height 1.
template <int D>
double blob(const Vec<double, D>& x, const Vec<double, D>& centre, double radius) {
  double r2 = 0;
  for (int a = 0; a < D; ++a) r2 += (x[a] - centre[a]) * (x[a] - centre[a]);
  return std::exp(-r2 / (2 * radius * radius));
}

// A swirl in the plane of the first two axes that dies away with the blob, largest speed about `speed`.
template <int D>
double swirl(const Vec<double, D>& x, int axis, const Vec<double, D>& centre, double radius, double speed) {
  if (axis > 1) return 0;
  const double lever = axis == 0 ? -(x[1] - centre[1]) : x[0] - centre[0];
  return 1.65 * speed * lever / radius * blob<D>(x, centre, radius);
}

}  // namespace whorl
