#include "stages/surface_tension.h"

#include "exec/shapes.h"
#include "geometry/surface_pieces.h"

#include <cmath>

namespace whorl {

template <int D>
MacField<float, D> surface_tension(Exec& ex, const Field<float, D>& phi, const Field<float, D>& ahead,
                                   double h, double tension, const Field<float, D>& share) {
  const Zone zone(ex.profile(), "surface_tension");
  const TopologyPtr<D>& topology = phi.topology();
  const TileSet<D> tiles = topology->tile_set();
  const TopologyView<D> cells = topology->view();
  const FieldView<const float, D> value = phi.view();
  const auto crossed = [=](const CellIndex<D>& i, int a, int step) {
    return cells.active_bits(i) && cells.active_bits(i, a, step) && (value(i) < 0) != (value(i, a, step) < 0);
  };
  const auto for_cells = [&](const auto& f) {
    ex.parallel_for(tiles.count, 4, [&](std::int64_t begin, std::int64_t end) {
      for (int tile = int(begin); tile < int(end); ++tile)
        for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
          f(CellIndex<D>{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, at});
        });
    });
  };

  Field<float, D> pressure(ex, topology);  // of each cell next to the surface
  for_cells([&](const CellIndex<D>& i) {
    bool any = false;
    for (int a = 0; a < D; ++a) any = any || crossed(i, a, -1) || crossed(i, a, +1);
    if (!any) return;
    const float part = share.topology() ? share.view()(i) : 1.f;
    if (part > 0) pressure.view().store(i, part * float(tension * surface_curvature(ahead, i, h)));
  });
  MacField<float, D> at_surface(ex, topology);
  const FieldView<const float, D> p = std::as_const(pressure).view();
  for_cells([&](const CellIndex<D>& i) {
    for (int a = 0; a < D; ++a) {
      if (!crossed(i, a, -1)) continue;
      const float part = value(i) / (value(i) - value(i, a, -1));  // of the way to the cell below
      at_surface[a].view().store(i, p(i) + part * (p(i, a, -1) - p(i)));
    }
  });
  return at_surface;
}

double capillary_step(double h, double tension) {
  return tension > 0 ? 0.5 * std::sqrt(h * h * h / (4 * M_PI * tension)) : HUGE_VAL;
}

double smooth_capillary_step(double h, double tension) {
  return tension > 0 ? 0.5 * std::sqrt(h * h * h / tension) : HUGE_VAL;
}

template MacField<float, 2> surface_tension(Exec&, const Field<float, 2>&, const Field<float, 2>&, double,
                                            double, const Field<float, 2>&);
template MacField<float, 3> surface_tension(Exec&, const Field<float, 3>&, const Field<float, 3>&, double,
                                            double, const Field<float, 3>&);

}  // namespace whorl
