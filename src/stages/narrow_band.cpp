#include "stages/narrow_band.h"

#include "base/check.h"
#include "base/rng.h"
#include "exec/reduce.h"
#include "grid/grow_mask.h"
#include "particles/occupied_cells.h"

#include <algorithm>
#include <array>
#include <bit>

namespace whorl {

namespace {

using Real = Lane<float>;

template <int D>
constexpr int full = 1 << D;       // particles of a cell
constexpr int most_made_good = 2;  // of them that a cell at the core's edge takes or gives in a step

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

// The 2^D parts of a cell, numbered by bits, bit a for the upper half along axis a: those that lie further up
// the slope of a field come first, and where it has none, a `start` by chance.
template <int D>
std::array<unsigned, std::size_t(full<D>)> parts_uphill(const Vec<float, D>& slope, unsigned start) {
  std::array<unsigned, std::size_t(full<D>)> parts;
  const auto height = [&](unsigned part) {
    float sum = 0;
    for (int a = 0; a < D; ++a) sum += part >> a & 1 ? slope[a] : -slope[a];
    return sum;
  };
  for (unsigned k = 0; k < parts.size(); ++k) {  // inserts each: std::stable_sort would ask for memory
    const unsigned part = (start + k) % unsigned(parts.size());
    unsigned place = k;
    for (; place > 0 && height(parts[place - 1]) < height(part); --place) parts[place] = parts[place - 1];
    parts[place] = part;
  }
  return parts;
}

// Random places in a cell for `count` more particles, one in each of its 2^D parts before there are two in
// one, those up the slope first.
template <int D>
void place_some(ParticleSet<D>& p, const Coord<D>& tile, int cell, std::uint32_t first, int count,
                const Vec<float, D>& slope, std::uint64_t seed) {
  std::uint64_t key = std::uint64_t(cell);
  for (int a = 0; a < D; ++a) key = mix64(key, std::uint64_t(std::uint32_t(tile[a])));
  Rng rng(seed, key);
  const auto parts = parts_uphill<D>(slope, unsigned(rng.bits()));
  for (int k = 0; k < count; ++k)
    for (int a = 0; a < D; ++a)
      p.position[std::size_t(a)][first + std::uint32_t(k)] =
          place_in_cell(cell / tile_stride<D>(a) % tile_side,
                        0.5f * (float(parts[std::size_t(k % full<D>)] >> a & 1) + rng.uniform()));
}

// Gives cells the numbers of particles in `counts`; new ones have random places, where they are few on the
// side of the core, and the velocity of the grid there. `core` is the part that it has of each cell, or null.
template <int D>
void fill_up(Exec& ex, ParticleSet<D>& p, Buffer<std::uint32_t> counts, const Field<float, D>* core,
             const MacField<float, D>& velocity, const Inflow<D>& inflow, TransferScheme transfer,
             std::uint64_t seed) {
  NewInCells fresh = resize_cells(ex, p, std::move(counts));
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
  const int* table = p.topology->tile_set().neighbours;
  ex.parallel_for(p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t tile = std::size_t(begin); tile < std::size_t(end); ++tile) {
      const std::uint32_t* first = fresh.first.data() + tile * tile_cells<D>;
      if (first[0] == first[tile_cells<D>]) continue;
      for (int cell = 0; cell < tile_cells<D>; ++cell) {
        const std::uint32_t from = first[cell], to = first[cell + 1];
        if (from == to) continue;
        Vec<float, D> slope{};
        if (core) {
          CellIndex<D> i{int(tile), table + tile * neighbourhood<D>, {}};
          for (int a = 0; a < D; ++a) i.at[a] = cell / tile_stride<D>(a) % tile_side;
          for (int a = 0; a < D; ++a) slope[a] = core->view()(i, a, +1) - core->view()(i, a, -1);
        }
        place_some(p, tiles[tile], cell, fresh.index[from], int(to - from), slope, seed);
        for (std::uint32_t n = from; n < to; ++n)
          for (std::size_t a = 0; a < D; ++a) some.position[a][n] = p.position[a][fresh.index[n]];
      }
    }
  });
  some.first = std::move(fresh.first);
  const TransferScheme from_grid = transfer == TransferScheme::flip ? TransferScheme::pic : transfer;
  set_transfer(ex, some, from_grid);
  faces_to_particles(ex, some, from_grid, velocity, inflow);
  const auto hand_over = [&](const Buffer<float>& from, Buffer<float>& to) {
    for_points(ex, std::int64_t(count),
               [in = from.data(), out = to.data(), index = fresh.index.data()](std::int64_t n) {
                 out[index[n]] = in[n];
               });
  };
  for (std::size_t a = 0; a < D; ++a) hand_over(some.velocity[a], p.velocity[a]);
  for (std::size_t m = 0; m < some.modes.size(); ++m) hand_over(some.modes[m], p.modes[m]);
}

