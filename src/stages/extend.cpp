#include "stages/extend.h"

#include "geometry/outward.h"
#include "grid/boundary.h"
#include "grid/field_sampler.h"
#include "grid/trace.h"
#include "stages/box_cells.h"
#include "stages/extrapolate.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

namespace {

constexpr int layers_behind_walls = 3;  // cells that a sample next to a wall may reach

// Low faces along an axis that solids close, more or less, and no side of the domain.
template <int D>
CellMask<D> covered_faces(Exec& ex, const MacField<float, D>& open, const MacField<float, D>& sides, int a) {
  CellMask<D> mask = empty_mask(ex, open.topology());
  const auto store = mask.store();
  const FieldView<const float, D> w = open[a].view(), side = sides[a].view();
  for_rows(ex, open.topology()->tile_set(), [=](const RowIndex<D>& r) {
    store(r, bits((w(r) < Lane<float>(least_part_with_velocity)) & (side(r) > Lane<float>(0.f))));
  });
  return mask;
}

template <int D>
CellMask<D> open_faces(Exec& ex, const Field<float, D>& open) {
  CellMask<D> mask = empty_mask(ex, open.topology());
  const auto store = mask.store();
  const FieldView<const float, D> w = open.view();
  for_rows(ex, open.topology()->tile_set(),
           [=](const RowIndex<D>& r) { store(r, bits(w(r) >= Lane<float>(least_part_with_velocity))); });
  return mask;
}

// The solid nearest to a place, or deepest in which it is.
template <int D>
struct Nearest {
  const Solid<D>* solid = nullptr;
  double distance = HUGE_VAL;
};

template <int D>
Nearest<D> nearest_solid(const Vec<double, D>& x, std::span<const Solid<D>> solids,
                         Shape<D> Solid<D>::*place) {
  Nearest<D> nearest;
  for (const Solid<D>& solid : solids)
    if (const double distance = (solid.*place).distance(x); distance < nearest.distance)
      nearest = {&solid, distance};
  return nearest;
}

// Faces behind a solid's surface, as the surface's nearest point has them.
template <int D>
void from_closest_points(Exec& ex, MacField<float, D>& velocity, const std::array<CellMask<D>, D>& behind,
                         std::span<const Solid<D>> solids, Shape<D> Solid<D>::*place, double h) {
  const MacField<float, D> layered = velocity.clone(ex);
  const Topology<D>& topology = *velocity.topology();
  HashSampler<D> sampler[D];
  for (int a = 0; a < D; ++a)
    sampler[a] =
        hash_sampler(layered[a], velocity_boundary(topology.domain(), a, layered[a].background(), {}));
  const MacView<float, D> u = velocity.view();
  ex.parallel_for(topology.tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (int a = 0; a < D; ++a) {
        const std::uint8_t* rows = behind[std::size_t(a)].rows.data() + std::size_t(tile) * tile_rows<D>;
        if (std::all_of(rows, rows + tile_rows<D>, [](std::uint8_t row) { return row == 0; })) continue;
        const Coord<D> first = topology.tiles()[std::size_t(tile)] * tile_side;
        Vec<double, D> middle;
        for (int b = 0; b < D; ++b) middle[b] = h * (first[b] + 0.5 * tile_side);
        const double reach = (0.5 * tile_side * std::sqrt(double(D)) + layers_behind_walls + 1) * h;
        if (nearest_solid(middle, solids, place).distance < -reach) continue;  // nothing comes there
        CellIndex<D> i{tile, topology.tile_set().neighbours + std::size_t(tile) * neighbourhood<D>, {}};
        for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
          i.at = at;
          if (!(rows[i.offset() / tile_side] >> at[D - 1] & 1)) return;
          const Vec<double, D> x = sample_place(first + at, a, h);
          const Nearest<D> nearest = nearest_solid(x, solids, place);
          if (nearest.distance < -(layers_behind_walls + 0.5) * h) return;  // nothing comes here
          const Vec<double, D> n = outward(nearest.solid->*place, x, 0.25 * h);
          Vec<float, D> to_surface;
          for (int b = 0; b < D; ++b) to_surface[b] = float(-nearest.distance * n[b] / h);
          const Vec<float, D> there = sample_velocity<D>(sampler, first + at, a, to_surface);
          Vec<double, D> v;
          for (int b = 0; b < D; ++b) v[b] = there[b];
          const double across = dot(v - nearest.solid->velocity.at(x), n);
          u[a].store(i, float(v[a] - across * n[a]));
        });
      }
  });
}

}  // namespace

template <int D>
void extend_into_solids(Exec& ex, Field<float, D>& q, const CellMask<D>& fluid) {
  CellMask<D> known = empty_mask(ex, q.topology()), wanted = empty_mask(ex, q.topology());
  const auto know = known.store(), want = wanted.store();
  const TopologyView<D> wet = fluid.view(), cells = q.topology()->view();
  for_rows(ex, q.topology()->tile_set(), [=](const RowIndex<D>& r) {
    know(r, wet.active_bits(r));
    want(r, cells.active_bits(r));
  });
  extrapolate(ex, q, known, wanted, layers_behind_walls);
}

template <int D>
void extend_into_solids(Exec& ex, MacField<float, D>& velocity, const MacField<float, D>& open,
                        std::span<const Solid<D>> solids, Shape<D> Solid<D>::*place, double h,
                        VelocityExtension how) {
  if (solids.empty()) return;
  const Zone zone(ex.profile(), "extend_into_solids");
  const MacField<float, D> sides = open_fraction(ex, velocity.topology());
  std::array<CellMask<D>, D> behind;
  for (int a = 0; a < D; ++a) {
    behind[std::size_t(a)] = covered_faces(ex, open, sides, a);
    CellMask<D> known = open_faces(ex, open[a]);
    extrapolate(ex, velocity[a], known, behind[std::size_t(a)], layers_behind_walls + 1);
  }
  if (how == VelocityExtension::closest_point) from_closest_points<D>(ex, velocity, behind, solids, place, h);
}

#define WHORL_INSTANTIATE(D)                                                                \
  template void extend_into_solids(Exec&, Field<float, D>&, const CellMask<D>&);            \
  template void extend_into_solids(Exec&, MacField<float, D>&, const MacField<float, D>&,   \
                                   std::span<const Solid<D>>, Shape<D> Solid<D>::*, double, \
                                   VelocityExtension);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
