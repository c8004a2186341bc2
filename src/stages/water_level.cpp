#include "stages/water_level.h"

#include "base/rng.h"
#include "exec/shapes.h"
#include "stages/box_cells.h"
#include "stages/sides.h"
#include "stages/solid_distance.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;

// Cells of a row with the index `at` along an axis: calls f(row, bits of them).
template <int D, class F>
void for_rows_at(Exec& ex, const Topology<D>& topology, int axis, int at, const F& f) {
  const TopologyView<D> cells = topology.view();
  for_rows(ex, topology.tile_set(), [=](const RowIndex<D>& r) {
    if (const unsigned found = bits_on_side(cells.tiles[r.tile], r, axis, at)) f(r, found);
  });
}

// Of the low faces of a row on a side, those that have liquid before them.
template <int D>
struct WetFaces {
  TopologyView<D> cells;
  FieldView<const float, D> phi;
  SideName side;
  int at;

  unsigned operator()(const RowIndex<D>& r) const {
    const int a = side.axis;
    const unsigned on_side = bits_on_side(cells.tiles[r.tile], r, a, at);
    if (!on_side) return 0;
    return on_side & (side.high ? bits(phi(r, a, -1) < Real(0.f)) & cells.active_bits(r, a, -1)
                                : bits(phi(r) < Real(0.f)) & cells.active_bits(r));
  }
};

int face_at(const auto& domain, const SideName& side) {
  return side.high ? domain.cells.hi[side.axis] : domain.cells.lo[side.axis];
}

template <int D>
WetFaces<D> wet_faces(const Field<float, D>& surface, const SideName& side) {
  const Topology<D>& topology = *surface.topology();
  return {topology.view(), surface.view(), side, face_at(topology.domain(), side)};
}

template <int D>
float part_open(const WaterSide<D>& side, double h, double dt) {
  return float(1 / (1 + side.wave_speed * dt / h));
}

}  // namespace

template <int D>
double mean_velocity(Exec& ex, const MacField<float, D>& velocity, const MacField<float, D>& open,
                     const Field<float, D>& surface, const SideName& side) {
  const int a = side.axis;
  const FieldView<const float, D> u = velocity[a].view(), w = open[a].view();
  const WetFaces<D> wet = wet_faces(surface, side);
  const auto total = [&](bool of_flow) {
    return sum_rows<double>(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
      using Wide = Lane<double>;
      const unsigned found = wet(r);
      if (!found) return Wide(0.);
      const Wide part = select(Wide::mask_from_bits(found), convert<Wide>(w(r)), Wide(0.));
      return of_flow ? part * convert<Wide>(u(r)) : part;
    });
  };
  const double area = total(false);
  return area > 0 ? total(true) / area : 0.;
}

template <int D>
MacField<float, D> meet_water(Exec& ex, MacField<float, D>& velocity, MacField<float, D>& open,
                              Field<float, D>& surface, std::span<const WaterSide<D>> sides, double h,
                              double dt) {
  const Topology<D>& topology = *velocity.topology();
  const TopologyView<D> cells = topology.view();
  MacField<float, D> pressure(ex, velocity.topology());
  for (const WaterSide<D>& side : sides) {
    const int a = side.side.axis, at = face_at(topology.domain(), side.side);
    const FieldView<float, D> u = velocity[a].view(), w = open[a].view(), p = pressure[a].view(),
                              phi = surface.view();
    // The pressure is known at the centre of the cell beyond: the surface, for the projection, is there.
    for_rows_at(ex, topology, a, side.side.high ? at : at - 1, [=](const RowIndex<D>& r, unsigned beyond) {
      phi.store(r, select(Real::mask_from_bits(beyond), Real(0.f), phi(r)));
    });
    const float part = part_open(side, h, dt), out = side.side.high ? 1.f : -1.f;
    const Real beta(float(side.wave_speed * dt / h)), mean(float(side.mean_flow)), none(0.f);
    const Real impedance(out * float(side.wave_speed));
    const float g = float(side.gravity), level = float(side.level), size = float(h);
    const WetFaces<D> wet = wet_faces(surface, side.side);
    for_rows(ex, topology.tile_set(), [=](const RowIndex<D>& r) {
      const unsigned found = wet(r);
      if (!found) return;
      const auto here = Real::mask_from_bits(found);
      const float low = float(cells.tiles[r.tile][1] * tile_side + r.at[1]) + 0.5f;
      const Real y = D == 2 ? Real(low) + Real::iota() : Real(low);
      const Real still = Real(g) * (Real(level) - y * Real(size));
      // Air beyond, above the level, has no pressure to suck with.
      const Real least = none - max(impedance * (u(r) - mean), none);
      p.store(r, select(here, max(still, least), p(r)));
      u.store(r, select(here, u(r) + beta * mean, u(r)));
      w.store(r, select(here, w(r) * Real(part), w(r)));
    });
  }
  return pressure;
}