// How many particles a part of a cell has.
WHORL_INLINE int particles_of(float part, int all) { return int(part * float(all) + 0.5f); }

// Which cells of a row have got so much of the core that it counts for a particle.
template <int D>
unsigned bits_of_core(const FieldView<const float, D>& moved, const RowIndex<D>& r) {
  return bits(moved(r) >= Real(0.5f / full<D>));
}

// The core and, in addition, cells of liquid next to it, and cells at solids.
template <int D>
struct Division {
  CellMask<D> core, edge, solid;
};

template <int D>
Division<D> divide(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& before, const Field<float, D>& moved,
                   std::span<const Box<D>> outside, const Field<float, D>& solids, const BandParams& params) {
  const TopologyPtr<D>& topology = p.topology;
  Division<D> band{empty_mask(ex, topology), empty_mask(ex, topology), empty_mask(ex, topology)};
  CellMask<D> liquid = occupied_cells(ex, p, before), air = empty_mask(ex, topology);
  const TopologyView<D> cells = topology->view(), wet = liquid.view();
  const FieldView<const float, D> distance = solids.view(), part = moved.view();
  const Real beside(params.beside_solids);
  const auto store_wet = liquid.store(), store_air = air.store(), store_solid = band.solid.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const unsigned solid = bits(distance(r) < beside), found = wet.active_bits(r) | bits_of_core(part, r);
    store_wet(r, found);
    store_solid(r, solid);
    store_air(r, cells.active_bits(r) & (~found | solid));
  });
  const CellMask<D> shallow = grown_cubes(ex, air, params.width);
  const TopologyView<D> near = shallow.view();
  const auto store_core = band.core.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    unsigned deep = wet.active_bits(r) & ~near.active_bits(r);
    for (const Box<D>& box : outside) deep &= ~bits_inside(cells.tiles[r.tile], r, box);
    store_core(r, deep);
  });
  const CellMask<D> round_core = grown_cubes(ex, band.core, 1);
  const TopologyView<D> core = band.core.view(), round = round_core.view();
  const auto store_edge = band.edge.store();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    store_edge(r, round.active_bits(r) & ~core.active_bits(r) & wet.active_bits(r));
  });
  return band;
}

// The particles that the cells of a row are to have, and how many there are then, those of a full core
// included. What has come from the core is filled up, and so are cells that have left it unless the flow or a
// solid has filled them; those in it are emptied.
template <int D>
std::int64_t count_row(std::size_t row, const ParticleSet<D>& p, const Division<D>& band,
                       const CellMask<D>& before, const Field<float, D>& moved, std::uint32_t* counts) {
  const std::uint32_t* first = p.first.data() + row * tile_side;
  const unsigned core = band.core.rows[row], left = before.rows[row] & ~core, solid = band.solid.rows[row];
  if (core == 0xff) {
    std::fill_n(counts, tile_side, 0u);
    return tile_side * full<D>;
  }
  std::int64_t sum = 0;
  for (int k = 0; k < tile_side; ++k) {
    const auto has = [=](unsigned bits) { return (bits >> k & 1) != 0; };
    int count = has(core) ? 0 : int(first[k + 1] - first[k]);
    if (!has(core | solid)) {
      count += particles_of(moved.data()[row * tile_side + std::size_t(k)], full<D>);
      if (has(left) && count < full<D> / 2) count = full<D>;
    }
    counts[k] = std::uint32_t(count);
    sum += count + has(core) * full<D>;
  }
  return sum;
}

