#include "stages/emit.h"

#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace whorl {

template <int D>
double emit(Exec& ex, Field<float, D>& density, Field<float, D>& temperature, MacField<float, D>& velocity,
            const TopologyView<D>& fluid, std::span<const SmokeSource<D>> sources, double h, double dt,
            Field<float, D>* fuel) {
  const Zone zone(ex.profile(), "emit");
  const Topology<D>& topology = *density.topology();
  const TopologyView<D> cells = topology.view();
  const FieldView<float, D> s = density.view(), t = temperature.view(),
                            f = fuel ? fuel->view() : FieldView<float, D>();
  std::vector<double> added(std::size_t(topology.tile_count()));  // density, by tile
  for (const SmokeSource<D>& source : sources) {
    const auto coverage = [&](const Coord<D>& cell, int location) {
      return float(std::clamp(0.5 - source.shape.distance(sample_place(cell, location, h)) / h, 0., 1.));
    };
    const auto take_on = [](float old, float value, float part) { return old + part * (value - old); };
    for_cells_of_box(ex, topology, source.cells, [&](const CellIndex<D>& i, const Coord<D>& cell) {
      const float part = fluid.active_bits(i) ? coverage(cell, at_centres) : 0.f;
      if (part == 0) return;
      const float before = s(i);
      float smoke = before + part * source.density_rate.at(cell) * float(dt);
      if (source.density) smoke = take_on(smoke, source.density->at(cell), part);
      s.store(i, smoke);
      added[std::size_t(i.tile)] += double(smoke) - before;
      float heat = t(i) + part * source.temperature_rate.at(cell) * float(dt);
      if (source.temperature) heat = take_on(heat, source.temperature->at(cell), part);
      t.store(i, heat);
      if (!fuel) return;
      float load = f(i) + part * source.fuel_rate.at(cell) * float(dt);
      if (source.fuel) load = take_on(load, source.fuel->at(cell), part);
      f.store(i, load);
    });
    if (!source.velocity) continue;
    for (int a = 0; a < D; ++a) {
      const FieldView<float, D> u = velocity[a].view();
      for_cells_of_box(ex, topology, source.cells, [&](const CellIndex<D>& i, const Coord<D>& cell) {
        const float part = cells.live_face_bits(i, a) ? coverage(cell, a) : 0.f;
        if (part > 0) u.store(i, take_on(u(i), (*source.velocity)[std::size_t(a)].at(cell), part));
      });
    }
  }
  return std::pow(h, D) * std::accumulate(added.begin(), added.end(), 0.);
}

template double emit(Exec&, Field<float, 2>&, Field<float, 2>&, MacField<float, 2>&, const TopologyView<2>&,
                     std::span<const SmokeSource<2>>, double, double, Field<float, 2>*);
template double emit(Exec&, Field<float, 3>&, Field<float, 3>&, MacField<float, 3>&, const TopologyView<3>&,
                     std::span<const SmokeSource<3>>, double, double, Field<float, 3>*);

}  // namespace whorl
