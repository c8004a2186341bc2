#include "solvers/liquid_core.h"

#include "grid/grow_mask.h"
#include "particles/occupied_cells.h"
#include "solvers/liquid_parts.h"
#include "stages/advect.h"
#include "stages/box_cells.h"
#include "stages/measure.h"
#include "stages/moved_core.h"
#include "stages/narrow_band.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// Where liquid comes and goes, and how many do is counted by particles.
template <int D>
std::vector<Box<D>> boxes_without_core(const LiquidParams<D>& p, const Domain<D>& domain) {
  std::vector<Box<D>> boxes;
  for (const Spout<D>& spout : p.spouts) boxes.push_back(cells_round(spout.shape.bounds(), p.h, p.band));
  for (const Drain<D>& hole : p.drains) boxes.push_back(cells_round(hole.shape.bounds(), p.h, p.band));
  const int beside = std::max(p.band, int(most_cells_a_step) + 1);  // what goes out in a step
  for (int a = 0; a < D; ++a)
    for (int end = 0; end < 2; ++end) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(end)];
      if (side == Side::wall || side == Side::periodic) continue;
      Box<D> box = domain.cells;
      (end ? box.lo : box.hi)[a] = end ? domain.cells.hi[a] - beside : domain.cells.lo[a] + beside;
      boxes.push_back(box);
    }
  return boxes;
}

// No faster than advection can follow. Only splashes are, and they have particles.
template <int D>
void slow_down(Exec& ex, MacField<float, D>& velocity, double h, double dt) {
  const float most = float((max_displacement(Interpolation::linear) - 0.01) * h / dt);
  if (float(max_component(ex, velocity)) <= most) return;
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = velocity[a].view();
    for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& r) {
      u.store(r, min(max(u(r), Lane<float>(-most)), Lane<float>(most)));
    });
  }
}

template <int D>
CellMask<D> active_of(CellMask<D> mask) {
  const std::span<const std::uint8_t> active = mask.topology->active();
  for (std::size_t row = 0; row < active.size(); ++row) mask.rows[row] &= active[row];
  return mask;
}

// The velocity that the flow has brought to the core and to cells that want particles, and to those next to
// them. Traces are straight: going there and back finds out what they miss, as what interpolation does.
template <int D>
MacField<float, D> carried_velocity(Exec& ex, const MacField<float, D>& flow, const Inflow<D>& inflow,
                                    const Crossing<D>& crossing, const Band<D>& band, float step) {
  const TopologyPtr<D>& to = crossing.to();
  CellMask<D> of_interest = empty_mask(ex, to);
  for (std::size_t row = 0; row < of_interest.rows.size(); ++row)
    of_interest.rows[row] = band.core.rows[row] | band.short_of.rows[row];
  const CellMask<D> wanted = active_of(grown_cubes(ex, of_interest, 1));
  const CellMask<D> reached = active_of(grown_with_flow(ex, wanted, flow, step));
  MacField<float, D> moved;
  std::vector<Carried<D>> components;
  for (int a = 0; a < D; ++a)
    components.push_back({&flow[a], &moved[a], a, velocity_boundary(to->domain(), a, 0.f, inflow)});
  advect<D>(ex, crossing, {&flow, inflow}, components, step, {.trace_order = 1}, {&wanted, &reached});
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
void move_core(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p, MacField<float, D> velocity,
               MacField<float, D> evened, double dt) {
  const Zone zone(ex.profile(), "move_core");
  const TopologyPtr<D> before = velocity.topology();
  const Domain<D>& domain = before->domain();
  const CellMask<D> core = s.core.topology ? std::move(s.core) : empty_mask(ex, before);
  std::vector<Coord<D>> tiles(s.particles.topology->tiles().begin(), s.particles.topology->tiles().end());
  for (int tile = 0; tile < before->tile_count(); ++tile) {
    const std::uint8_t* rows = &core.rows[std::size_t(tile) * tile_rows<D>];
    if (std::any_of(rows, rows + tile_rows<D>, [](std::uint8_t bits) { return bits != 0; }))
      tiles.push_back(before->tiles()[std::size_t(tile)]);
  }
  const TopologyPtr<D> both = Topology<D>::of_tiles(ex, domain, std::move(tiles));
  CellMask<D> liquid = put_on(ex, occupied_cells(ex, s.particles), both);
  const CellMask<D> there = put_on(ex, core, both);
  for (std::size_t row = 0; row < liquid.rows.size(); ++row) liquid.rows[row] |= there.rows[row];
  const TopologyPtr<D> after = retile<D>(ex, both, liquid, {.reach = layers_of_air, .hysteresis = 0});
  put_on(ex, s.particles, after);

  const float step = float(dt / p.h);
  const Crossing<D> crossing(ex, before, after);
  slow_down(ex, evened, p.h, dt);
  Field<float, D> moved = moved_core(ex, core, crossing, evened, p.inflow, step);
  evened = {};
  const Field<float, D> solids = solid_distance<D>(ex, after, p.solids, &Solid<D>::shape, p.h);
  const BandParams params{.width = p.band, .particles = s.held, .beside_solids = float(p.h)};
  Band<D> band = divide_band<D>(ex, s.particles, put_on(ex, core, after), std::move(moved),
                                boxes_without_core(p, domain), solids, params);
  slow_down(ex, velocity, p.h, dt);
  s.core_velocity = carried_velocity(ex, velocity, p.inflow, crossing, band, step);
  fill_band(ex, s.particles, band, s.core_velocity, p.inflow, p.transfer, std::uint64_t(s.steps));
  s.core = std::move(band.core);
}

#define WHORL_INSTANTIATE(D)                                                                  \
  template TopologyPtr<D> tiles_round(Exec&, const ParticleSet<D>&, const CellMask<D>&);      \
  template void put_on_tiles_round(Exec&, LiquidState<D>&);                                   \
  template void move_core(Exec&, LiquidState<D>&, const LiquidParams<D>&, MacField<float, D>, \
                          MacField<float, D>, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
