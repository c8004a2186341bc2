#include "stages/narrow_band.h"

#include "base/check.h"
#include "base/rng.h"
#include "exec/reduce.h"
#include "particles/occupied_cells.h"

#include <algorithm>
#include <bit>

namespace whorl {

namespace {

using Real = Lane<float>;

template <int D>
constexpr int full = 1 << D;       // particles of a cell
constexpr int most_made_good = 2;  // of them that a cell at the core's edge takes or gives in a step
constexpr float slack = 0.25f;     // cells that liquid may go further than the speed of its cell says

// Cells within so many cells of one of the mask's, along each axis.
template <int D>
CellMask<D> widened(Exec& ex, const CellMask<D>& mask, int cells) {
  CellMask<D> wide = empty_mask(ex, mask.topology), next = empty_mask(ex, mask.topology);
  std::copy(mask.rows.begin(), mask.rows.end(), wide.rows.begin());
  for (int k = 0; k < cells * D; ++k) {
    const int a = k % D;
    const TopologyView<D> from = wide.view();
    const auto store = next.store();
    for_rows(ex, mask.topology->tile_set(), [=](const RowIndex<D>& r) {
      store(r, from.active_bits(r) | from.active_bits(r, a, -1) | from.active_bits(r, a, +1));
    });
    std::swap(wide, next);
  }
  return wide;
}

// Which cells of a row lie in a box.
template <int D>
unsigned bits_inside(const Coord<D>& tile, const RowIndex<D>& r, const Box<D>& box) {
  for (int a = 0; a < D - 1; ++a) {
    const int x = tile[a] * tile_side + r.at[a];
    if (x < box.lo[a] || x >= box.hi[a]) return 0;
  }
  const int corner = tile[D - 1] * tile_side;
  const int from = std::clamp(box.lo[D - 1] - corner, 0, tile_side);
  const int to = std::clamp(box.hi[D - 1] - corner, 0, tile_side);
  return to > from ? (0xffu >> (tile_side - to)) & (0xffu << from) : 0;
}

// Random places in a cell for `count` more particles, one in each of its 2^D parts before there are two in
// one.
template <int D>
void place_some(ParticleSet<D>& p, const Coord<D>& tile, int cell, std::uint32_t first, int count,
                std::uint64_t seed) {
  std::uint64_t key = std::uint64_t(cell);
  for (int a = 0; a < D; ++a) key = mix64(key, std::uint64_t(std::uint32_t(tile[a])));
  Rng rng(seed, key);
  const unsigned start = unsigned(rng.bits());
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < D; ++a)
      p.position[std::size_t(a)][first + std::uint32_t(k)] =
          place_in_cell(cell / tile_stride<D>(a) % tile_side,
                        0.5f * (float((start + unsigned(k)) >> a & 1) + rng.uniform()));
}

// Gives cells the numbers of particles in `counts`; new ones have random places, and the velocity of the
// grid there.
template <int D>
void fill_up(Exec& ex, ParticleSet<D>& p, Buffer<std::uint32_t> counts, const MacField<float, D>& velocity,
             const Inflow<D>& inflow, TransferScheme transfer, std::uint64_t seed) {
  const NewInCells fresh = resize_cells(ex, p, std::move(counts));
  if (fresh.first[fresh.first.size() - 1] == 0) return;
  // The new ones alone.
  ParticleSet<D> some;
  some.topology = p.topology;
  const std::size_t count = fresh.index.size();
  for (std::size_t a = 0; a < D; ++a) {
    some.position[a] = ex.buffer<float>(count);
    some.velocity[a] = ex.buffer<float>(count);
  }
  some.id = ex.buffer<std::uint64_t>(count);
  const auto& tiles = p.topology->tiles();
  ex.parallel_for(p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t tile = std::size_t(begin); tile < std::size_t(end); ++tile)
      for (int cell = 0; cell < tile_cells<D>; ++cell) {
        const std::size_t k = tile * tile_cells<D> + std::size_t(cell);
        const std::uint32_t from = fresh.first[k], to = fresh.first[k + 1];
        if (from == to) continue;
        place_some(p, tiles[tile], cell, fresh.index[from], int(to - from), seed);
        for (std::uint32_t n = from; n < to; ++n)
          for (std::size_t a = 0; a < D; ++a) some.position[a][n] = p.position[a][fresh.index[n]];
      }
  });
  some.first = ex.buffer<std::uint32_t>(fresh.first.size());
  std::copy(fresh.first.begin(), fresh.first.end(), some.first.begin());
  const TransferScheme from_grid = transfer == TransferScheme::flip ? TransferScheme::pic : transfer;
  set_transfer(ex, some, from_grid);
  faces_to_particles(ex, some, from_grid, velocity, inflow);
  for_points(ex, std::int64_t(count), [&](std::int64_t n) {
    const std::size_t i = fresh.index[std::size_t(n)];
    for (std::size_t a = 0; a < D; ++a) p.velocity[a][i] = some.velocity[a][std::size_t(n)];
    for (std::size_t m = 0; m < some.modes.size(); ++m) p.modes[m][i] = some.modes[m][std::size_t(n)];
  });
}

