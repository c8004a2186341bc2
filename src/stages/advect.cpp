#include "stages/advect.h"

#include "grid/field_sampler.h"
#include "grid/grow_mask.h"

#include <algorithm>
#include <vector>

namespace whorl {

float max_displacement(Interpolation interpolation) {
  return interpolation == Interpolation::linear ? tile_side - 0.5f : tile_side - 1.5f;
}

namespace {

// Widens a tile's range by the velocity beyond the inflow sides that it touches.
template <int D>
void include_inflow(VelocityRange<D>& range, const Coord<D>& tile, const Domain<D>& domain,
                    const Inflow<D>& inflow) {
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const bool touches =
          high ? (tile[a] + 1) * tile_side >= domain.cells.hi[a] : tile[a] * tile_side <= domain.cells.lo[a];
      if (!touches || domain.sides[std::size_t(a)][std::size_t(high)] != Side::inflow) continue;
      for (int b = 0; b < D; ++b) {
        range.lo[b] = std::min(range.lo[b], inflow.velocity[a][high][b]);
        range.hi[b] = std::max(range.hi[b], inflow.velocity[a][high][b]);
      }
    }
}

// Where traces from the cells of a mask, and from their faces, may look at the velocity.
template <int D>
CellMask<D> looked_at(Exec& ex, const CellMask<D>& cells, int trace_order) {
  // Where a trace begins it takes means of faces that are at most a cell away; later it looks wherever it has
  // got to, which is in the tiles round its own.
  if (trace_order == 1) return grown_cubes(ex, cells, 1);
  CellMask<D> seen = empty_mask(ex, cells.topology);
  const int* neighbours = cells.topology->tile_set().neighbours;
  for (const int tile : tiles_with(cells))
    for (int n = 0; n < neighbourhood<D>; ++n) {
      const int slot = neighbours[std::size_t(tile) * neighbourhood<D> + std::size_t(n)];
      if (slot == cells.topology->tile_count()) continue;  // not there
      std::fill_n(&seen.rows[std::size_t(slot) * tile_rows<D>], tile_rows<D>, std::uint8_t(0xff));
    }
  return seen;
}

// [slot] extremes of the velocity in each tile; the last is for tiles that do not exist. Where only some
// cells are `seen`, of rows that have such, and of all rows in tiles that the mask does not know.
template <int D>
Buffer<VelocityRange<D>> velocity_ranges(Exec& ex, const Flow<D>& flow, const CellMask<D>* seen) {
  const MacField<float, D>& velocity = *flow.velocity;
  const Topology<D>& topology = *velocity.topology();
  const TileSet<D> tiles = topology.tile_set();
  auto ranges = ex.buffer<VelocityRange<D>>(std::size_t(tiles.count) + 1);
  const MacView<const float, D> u = velocity.view();
  // The rows of a tile that count, or null for all.
  const auto rows_of = [&](int tile) -> const std::uint8_t* {
    if (!seen) return nullptr;
    const int there = seen->topology->map().find(topology.tiles()[std::size_t(tile)]);
    return there < 0 ? nullptr : seen->rows.data() + std::size_t(there) * tile_rows<D>;
  };
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const std::uint8_t* rows = rows_of(tile);
      for (int a = 0; a < D; ++a) {
        Lane<float> lo(velocity[a].background()), hi = lo;
        for_rows_of_tile<D>(tiles, tile, [&](const RowIndex<D>& r) {
          if (rows && !rows[r.offset() / tile_side]) return;
          lo = min(u[a](r), lo);
          hi = max(u[a](r), hi);
        });
        ranges[std::size_t(tile)].lo[a] = min_element(lo);
        ranges[std::size_t(tile)].hi[a] = max_element(hi);
      }
      include_inflow(ranges[std::size_t(tile)], topology.tiles()[std::size_t(tile)], topology.domain(),
                     flow.inflow);
    }
  });
  for (int a = 0; a < D; ++a)
    ranges[std::size_t(tiles.count)].lo[a] = ranges[std::size_t(tiles.count)].hi[a] =
        velocity[a].background();
  return ranges;
}

// Of traces from some cells, or without them, from all.
template <int D>
Buffer<VelocityRange<D>> ranges_seen_from(Exec& ex, const Flow<D>& flow, const CellMask<D>* cells,
                                          int trace_order) {
  if (!cells) return velocity_ranges<D>(ex, flow, nullptr);
  const CellMask<D> seen = looked_at(ex, *cells, trace_order);
  return velocity_ranges(ex, flow, &seen);
}

// Everything that the passes of one call share.
template <int D>
struct Advection {
  Exec& ex;
  const Crossing<D>& crossing;
  const Flow<D>& flow;
  const Buffer<VelocityRange<D>>& ranges;
  const AdvectionParams& params;

  template <class Method>
  void run(std::span<const AdvectTarget<D>> targets, float step, const CellMask<D>* cells) const {
    AdvectKernel<Method, D> kernel{};
    for (int a = 0; a < D; ++a)
      kernel.velocity[a] =
          sample_view((*flow.velocity)[a], crossing, step < 0 ? boundary_of(a) : boundary_of(a).outward());
    kernel.ranges = ranges.data();
    kernel.topology = cells ? cells->view() : crossing.to()->view();
    kernel.step = step;
    kernel.order = params.trace_order;
    for (const AdvectTarget<D>& target : targets) {
      kernel.targets[kernel.target_count++] = target;
      kernel.share_bricks = kernel.share_bricks || target.velocity >= 0;
    }
    for_tiles(ex, crossing.to()->tile_set(), kernel, [&](int tile) { return kernel.scratch_bytes(tile); });
  }

