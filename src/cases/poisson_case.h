// V-P1's problem: the unit cube with solid sides and floor, air above, a solid sphere of radius 0.2 inside,
// and a right side that is smooth with a tenth of noise.
#pragma once

#include "base/rng.h"
#include "linear/pressure_system.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

template <int D>
struct PoissonCase {
  TopologyPtr<D> topology;
  PressureSystem<D> system;
  Field<double, D> right_side;
  double h;

  PoissonCase(Exec& ex, int n) : h(1. / n) {
    Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall);
    domain.sides[1][1] = Side::open;
    const auto solid = [=](const Coord<D>& c) {
      double r2 = 0;
      for (int a = 0; a < D; ++a) r2 += std::pow((c[a] + 0.5) / n - 0.5, 2);
      return r2 < 0.2 * 0.2;
    };
    const auto box = Topology<D>::of_box(ex, domain);
    std::vector<std::uint8_t> active(box->active().begin(), box->active().end());
    for (std::size_t tile = 0; tile < box->tiles().size(); ++tile)
      for (int c = 0; c < tile_cells<D>; ++c) {
        Coord<D> at;
        for (int a = D - 1, rest = c; a >= 0; --a, rest /= tile_side) at[a] = rest % tile_side;
        if (solid(box->tiles()[tile] * tile_side + at))
          active[tile * tile_rows<D> + std::size_t(c / tile_side)] &= std::uint8_t(~(1u << c % tile_side));
      }
    topology = Topology<D>::of_cells(ex, domain, {box->tiles().begin(), box->tiles().end()}, active);

    MacField<float, D> open = open_fraction(ex, topology);
    right_side = Field<double, D>(ex, topology);
    for_each_coord(domain.cells, [&](const Coord<D>& c) {
      if (solid(c)) {
        for (int a = 0; a < D; ++a) {
          open[a].set(c, 0);
          if (open[a].stores(c + Coord<D>::unit(a))) open[a].set(c + Coord<D>::unit(a), 0);
        }
        return;
      }
      double smooth = 1;
      std::uint64_t id = 0;
      for (int a = 0; a < D; ++a) {
        smooth *= std::sin(2 * M_PI * (c[a] + 0.5) / n + a);
        id = id * 4096 + std::uint64_t(c[a]);
      }
      right_side.set(c, smooth + 0.1 * double(Rng(1, id).uniform(-1, 1)));
    });
    system = pressure_system(ex, std::move(open));
  }
};

}  // namespace whorl
