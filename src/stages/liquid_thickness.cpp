#include "stages/liquid_thickness.h"

#include "particles/particles_near.h"
#include "stages/number_block.h"

#include <algorithm>

namespace whorl {

namespace {

constexpr int box_reach = 2;                           // cells, of the count of particles round a cell …
constexpr int most_reach = 2;                          // … and of its largest value
constexpr double thin_below = 0.4, thick_above = 0.9;  // of a full box

double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0., 1.);
  return t * t * (3 - 2 * t);
}

}  // namespace

Field<float, 3> liquid_thickness(Exec& ex, const ParticleSet<3>& p, double per_cell) {
  const Zone zone(ex.profile(), "liquid_thickness");
  std::vector<Coord<3>> tiles;
  for (int t = 0; t < p.topology->tile_count(); ++t)
    if (p.tile_begin(t) < p.tile_end(t))
      for_each_coord(Box<3>{Coord<3>::filled(-1), Coord<3>::filled(2)}, [&](const Coord<3>& step) {
        tiles.push_back(p.topology->tiles()[std::size_t(t)] + step);
      });
  const TopologyPtr<3> topology = Topology<3>::of_tiles(ex, {}, std::move(tiles));
  Field<float, 3> thick(ex, topology);
  constexpr int more = box_reach + most_reach;
  const double full = per_cell * ipow<3>(2 * box_reach + 1);
  ex.parallel_for(topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const Coord<3> lo = topology->tiles()[std::size_t(t)] * tile_side;
      const Box<3> box{lo - Coord<3>::filled(more), lo + Coord<3>::filled(tile_side + more)};
      NumberBlock count(box.hi - box.lo);
      auto next = count.values.begin();
      for_cells_near(p, box,
                     [&](const Coord<3>&, std::uint32_t from, std::uint32_t to, const auto&, const auto&) {
                       *next++ = float(to - from);
                     });
      count.gather(box_reach, [](float x, float y) { return x + y; });
      count.gather(most_reach, [](float x, float y) { return std::max(x, y); });
      float* out = thick.data() + std::size_t(t) * tile_cells<3>;
      for (const float n : count.values)
        *out++ = float(smooth_step(thin_below, thick_above, double(n) / full));
    }
  });
  return thick;
}

}  // namespace whorl