  void run(std::span<const AdvectTarget<D>> targets, float step, const CellMask<D>* cells) const {
    switch (params.interpolation) {
      case Interpolation::linear:
        return run<Linear>(targets, step, cells);
      case Interpolation::catmull_rom:
        return run<CatmullRom>(targets, step, cells);
      case Interpolation::monotone_cubic:
        return run<MonotoneCubic>(targets, step, cells);
    }
  }

  AdvectTarget<D> first_pass(const Carried<D>& q) const {
    AdvectTarget<D> target{};
    target.in = sample_view(*q.in, crossing, q.boundary);
    target.background = q.in->background();
    target.location = q.location;
    target.velocity = -1;
    for (int a = 0; a < D; ++a)
      if (q.in == &(*flow.velocity)[a] && q.boundary == boundary_of(a)) target.velocity = a;
    return target;
  }

  Boundary<D> boundary_of(int axis) const {
    return velocity_boundary(crossing.from()->domain(), axis, (*flow.velocity)[axis].background(),
                             flow.inflow);
  }
};

}  // namespace

template <int D>
void advect(Exec& ex, const Crossing<D>& crossing, const Flow<D>& flow, std::span<const Carried<D>> carried,
            float step, const AdvectionParams& params, const WantedCells<D>& cells) {
  const Zone zone(ex.profile(), "advect");
  CHECK(params.scheme != AdvectionScheme::bimocq, "flow_map.h has what advects by maps");
  CHECK(params.trace_order >= 1 && params.trace_order <= 3, "trace order ", params.trace_order);
  const TopologyPtr<D>& to = crossing.to();
  const CellMask<D>* traced = cells.reached ? cells.reached : cells.wanted;
  const Buffer<VelocityRange<D>> ranges = ranges_seen_from(ex, flow, traced, params.trace_order);
  const Advection<D> advection{ex, crossing, flow, ranges, params};
  const auto make = [&](const Carried<D>& q) {
    return Field<float, D>::unfilled(ex, to, q.in->background());
  };

  for (const VelocityRange<D>& r : ranges)
    for (int a = 0; a < D; ++a)
      CHECK(std::max(-r.lo[a], r.hi[a]) * std::abs(step) <= max_displacement(params.interpolation),
            "a step of ", std::max(-r.lo[a], r.hi[a]) * std::abs(step), " cells along axis ", a);

  constexpr std::size_t batch = std::size_t(AdvectKernel<Linear, D>::max_targets);
  for (std::size_t begin = 0; begin < carried.size(); begin += batch) {
    const std::span<const Carried<D>> now = carried.subspan(begin, std::min(batch, carried.size() - begin));
    std::vector<AdvectTarget<D>> targets;
    for (const Carried<D>& q : now) targets.push_back(advection.first_pass(q));
    const auto write_to = [&](std::size_t k, Field<float, D>& out) {
      out = make(now[k]);
      targets[k].out = out.view();
    };
    if (params.scheme == AdvectionScheme::semi_lagrangian) {
      for (std::size_t k = 0; k < now.size(); ++k) write_to(k, *now[k].out);
      advection.run(targets, -step, cells.wanted);
      continue;
    }
    CHECK(!cells.wanted == !cells.reached, "what is reached goes with what is wanted");
    CHECK(!cells.wanted || params.scheme == AdvectionScheme::maccormack, "BFECC wants all cells");

    // There and back: the semi-Lagrangian result, then the same traced the other way from it.
    const Crossing<D> stay(ex, to, to);
    const bool limited = params.limiter != Limiter::none, again = params.scheme == AdvectionScheme::bfecc;
    std::vector<Field<float, D>> there(now.size()), repaired(now.size());
    std::vector<Extremes<D>> extremes(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
      AdvectTarget<D>& target = targets[k];
      write_to(k, there[k]);
      target.limiter = params.limiter;
      if (!limited) continue;
      extremes[k] = {make(now[k]), make(now[k])};
      target.lo = extremes[k].lo.view();
      target.hi = extremes[k].hi.view();
    }
    advection.run(targets, -step, cells.reached);

    // The last pass may write where it alone reads a limit.
    const auto write_result = [&](std::size_t k) {
      if (now[k].extremes || !limited) return write_to(k, *now[k].out);
      targets[k].out = targets[k].lo;
      *now[k].out = std::move(extremes[k].lo);
    };
    for (std::size_t k = 0; k < now.size(); ++k) {
      AdvectTarget<D>& target = targets[k];
      target.pass = again ? AdvectPass::repair : AdvectPass::correct;
      target.original = target.in;
      target.in = sample_view(there[k], stay, now[k].boundary.outward());  // forward leads out of open sides
      target.velocity = -1;
      if (again)
        write_to(k, repaired[k]);
      else
        write_result(k);
    }
    advection.run(targets, step, cells.wanted);
    if (again) {
      for (std::size_t k = 0; k < now.size(); ++k) {
        AdvectTarget<D>& target = targets[k];
        target.pass = AdvectPass::limit;
        target.original = sample_view(there[k], stay, now[k].boundary);
        target.in = sample_view(repaired[k], stay, now[k].boundary);
        write_result(k);
      }
      advection.run(targets, -step, cells.wanted);
    }
    for (std::size_t k = 0; k < now.size(); ++k)
      if (now[k].extremes) *now[k].extremes = std::move(extremes[k]);
  }
}

template void advect(Exec&, const Crossing<2>&, const Flow<2>&, std::span<const Carried<2>>, float,
                     const AdvectionParams&, const WantedCells<2>&);
template void advect(Exec&, const Crossing<3>&, const Flow<3>&, std::span<const Carried<3>>, float,
                     const AdvectionParams&, const WantedCells<3>&);

}  // namespace whorl
