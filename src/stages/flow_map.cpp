#include "stages/flow_map.h"

#include "grid/field_sampler.h"
#include "stages/box_cells.h"
#include "stages/flow_map_kernel.h"
#include "stages/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace whorl {

namespace {

// Beyond the sides of the domain a map goes on as it is at the side: what comes in from there is read beyond
// the side, where a field says what that is.
template <int D>
Boundary<D> map_boundary(const Domain<D>& domain) {
  return scalar_boundary(domain, 0.f, 0.f).outward();
}

// [slot] what active cells of each tile hold; the last is for tiles that do not exist.
template <int D>
Buffer<MapRange<D>> map_ranges(Exec& ex, const std::vector<Field<float, D>>& map) {
  using Real = Lane<float>;
  constexpr float most = std::numeric_limits<float>::max();
  const Topology<D>& topology = *map.front().topology();
  const TileSet<D> tiles = topology.tile_set();
  const TopologyView<D> cells = topology.view();
  auto ranges = ex.buffer<MapRange<D>>(std::size_t(tiles.count) + 1);
  ranges[std::size_t(tiles.count)] = {Vec<float, D>::filled(most), Vec<float, D>::filled(-most)};
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (int a = 0; a < D; ++a) {
        const FieldView<const float, D> d = map[std::size_t(a)].view();
        Real lo(most), hi(-most);
        for_rows_of_tile<D>(tiles, tile, [&](const RowIndex<D>& r) {
          const auto active = Real::mask_from_bits(cells.active_bits(r));
          lo = min(lo, select(active, d(r), Real(most)));
          hi = max(hi, select(active, d(r), Real(-most)));
        });
        ranges[std::size_t(tile)].lo[a] = min_element(lo);
        ranges[std::size_t(tile)].hi[a] = max_element(hi);
      }
  });
  return ranges;
}

// A map as kernels over its own topology see it.
template <int D>
struct ReadyMap {
  const TopologyPtr<D>& topology;
  Buffer<MapRange<D>> ranges;
  MapView<D> view;

  ReadyMap(Exec& ex, const std::vector<Field<float, D>>& map)
      : topology(map.front().topology()), ranges(map_ranges(ex, map)) {
    for (std::size_t a = 0; a < D; ++a) view.displacement[a] = map[a].view();
    view.ranges = ranges.data();
    view.topology = topology->view();
  }
};

template <class Method, int D>
void read_through(Exec& ex, const ReadyMap<D>& map, std::span<const MapTarget<D>> targets) {
  using Kernel = MapKernel<Method, D>;
  for (std::size_t begin = 0; begin < targets.size(); begin += Kernel::max_targets) {
    Kernel kernel{};
    kernel.map = map.view;
    kernel.neighbours = map.topology->tile_set().neighbours;
    for (std::size_t k = begin; k < std::min(targets.size(), begin + Kernel::max_targets); ++k)
      kernel.targets[kernel.target_count++] = targets[k];
    for_tiles(ex, map.topology->tile_set(), kernel, [](int) { return Kernel::scratch_bytes; });
  }
}

template <int D>
void read_through(Exec& ex, const ReadyMap<D>& map, std::span<const MapTarget<D>> targets,
                  Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::linear:
      return read_through<Linear>(ex, map, targets);
    case Interpolation::catmull_rom:
      return read_through<CatmullRom>(ex, map, targets);
    case Interpolation::monotone_cubic:
      return read_through<MonotoneCubic>(ex, map, targets);
  }
}

template <int D>
std::vector<Field<float, D>> displacements(Exec& ex, const TopologyPtr<D>& topology,
                                           const Vec<float, D>& background) {
  std::vector<Field<float, D>> d;
  for (int a = 0; a < D; ++a) d.push_back(Field<float, D>::unfilled(ex, topology, background[a]));
  return d;
}