// Spreads `lack` particles, too many or too few, along the edge of the core.
template <int D>
void make_good(Exec& ex, Buffer<std::uint32_t>& counts, const CellMask<D>& edge, std::int64_t lack) {
  const std::int64_t cells = count_cells(ex, edge);
  if (lack == 0 || cells == 0) return;
  const std::int64_t share = std::clamp(lack, -most_made_good * cells, most_made_good * cells);
  const auto shared_out = [=](std::int64_t cells_before) { return cells_before * share / cells; };
  std::int64_t n = 0;
  for (std::size_t row = 0; row < counts.size() / tile_side; ++row)
    for (unsigned rest = edge.rows[row]; rest; rest &= rest - 1, ++n) {
      std::uint32_t& count = counts[row * tile_side + std::size_t(std::countr_zero(rest))];
      const std::int64_t more = shared_out(n + 1) - shared_out(n);
      count = std::uint32_t(std::max<std::int64_t>(std::int64_t(count) + more, 1));
    }
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
  const CellMask<D> near = grown_cubes(ex, core, 1);
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
Band<D> divide_band(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& before, Field<float, D> moved,
                    std::span<const Box<D>> outside, const Field<float, D>& solids,
                    const BandParams& params) {
  const Zone zone(ex.profile(), "divide_band");
  CHECK(before.topology == p.topology, "the core lives on another topology");
  Division<D> division = divide(ex, p, before, moved, outside, solids, params);
  const std::size_t rows = std::size_t(p.topology->tile_count()) * tile_rows<D>;
  Buffer<std::uint32_t> counts = ex.buffer<std::uint32_t>(rows * tile_side + 1);
  const std::int64_t there = reduce(
      ex, std::int64_t(rows), tile_rows<D> * 64, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t sum = 0;
        for (std::size_t row = std::size_t(begin); row < std::size_t(end); ++row)
          sum += count_row(row, p, division, before, moved, counts.data() + row * tile_side);
        return sum;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
  make_good(ex, counts, division.edge, params.particles - there);
  CellMask<D> short_of = empty_mask(ex, p.topology);
  for_points(ex, std::int64_t(rows), [&](std::int64_t i) {
    const std::size_t row = std::size_t(i);
    const std::uint32_t *first = p.first.data() + row * tile_side, *wanted = counts.data() + row * tile_side;
    unsigned bits = 0;
    for (int k = 0; k < tile_side; ++k) bits |= unsigned(wanted[k] > first[k + 1] - first[k]) << k;
    short_of.rows[row] = std::uint8_t(bits);
  });
  return {std::move(division.core), std::move(short_of), std::move(counts), std::move(moved)};
}

template <int D>
void fill_band(Exec& ex, ParticleSet<D>& p, Band<D>& band, const MacField<float, D>& velocity,
               const Inflow<D>& inflow, TransferScheme transfer, std::uint64_t seed) {
  const Zone zone(ex.profile(), "fill_band");
  fill_up(ex, p, std::move(band.counts), &band.moved, velocity, inflow, transfer, seed);
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
  fill_up<D>(ex, all, std::move(counts), nullptr, velocity, inflow, transfer, 0);
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

#define WHORL_INSTANTIATE(D)                                                                               \
  template void add_core_velocity(Exec&, FaceVelocity<D>&, const CellMask<D>&, const MacField<float, D>&); \
  template Band<D> divide_band(Exec&, const ParticleSet<D>&, const CellMask<D>&, Field<float, D>,          \
                               std::span<const Box<D>>, const Field<float, D>&, const BandParams&);        \
  template void fill_band(Exec&, ParticleSet<D>&, Band<D>&, const MacField<float, D>&, const Inflow<D>&,   \
                          TransferScheme, std::uint64_t);                                                  \
  template ParticleSet<D> with_core(Exec&, const ParticleSet<D>&, const CellMask<D>&,                      \
                                    const MacField<float, D>&, const Inflow<D>&, TransferScheme);          \
  template std::int64_t count_cells(Exec&, const CellMask<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