// What is to be of each cell.
template <int D>
struct Band {
  CellMask<D> core, edge, solid;
};

template <int D>
Band<D> divide(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& before, std::span<const Box<D>> outside,
               const Field<float, D>& solids, const BandParams& params) {
  const TopologyPtr<D>& topology = p.topology;
  Band<D> band{empty_mask(ex, topology), empty_mask(ex, topology), empty_mask(ex, topology)};
  const CellMask<D> liquid = occupied_cells(ex, p, before);
  CellMask<D> air = empty_mask(ex, topology);
  const TopologyView<D> cells = topology->view(), wet = liquid.view();
  const FieldView<const float, D> distance = solids.view();
  const Real beside(params.beside_solids);
  const auto store_air = air.store(), store_solid = band.solid.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const unsigned solid = bits(distance(r) < beside);
    store_solid(r, solid);
    store_air(r, cells.active_bits(r) & (~wet.active_bits(r) | solid));
  });
  const CellMask<D> shallow = widened(ex, air, params.width);
  const TopologyView<D> near = shallow.view();
  const auto store_core = band.core.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    unsigned deep = wet.active_bits(r) & ~near.active_bits(r);
    for (const Box<D>& box : outside) deep &= ~bits_inside(cells.tiles[r.tile], r, box);
    store_core(r, deep);
  });
  const CellMask<D> round_core = widened(ex, band.core, 1);
  const TopologyView<D> core = band.core.view(), round = round_core.view();
  const auto store_edge = band.edge.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    store_edge(r, round.active_bits(r) & ~core.active_bits(r) & wet.active_bits(r));
  });
  return band;
}

}  // namespace

template <int D>
std::int64_t count_cells(Exec& ex, const CellMask<D>& mask) {
  return reduce(
      ex, std::int64_t(mask.rows.size()), 1 << 16, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t count = 0;
        for (std::int64_t k = begin; k < end; ++k) count += std::popcount(mask.rows[std::size_t(k)]);
        return count;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
}

template <int D>
void add_core_velocity(Exec& ex, FaceVelocity<D>& faces, const CellMask<D>& core,
                       const MacField<float, D>& carried) {
  const Zone zone(ex.profile(), "add_core_velocity");
  const CellMask<D> near = widened(ex, core, 1);
  const TopologyView<D> inside = near.view();
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = faces.velocity[a].view(), weight = faces.weight[a].view();
    const FieldView<const float, D> by_grid = carried[a].view();
    for_rows(ex, core.topology->tile_set(), [=](const RowIndex<D>& r) {
      const unsigned bits = inside.active_bits(r) | inside.active_bits(r, a, -1);
      if (!bits) return;
      const auto mixed = Real::mask_from_bits(bits);
      u.store(r, select(mixed, by_grid(r), u(r)));
      weight.store(r, select(mixed, Real(1.f), weight(r)));
    });
  }
}

template <int D>
void seed_core_edge(Exec& ex, ParticleSet<D>& p, const CellMask<D>& core, const MacField<float, D>& velocity,
                    float step, const Inflow<D>& inflow, TransferScheme transfer, std::uint64_t seed) {
  const Zone zone(ex.profile(), "seed_core_edge");
  const TopologyPtr<D>& topology = core.topology;
  CellMask<D> reached = empty_mask(ex, topology), others = empty_mask(ex, topology);
  const TopologyView<D> active = topology->view(), inside = core.view();
  const auto store_others = others.store(), store_reached = reached.store();
  for_rows(ex, topology->tile_set(),
           [=](const RowIndex<D>& r) { store_others(r, active.active_bits(r) & ~inside.active_bits(r)); });
  // Layer by layer, those whose flow goes as far as out of it.
  const MacView<const float, D> u = velocity.view();
  for (int layer = 0, found = 1; found; ++layer) {
    others = widened(ex, others, 1);
    const TopologyView<D> near = std::as_const(others).view(), so_far = std::as_const(reached).view();
    const Real least((float(layer) - slack) / step);
    found = max_rows<float>(ex, topology->tile_set(), 0.f, [=](const RowIndex<D>& r) {
              const unsigned bits_near = near.active_bits(r) & inside.active_bits(r);
              if (!bits_near) return Real(0.f);
              Real fastest(0.f);
              for (int a = 0; a < D; ++a) fastest = max(fastest, max(abs(u[a](r)), abs(u[a](r, a, +1))));
              const unsigned more = bits_near & ~so_far.active_bits(r) & bits(fastest > least);
              store_reached(r, so_far.active_bits(r) | more);
              return Real(more ? 1.f : 0.f);
            }) > 0;
  }
  Buffer<std::uint32_t> counts = ex.buffer<std::uint32_t>(p.first.size());
  for_points(ex, std::int64_t(p.first.size()) - 1, [&](std::int64_t i) {
    const std::size_t k = std::size_t(i);
    counts[k] = reached.has(k) ? full<D> : p.first[k + 1] - p.first[k];
  });
  fill_up(ex, p, std::move(counts), velocity, inflow, transfer, seed);
}

