#include "stages/emit.h"

#include "grid/trace.h"

#include <algorithm>
#include <cmath>

namespace whorl {

template <int D>
Box<D> source_cells(const SmokeSource<D>& source, double h) {
  const Bounds<D> bounds = source.shape.bounds();
  Box<D> cells;
  for (int a = 0; a < D; ++a) {
    constexpr double far_away = Domain<D>::far_away;
    cells.lo[a] = int(std::clamp(std::floor(bounds.lo[a] / h) - 1, -far_away, far_away));
    cells.hi[a] = int(std::clamp(std::ceil(bounds.hi[a] / h) + 1, -far_away, far_away));
  }
  return cells;
}

namespace {

// Calls f(index, place in metres of the sample at `location`) for every stored cell of a box.
template <int D, class F>
void for_cells_of_box(Exec& ex, const Topology<D>& topology, const Box<D>& box, int location, double h,
                      const F& f) {
  const TileSet<D> tiles = topology.tile_set();
  ex.parallel_for(tiles.count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const Coord<D> first = topology.tiles()[std::size_t(tile)] * tile_side;
      const Box<D> own = Box<D>{first, first + Coord<D>::filled(tile_side)}.intersect(box);
      CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
      for_each_coord(own, [&](const Coord<D>& c) {
        i.at = c - first;
        Vec<double, D> x;
        for (int a = 0; a < D; ++a) x[a] = h * (c[a] + double(sample_offset(location, a)));
        f(i, x);
      });
    }
  });
}

}  // namespace

template <int D>
void emit(Exec& ex, Field<float, D>& density, Field<float, D>& temperature, MacField<float, D>& velocity,
          std::span<const SmokeSource<D>> sources, double h, double dt) {
  const Zone zone(ex.profile(), "emit");
  const Topology<D>& topology = *density.topology();
  const TopologyView<D> cells = topology.view();
  const FieldView<float, D> s = density.view(), t = temperature.view();
  for (const SmokeSource<D>& source : sources) {
    const Box<D> box = source_cells(source, h);
    const auto coverage = [&](const Vec<double, D>& x) {
      return float(std::clamp(0.5 - source.shape.distance(x) / h, 0., 1.));
    };
    const auto take_on = [](const FieldView<float, D>& field, const CellIndex<D>& i, float value,
                            float part) { field.store(i, field(i) + part * (value - field(i))); };
    for_cells_of_box(ex, topology, box, at_centres, h, [&](const CellIndex<D>& i, const Vec<double, D>& x) {
      const float part = cells.active_bits(i) ? coverage(x) : 0.f;
      if (part == 0) return;
      s.store(i, s(i) + part * source.density_rate * float(dt));
      if (source.density) take_on(s, i, *source.density, part);
      if (source.temperature) take_on(t, i, *source.temperature, part);
    });
    if (!source.velocity) continue;
    for (int a = 0; a < D; ++a) {
      const FieldView<float, D> u = velocity[a].view();
      for_cells_of_box(ex, topology, box, a, h, [&](const CellIndex<D>& i, const Vec<double, D>& x) {
        const float part = cells.live_face_bits(i, a) ? coverage(x) : 0.f;
        if (part > 0) take_on(u, i, (*source.velocity)[a], part);
      });
    }
  }
}

template Box<2> source_cells(const SmokeSource<2>&, double);
template Box<3> source_cells(const SmokeSource<3>&, double);
template void emit(Exec&, Field<float, 2>&, Field<float, 2>&, MacField<float, 2>&,
                   std::span<const SmokeSource<2>>, double, double);
template void emit(Exec&, Field<float, 3>&, Field<float, 3>&, MacField<float, 3>&,
                   std::span<const SmokeSource<3>>, double, double);

}  // namespace whorl