// Where the points of a map get to in one step; without a map, where the centres of a topology get to. Where
// no tile is, only the wind blows.
template <int D>
std::vector<Field<float, D>> moved(Exec& ex, const TopologyPtr<D>& topology,
                                   const std::vector<Field<float, D>>* map, const Flow<D>& flow, float step) {
  const MacField<float, D>& velocity = *flow.velocity;
  const Domain<D>& domain = topology->domain();
  const double fastest =
      std::max(max_component(ex, velocity), double(max_inflow_component(domain, flow.inflow)));
  MoveKernel<D> kernel{};
  Buffer<MapRange<D>> ranges;
  if (map) ranges = map_ranges(ex, *map);
  kernel.map.ranges = ranges.data();
  kernel.map.topology = topology->view();
  kernel.from_centres = !map;
  kernel.step = step;
  kernel.reach = trace_reach(MoveKernel<D>::order) * std::abs(step) * float(fastest);
  for (int a = 0; a < D; ++a) {
    const float wind = velocity[a].background();
    const Boundary<D> boundary = velocity_boundary(domain, a, wind, flow.inflow);
    kernel.velocity[a] = hash_sampler(velocity[a], step < 0 ? boundary : boundary.outward());
    kernel.background[a] = step * wind;
    if (!map) continue;
    kernel.map.displacement[a] = (*map)[std::size_t(a)].view();
    kernel.background[a] += (*map)[std::size_t(a)].background();
  }
  std::vector<Field<float, D>> out = displacements<D>(ex, topology, kernel.background);
  for (std::size_t a = 0; a < D; ++a) kernel.out[a] = out[a].view();
  for_tiles(ex, topology->tile_set(), kernel, [](int) { return MoveKernel<D>::scratch_bytes; });
  return out;
}

// first, then from there on by second: first(x) + second(x + first(x)).
template <class Method, int D>
std::vector<Field<float, D>> composed(Exec& ex, const std::vector<Field<float, D>>& first,
                                      const std::vector<Field<float, D>>& second) {
  const ReadyMap<D> map(ex, first);
  const Boundary<D> boundary = map_boundary(map.topology->domain());
  std::vector<Field<float, D>> both;
  std::vector<MapTarget<D>> targets;
  for (std::size_t a = 0; a < D; ++a) {
    both.push_back(
        Field<float, D>::unfilled(ex, map.topology, first[a].background() + second[a].background()));
    MapTarget<D> target{};
    target.in = hash_sampler(second[a], boundary);
    target.out = both[a].view();
    target.background = both[a].background();
    target.location = at_centres;
    target.own = first[a].view();
    target.own_part = 1;
    targets.push_back(target);
  }
  read_through<Method, D>(ex, map, targets);
  return both;
}

}  // namespace

template <int D>
FlowMap<D> start_map(Exec& ex, std::vector<Field<float, D>> fields) {
  FlowMap<D> map;
  for (int a = 0; a < D; ++a) {
    map.backward.emplace_back(ex, fields.front().topology());
    map.forward.emplace_back(ex, fields.front().topology());
  }
  map.start = std::move(fields);
  return map;
}

template <int D>
void extend_maps(Exec& ex, std::span<FlowMap<D>* const> maps, const Crossing<D>& crossing,
                 const Flow<D>& flow, float step) {
  const Zone zone(ex.profile(), "extend_maps");
  const std::vector<Field<float, D>> back = moved<D>(ex, crossing.to(), nullptr, flow, -step);
  for (FlowMap<D>* map : maps) {
    if (map->steps > 0)
      map->backward = composed<CatmullRom>(ex, back, map->backward);
    else
      for (std::size_t a = 0; a < D; ++a) map->backward[a] = back[a].clone(ex);
    map->forward = moved<D>(ex, map->start_topology(), &map->forward, flow, step);
    ++map->steps;
  }
}

template <int D>
void carry_by_map(Exec& ex, const FlowMap<D>& map, std::span<const Carried<D>> carried,
                  const AdvectionParams& params) {
  const Zone zone(ex.profile(), "carry_by_map");
  const ReadyMap<D> backward(ex, map.backward), forward(ex, map.forward);
  const TopologyPtr<D>& now = backward.topology;
  const std::size_t count = carried.size();
  const auto make = [&](const TopologyPtr<D>& topology, const Carried<D>& q) {
    return Field<float, D>::unfilled(ex, topology, q.in->background());
  };

  // There.
  std::vector<Field<float, D>> there, repaired;
  std::vector<Extremes<D>> extremes(count);
  std::vector<MapTarget<D>> targets(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Carried<D>& q = carried[k];
    there.push_back(make(now, q));
    MapTarget<D>& target = targets[k];
    target.in = hash_sampler(*q.in, q.boundary);
    target.out = there[k].view();
    target.background = q.in->background();
    target.location = q.location;
    if (params.limiter == Limiter::none) continue;
    extremes[k] = {make(now, q), make(now, q)};
    target.lo = extremes[k].lo.view();
    target.hi = extremes[k].hi.view();
    target.note_extremes = true;
  }
  read_through<D>(ex, backward, targets, params.interpolation);

  // And back: q + (q - there and back) / 2 …
  for (std::size_t k = 0; k < count; ++k) {
    const Carried<D>& q = carried[k];
    repaired.push_back(make(map.start_topology(), q));
    MapTarget<D>& target = targets[k];
    target.in = hash_sampler(there[k], q.boundary.outward());  // forward leads out of open sides
    target.out = repaired[k].view();
    target.own = q.in->view();
    target.own_part = 1.5f;
    target.part = -0.5f;
    target.note_extremes = false;
  }
  read_through<D>(ex, forward, targets, params.interpolation);

  // … goes there.
  for (std::size_t k = 0; k < count; ++k) {
    const Carried<D>& q = carried[k];
    *q.out = make(now, q);
    MapTarget<D>& target = targets[k];
    target.in = hash_sampler(repaired[k], q.boundary);
    target.out = q.out->view();
    target.own_part = 0;
    target.limiter = params.limiter;
    target.fallback = std::as_const(there[k]).view();
  }
  read_through<D>(ex, backward, targets, params.interpolation);
  for (std::size_t k = 0; k < count; ++k)
    if (carried[k].extremes) *carried[k].extremes = std::move(extremes[k]);
}

