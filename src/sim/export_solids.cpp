#include "sim/export_solids.h"

#include "geometry/surface_mesh.h"
#include "sim/motion.h"

#include <algorithm>
#include <cmath>

namespace whorl {

TriangleMesh solid_mesh(Exec& ex, const Shape<3>& shape, const Bounds<3>& within) {
  constexpr int cells_across = 128;
  Bounds<3> box = shape.bounds();
  double longest = 0;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = std::max(box.lo[a], within.lo[a]);
    box.hi[a] = std::min(box.hi[a], within.hi[a]);
    longest = std::max(longest, box.hi[a] - box.lo[a]);
  }
  if (box.empty() || !std::isfinite(longest)) return {};
  const double h = longest / cells_across;
  Box<3> cells{Coord<3>::filled(-1), {}};  // one more all round, which is outside
  for (int a = 0; a < 3; ++a) cells.hi[a] = int(std::ceil((box.hi[a] - box.lo[a]) / h)) + 1;
  const TopologyPtr<3> topology = Topology<3>::of_box(ex, {}, cells);
  Field<float, 3> phi(ex, topology, float(h));
  const std::span<const Coord<3>> tiles = topology->tiles();
  ex.parallel_for(std::int64_t(tiles.size()), 1, [&](std::int64_t tile, std::int64_t) {
    float* value = phi.data() + tile * tile_cells<3>;
    for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& at) {
      Vec<double, 3> x;
      double outside = -h;  // beyond the box
      for (int a = 0; a < 3; ++a) {
        x[a] = box.lo[a] + (tiles[std::size_t(tile)][a] * tile_side + at[a] + 0.5) * h;
        outside = std::max({outside, box.lo[a] - x[a], x[a] - box.hi[a]});
      }
      *value++ = float(std::max(shape.distance(x), outside));
    });
  });
  TriangleMesh mesh = surface_mesh(ex, phi, h);
  for (Vec<double, 3>& x : mesh.vertices) x = x + box.lo;
  return mesh;
}

TriangleMesh moved_to(TriangleMesh mesh, const SolidConfig<3>& solid, double t) {
  const Shape<3> shape = shape_at(solid, t);
  if (const auto* pose = std::get_if<PosedShape<3>>(&shape.node()); pose && !solid.motion.keys.empty())
    for (Vec<double, 3>& x : mesh.vertices) x = pose->turn.apply(x) + pose->translate;
  return mesh;
}

}  // namespace whorl