template <int D>
CellMask<D> renew_band(Exec& ex, ParticleSet<D>& p, const CellMask<D>& before,
                       std::span<const Box<D>> outside, const Field<float, D>& solids,
                       const MacField<float, D>& velocity, const Inflow<D>& inflow,
                       const BandParams& params) {
  const Zone zone(ex.profile(), "renew_band");
  CHECK(before.topology == p.topology, "the core lives on another topology");
  Band<D> band = divide(ex, p, before, outside, solids, params);
  const std::size_t cells = std::size_t(p.topology->tile_count()) * tile_cells<D>;
  Buffer<std::uint32_t> counts = ex.buffer<std::uint32_t>(cells + 1);
  // Cells that have left the core are filled up unless the flow has done so, or a solid, those in it emptied.
  const std::int64_t there = reduce(
      ex, std::int64_t(cells), tile_cells<D> * 64, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t sum = 0;
        for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
          std::uint32_t count = p.first[k + 1] - p.first[k];
          const bool core = band.core.has(k);
          if (core) count = 0;
          if (!core && before.has(k) && !band.solid.has(k) && count < full<D> / 2) count = full<D>;
          counts[k] = count;
          sum += count + core * full<D>;
        }
        return sum;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
  // What is too much or too little is spread along the edge.
  const std::int64_t lack = params.particles - there, edge = count_cells(ex, band.edge);
  if (lack != 0 && edge > 0) {
    const std::int64_t share = std::clamp(lack, -most_made_good * edge, most_made_good * edge);
    const auto shared_out = [=](std::int64_t cells_before) { return cells_before * share / edge; };
    std::int64_t n = 0;
    for (std::size_t k = 0; k < cells; ++k) {
      if (k % tile_side == 0 && !band.edge.rows[k / tile_side]) {
        k += tile_side - 1;
        continue;
      }
      if (!band.edge.has(k)) continue;
      const std::int64_t more = shared_out(n + 1) - shared_out(n);
      counts[k] = std::uint32_t(std::max<std::int64_t>(std::int64_t(counts[k]) + more, 1));
      ++n;
    }
  }
  fill_up(ex, p, std::move(counts), velocity, inflow, params.transfer, params.seed);
  return std::move(band.core);
}

template <int D>
ParticleSet<D> with_core(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& core,
                         const MacField<float, D>& velocity, const Inflow<D>& inflow,
                         TransferScheme transfer) {
  ParticleSet<D> all = clone(ex, p);
  const std::size_t cells = std::size_t(p.topology->tile_count()) * tile_cells<D>;
  Buffer<std::uint32_t> counts = ex.buffer<std::uint32_t>(cells + 1);
  for_points(ex, std::int64_t(cells), [&](std::int64_t i) {
    const std::size_t k = std::size_t(i);
    counts[k] = core.has(k) ? full<D> : p.first[k + 1] - p.first[k];
  });
  fill_up(ex, all, std::move(counts), velocity, inflow, transfer, 0);
  // Ids by the cell, beyond all that are given out and below 2^53.
  constexpr std::uint64_t beyond = std::uint64_t(1) << 52;
  ex.parallel_for(all.topology->tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t tile = std::size_t(begin); tile < std::size_t(end); ++tile) {
      std::uint64_t key = 0;
      for (int a = 0; a < D; ++a)
        key = mix64(key, std::uint64_t(std::uint32_t(all.topology->tiles()[tile][a])));
      for (std::size_t k = tile * tile_cells<D>; k < (tile + 1) * tile_cells<D>; ++k)
        if (core.has(k))
          for (std::uint32_t i = all.first[k]; i < all.first[k + 1]; ++i)
            all.id[i] =
                beyond | ((key * tile_cells<D> + k % tile_cells<D>)*full<D> + (i - all.first[k])) % beyond;
    }
  });
  return all;
}

#define WHORL_INSTANTIATE(D)                                                                                 \
  template void add_core_velocity(Exec&, FaceVelocity<D>&, const CellMask<D>&, const MacField<float, D>&);   \
  template void seed_core_edge(Exec&, ParticleSet<D>&, const CellMask<D>&, const MacField<float, D>&, float, \
                               const Inflow<D>&, TransferScheme, std::uint64_t);                             \
  template CellMask<D> renew_band(Exec&, ParticleSet<D>&, const CellMask<D>&, std::span<const Box<D>>,       \
                                  const Field<float, D>&, const MacField<float, D>&, const Inflow<D>&,       \
                                  const BandParams&);                                                        \
  template ParticleSet<D> with_core(Exec&, const ParticleSet<D>&, const CellMask<D>&,                        \
                                    const MacField<float, D>&, const Inflow<D>&, TransferScheme);            \
  template std::int64_t count_cells(Exec&, const CellMask<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