template <int D>
void change_start(Exec& ex, FlowMap<D>& map, std::size_t which, int location, const Field<float, D>& change,
                  Interpolation interpolation) {
  const Zone zone(ex.profile(), "change_start");
  Field<float, D>& start = map.start[which];
  const Domain<D>& domain = start.topology()->domain();
  MapTarget<D> target{};
  target.in = hash_sampler(change, location == at_centres ? scalar_boundary(domain, 0.f, 0.f)
                                                          : velocity_boundary<D>(domain, location, 0.f, {}));
  target.out = start.view();
  target.background = start.background();
  target.location = location;
  target.own = std::as_const(start).view();
  target.own_part = 1;
  read_through<D>(ex, ReadyMap<D>(ex, map.forward), {&target, 1}, interpolation);
}

template <int D>
bool started_beyond(Exec& ex, const FlowMap<D>& map, const CellMask<D>& cells) {
  using Real = Lane<float>;
  const Topology<D>& start = *map.start_topology();
  const TopologyView<D> counted = cells.view();
  const auto lies_beyond = [&](const RowIndex<D>& r, int k) {
    Coord<D> cell = counted.tiles[r.tile] * tile_side + r.at + Coord<D>::unit(D - 1, k);
    for (int a = 0; a < D; ++a)
      cell[a] += int(std::floor(0.5f + element(map.backward[std::size_t(a)].view()(r), k)));
    return !is_active(start, cell);
  };
  return max_rows<float>(ex, cells.topology->active_tile_set(), 0.f, [&](const RowIndex<D>& r) {
           const unsigned bits = counted.active_bits(r);
           if (!bits) return Real(0.f);
           return from_elements<Real>(
               [&](int k) { return (bits >> k & 1) && lies_beyond(r, k) ? 1.f : 0.f; });
         }) > 0;
}

template <int D>
double distortion(Exec& ex, const FlowMap<D>& map, const CellMask<D>& cells) {
  const Zone zone(ex.profile(), "distortion");
  using Real = Lane<float>;
  const auto missed = composed<Linear>(ex, map.backward, map.forward);
  const TopologyView<D> counted = cells.view();
  float most = 0;
  for (const Field<float, D>& component : missed)
    most = max_rows<float>(
        ex, cells.topology->active_tile_set(), most, [=, d = component.view()](const RowIndex<D>& r) {
          return select(Real::mask_from_bits(counted.active_bits(r)), abs(d(r)), Real(0.f));
        });
  return most;
}

template FlowMap<2> start_map(Exec&, std::vector<Field<float, 2>>);
template FlowMap<3> start_map(Exec&, std::vector<Field<float, 3>>);
template void extend_maps(Exec&, std::span<FlowMap<2>* const>, const Crossing<2>&, const Flow<2>&, float);
template void extend_maps(Exec&, std::span<FlowMap<3>* const>, const Crossing<3>&, const Flow<3>&, float);
template void carry_by_map(Exec&, const FlowMap<2>&, std::span<const Carried<2>>, const AdvectionParams&);
template void carry_by_map(Exec&, const FlowMap<3>&, std::span<const Carried<3>>, const AdvectionParams&);
template void change_start(Exec&, FlowMap<2>&, std::size_t, int, const Field<float, 2>&, Interpolation);
template void change_start(Exec&, FlowMap<3>&, std::size_t, int, const Field<float, 3>&, Interpolation);
template bool started_beyond(Exec&, const FlowMap<2>&, const CellMask<2>&);
template bool started_beyond(Exec&, const FlowMap<3>&, const CellMask<3>&);
template double distortion(Exec&, const FlowMap<2>&, const CellMask<2>&);
template double distortion(Exec&, const FlowMap<3>&, const CellMask<3>&);

}  // namespace whorl