template <int D>
void pass_water(Exec& ex, MacField<float, D>& velocity, const Field<float, D>& surface,
                std::span<const WaterSide<D>> sides, double h, double dt) {
  for (const WaterSide<D>& side : sides) {
    const FieldView<float, D> u = velocity[side.side.axis].view();
    const Real part(part_open(side, h, dt));
    const WetFaces<D> wet = wet_faces(surface, side.side);
    for_rows(ex, surface.topology()->tile_set(), [=](const RowIndex<D>& r) {
      if (const unsigned found = wet(r)) u.store(r, select(Real::mask_from_bits(found), u(r) * part, u(r)));
    });
  }
}

template <int D>
NewParticles<D> fill_to_level(const ParticleSet<D>& p, const WaterSide<D>& side,
                              std::span<const Solid<D>> solids, double h, std::uint64_t seed) {
  const Domain<D>& domain = p.topology->domain();
  Box<D> cells = faces_of(domain, side.side);
  if (side.side.high) {
    cells.lo[side.side.axis] -= 1;
    cells.hi[side.side.axis] -= 1;
  }
  const double level = side.level / h;  // cells
  cells.hi[1] = int(std::min(double(cells.hi[1]), std::ceil(level)));
  NewParticles<D> added;
  for_each_coord(cells, [&](const Coord<D>& cell) {
    Coord<D> tile, at;
    std::uint64_t key = seed;
    for (int a = 0; a < D; ++a) {
      tile[a] = floor_div(cell[a], tile_side);
      at[a] = cell[a] - tile[a] * tile_side;
      key = mix64(key, std::uint64_t(std::uint32_t(cell[a])));
    }
    std::uint32_t begin = 0, end = 0;
    if (const int slot = p.topology->map().find(domain.wrap_tile(tile)); slot >= 0) {
      const std::size_t k = std::size_t(slot) * tile_cells<D> + std::size_t(cell_offset<D>(at));
      begin = p.first[k];
      end = p.first[k + 1];
    }
    const double free = std::clamp(0.5 + distance_to(solids, sample_place(cell, at_centres, h)) / h, 0., 1.);
    const double wanted = (1 << D) * std::min(level - cell[1], 1.) * free;
    if (2 * double(end - begin) >= wanted) return;
    Vec<float, D> mean{};
    for (std::uint32_t i = begin; i < end; ++i)
      for (int a = 0; a < D; ++a) mean[a] += p.velocity[std::size_t(a)][i] / float(end - begin);
    for (std::uint32_t n = end - begin; n < (1u << D); ++n) {
      Rng rng(key, n);
      Vec<double, D> x;
      for (int a = 0; a < D; ++a) x[a] = cell[a] + 0.01 + 0.98 * double(rng.uniform());
      if (x[1] > level || !is_free(solids, x * h, h)) continue;
      added.position.push_back(x);
      added.velocity.push_back(mean);
    }
  });
  return added;
}

#define WHORL_INSTANTIATE(D)                                                                                \
  template double mean_velocity(Exec&, const MacField<float, D>&, const MacField<float, D>&,                \
                                const Field<float, D>&, const SideName&);                                   \
  template MacField<float, D> meet_water(Exec&, MacField<float, D>&, MacField<float, D>&, Field<float, D>&, \
                                         std::span<const WaterSide<D>>, double, double);                    \
  template void pass_water(Exec&, MacField<float, D>&, const Field<float, D>&,                              \
                           std::span<const WaterSide<D>>, double, double);                                  \
  template NewParticles<D> fill_to_level(const ParticleSet<D>&, const WaterSide<D>&,                        \
                                         std::span<const Solid<D>>, double, std::uint64_t);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
