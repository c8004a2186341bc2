#include "solvers/liquid_core.h"

#include "base/rng.h"
#include "exec/reduce.h"
#include "particles/occupied_cells.h"
#include "solvers/liquid_parts.h"
#include "stages/advect.h"
#include "stages/narrow_band.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// Where liquid comes and goes, and how many do is counted by particles.
template <int D>
std::vector<Box<D>> boxes_without_core(const LiquidParams<D>& p, const Domain<D>& domain) {
  std::vector<Box<D>> boxes;
  const auto add = [&](const Shape<D>& shape) {
    const Bounds<D> bounds = shape.bounds();
    Box<D> box;
    for (int a = 0; a < D; ++a) {
      box.lo[a] = int(std::floor(std::max(bounds.lo[a] / p.h, -1e9))) - p.band;
      box.hi[a] = int(std::ceil(std::min(bounds.hi[a] / p.h, 1e9))) + p.band;
    }
    boxes.push_back(box);
  };
  for (const Spout<D>& spout : p.spouts) add(spout.shape);
  for (const Drain<D>& hole : p.drains) add(hole.shape);
  for (int a = 0; a < D; ++a)
    for (int end = 0; end < 2; ++end) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(end)];
      if (side == Side::wall || side == Side::periodic) continue;
      Box<D> box = domain.cells;
      (end ? box.lo : box.hi)[a] = end ? domain.cells.hi[a] - p.band : domain.cells.lo[a] + p.band;
      boxes.push_back(box);
    }
  return boxes;
}

// No faster than advection can follow. Only splashes are, and they have particles.
template <int D>
MacField<float, D> slowed(Exec& ex, const MacField<float, D>& velocity, double h, double dt) {
  MacField<float, D> slow = velocity.clone(ex);
  const Lane<float> most(float((max_displacement(Interpolation::linear) - 0.01) * h / dt));
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = slow[a].view();
    for_rows(ex, slow.topology()->tile_set(),
             [=](const RowIndex<D>& r) { u.store(r, min(max(u(r), Lane<float>(0.f) - most), most)); });
  }
  return slow;
}

// The same cells on a topology that has all of their tiles.
template <int D>
CellMask<D> put_on(Exec& ex, const CellMask<D>& mask, const TopologyPtr<D>& topology) {
  CellMask<D> moved = empty_mask(ex, topology);
  ex.parallel_for(topology->tile_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int from = mask.topology->map().find(topology->tiles()[std::size_t(tile)]);
      if (from >= 0)
        std::copy_n(&mask.rows[std::size_t(from) * tile_rows<D>], tile_rows<D>,
                    &moved.rows[std::size_t(tile) * tile_rows<D>]);
    }
  });
  return moved;
}

}  // namespace

template <int D>
TopologyPtr<D> tiles_round(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& core) {
  return retile<D>(ex, p.topology, occupied_cells(ex, p, core), {.reach = layers_of_air, .hysteresis = 0});
}

template <int D>
void put_on_tiles_round(Exec& ex, LiquidState<D>& s) {
  if (!s.core.topology) return put_on(ex, s.particles, tiles_round(ex, s.particles));
  const TopologyPtr<D> after = tiles_round(ex, s.particles, put_on(ex, s.core, s.particles.topology));
  put_on(ex, s.particles, after);
  const Crossing<D> crossing(ex, s.core_velocity.topology(), after);
  s.core = put_on(ex, s.core, after);
  for (int a = 0; a < D; ++a) s.core_velocity[a] = carry_over(ex, s.core_velocity[a], crossing);
}

template <int D>
void seed_core_edge(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, const MacField<float, D>& velocity,
                    double dt) {
  seed_core_edge(ex, s.particles, s.core, velocity, float(dt / p.h), p.inflow, p.transfer,
                 mix64(std::uint64_t(s.steps), 1));
}

template <int D>
void move_core(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, const MacField<float, D>& velocity,
               double dt) {
  const Zone zone(ex.profile(), "move_core");
  const TopologyPtr<D>& before = velocity.topology();
  const Domain<D>& domain = before->domain();
  const CellMask<D> core = s.core.topology ? std::move(s.core) : empty_mask(ex, before);
  std::vector<Coord<D>> tiles(s.particles.topology->tiles().begin(), s.particles.topology->tiles().end());
  for (int tile = 0; tile < before->tile_count(); ++tile) {
    const std::uint8_t* rows = &core.rows[std::size_t(tile) * tile_rows<D>];
    if (std::any_of(rows, rows + tile_rows<D>, [](std::uint8_t bits) { return bits != 0; }))
      tiles.push_back(before->tiles()[std::size_t(tile)]);
  }
  put_on(ex, s.particles, Topology<D>::of_tiles(ex, domain, std::move(tiles)));
  const TopologyPtr<D> after = tiles_round(ex, s.particles, put_on(ex, core, s.particles.topology));
  put_on(ex, s.particles, after);

  const MacField<float, D> flow = slowed(ex, velocity, p.h, dt);
  MacField<float, D> moved(ex, after);
  std::vector<Carried<D>> components;
  for (int a = 0; a < D; ++a)
    components.push_back({&flow[a], &moved[a], a, velocity_boundary(domain, a, 0.f, p.inflow)});
  advect<D>(ex, Crossing<D>(ex, before, after), {&flow, p.inflow}, components, float(dt / p.h), {});
  const Field<float, D> solids = solid_distance<D>(ex, after, p.solids, &Solid<D>::shape, p.h);
  const BandParams params{.width = p.band,
                          .particles = s.held,
                          .beside_solids = float(p.h),
                          .transfer = p.transfer,
                          .seed = std::uint64_t(s.steps)};
  s.core = renew_band<D>(ex, s.particles, put_on(ex, core, after), boxes_without_core(p, domain), solids,
                         moved, p.inflow, params);
  s.core_velocity = std::move(moved);
}

#define WHORL_INSTANTIATE(D)                                                                              \
  template TopologyPtr<D> tiles_round(Exec&, const ParticleSet<D>&, const CellMask<D>&);                  \
  template void put_on_tiles_round(Exec&, LiquidState<D>&);                                               \
  template void seed_core_edge(Exec&, LiquidState<D>&, const LiquidParams<D>&, const MacField<float, D>&, \
                               double);                                                                   \
  template void move_core(Exec&, LiquidState<D>&, const LiquidParams<D>&, const MacField<float, D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
