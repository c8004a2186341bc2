#include "solvers/liquid_sides.h"

#include "base/rng.h"
#include "stages/sides.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

// The mean flow through a side is one over so many times as a long wave takes through the domain.
constexpr double transits = 2;

std::uint64_t number_of(const SideName& side) { return std::uint64_t(2 * side.axis + side.high); }

}  // namespace

template <int D>
void enforce_liquid_sides(Exec& ex, MacField<float, D>& velocity, const LiquidParams<D>& p) {
  enforce_sides(ex, velocity, p.inflow);
  for (const SideInflow<D>& inflow : p.inflows) enforce_inflow<D>(velocity, inflow, p.solids, p.h);
}

template <int D>
std::vector<WaterSide<D>> water_beyond(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p,
                                       const MacField<float, D>& velocity, const MacField<float, D>& open,
                                       const Field<float, D>& surface, double dt) {
  const Domain<D>& domain = velocity.topology()->domain();
  std::vector<WaterSide<D>> found;
  for (int a = 0; a < D; ++a)
    for (const bool high : {false, true}) {
      if (domain.sides[std::size_t(a)][std::size_t(high)] != Side::water) continue;
      WaterSide<D> side{{a, high}, p.water_level[std::size_t(a)][std::size_t(high)]};
      side.gravity = std::max(-p.gravity[1], 0.);
      side.wave_speed = std::sqrt(side.gravity * std::max(side.level - p.h * domain.cells.lo[1], 0.));
      found.push_back(side);
    }
  const bool first = s.side_flows.size() != found.size();
  s.side_flows.resize(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    WaterSide<D>& side = found[k];
    const double now = mean_velocity(ex, velocity, open, surface, side.side);
    const double time =
        side.wave_speed > 0 ? transits * p.h * domain.extent(side.side.axis) / side.wave_speed : 0;
    double& mean = s.side_flows[k];
    mean = first ? now : mean + (now - mean) * dt / (dt + time);
    side.mean_flow = mean;
  }
  return found;
}

template <int D>
void let_in(Exec& ex, LiquidState<D>& s, const Domain<D>& domain, const NewParticles<D>& more) {
  if (more.position.empty()) return;
  add_particles(ex, s.particles, domain, more);
  s.injected += std::int64_t(more.position.size());
  s.held += std::int64_t(more.position.size());
}

template <int D>
void let_in_by_sides(Exec& ex, LiquidState<D>& s, const LiquidParams<D>& p,
                     std::span<const WaterSide<D>> water, const MacField<float, D>& velocity, double dt) {
  const Domain<D>& domain = velocity.topology()->domain();
  std::vector<Entrance<D>> entrances;
  for (const SideInflow<D>& inflow : p.inflows) {
    const Box<D> faces = faces_of(domain, inflow.side);
    entrances.push_back({inflow.side, inflow.level,
                         [&inflow, faces](const Coord<D>& face) {
                           std::size_t k = 0;
                           for (int a = 0; a < D; ++a)
                             k = k * std::size_t(faces.hi[a] - faces.lo[a]) +
                                 std::size_t(face[a] - faces.lo[a]);
                           return convert<double>(inflow.velocity[k]);
                         },
                         number_of(inflow.side)});
  }
  for (const WaterSide<D>& side : water)
    entrances.push_back({side.side, side.level,
                         [&velocity, side](const Coord<D>& face) {
                           Vec<double, D> u{};
                           u[side.side.axis] = double(velocity[side.side.axis].get(face));
                           return u;
                         },
                         number_of(side.side)});
  std::size_t rows = 0;
  for (const Entrance<D>& entrance : entrances) rows += rows_before(domain, entrance.side);
  s.side_ways.resize(rows);
  rows = 0;
  for (const Entrance<D>& entrance : entrances) {
    const std::size_t count = rows_before(domain, entrance.side);
    const std::span<double> ways = std::span(s.side_ways).subspan(rows, count);
    let_in(ex, s, domain, enter<D>(entrance, ways, domain, p.solids, p.h, dt));
    rows += count;
  }
  for (const WaterSide<D>& side : water)
    let_in(ex, s, domain,
           fill_to_level<D>(s.particles, side, p.solids, p.h,
                            mix64(std::uint64_t(s.steps), number_of(side.side))));
}

#define WHORL_INSTANTIATE(D)                                                                            \
  template void enforce_liquid_sides(Exec&, MacField<float, D>&, const LiquidParams<D>&);               \
  template std::vector<WaterSide<D>> water_beyond(Exec&, LiquidState<D>&, const LiquidParams<D>&,       \
                                                  const MacField<float, D>&, const MacField<float, D>&, \
                                                  const Field<float, D>&, double);                      \
  template void let_in(Exec&, LiquidState<D>&, const Domain<D>&, const NewParticles<D>&);               \
  template void let_in_by_sides(Exec&, LiquidState<D>&, const LiquidParams<D>&,                         \
                                std::span<const WaterSide<D>>, const MacField<float, D>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
