#include "particles/particle_set.h"

#include "base/check.h"
#include "exec/scan.h"
#include "exec/shapes.h"
#include "exec/sort.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

template <int D>
Coord<D> neighbour_offset(int place) {
  Coord<D> offset;
  for (int a = D - 1, rest = place; a >= 0; --a, rest /= 3) offset[a] = rest % 3 - 1;
  return offset;
}

// Places in a tile are below this, whatever rounding does.
const float below_side = std::nextafter(float(tile_side), 0.f);

// Arranges all arrays anew: the particle i is the one that was at source[i].
template <int D>
void take(Exec& ex, ParticleSet<D>& p, std::span<const std::uint32_t> source) {
  p.for_each_array([&]<class T>(Buffer<T>& array) {
    Buffer<T> taken = ex.buffer<T>(source.size());
    for_points(
        ex, std::int64_t(source.size()),
        [to = taken.data(), from = array.data(), s = source.data()](std::int64_t i) { to[i] = from[s[i]]; });
    std::swap(array, taken);
  });
}

// first[] from the number of particles in each cell.
template <int D>
Buffer<std::uint32_t> zero_counts(Exec& ex, const Topology<D>& topology) {
  Buffer<std::uint32_t> counts =
      ex.buffer<std::uint32_t>(std::size_t(topology.tile_count()) * tile_cells<D> + 1);
  std::fill(counts.begin(), counts.end(), 0u);
  return counts;
}
void counts_to_first(Exec& ex, Buffer<std::uint32_t>& counts) {
  exclusive_scan(ex, counts.data(), counts.data(), std::int64_t(counts.size()));
}

// Where each particle of a set goes, tile by tile: grouped by the neighbour that it goes to.
template <int D>
struct Moves {
  static constexpr int starts = neighbourhood<D> + 1;

  Buffer<std::uint32_t> order;  // particles of a tile, those for one neighbour together
  Buffer<std::uint16_t> cell;   // [place in order] in the tile that it goes to
  Buffer<std::uint32_t> start;  // [tile][neighbour], and the tile's end: places in order
};

// Also makes positions relative to the new tile.
template <int D>
Moves<D> find_moves(Exec& ex, ParticleSet<D>& p) {
  const std::size_t n = std::size_t(p.size());
  Moves<D> moves{ex.buffer<std::uint32_t>(n), ex.buffer<std::uint16_t>(n),
                 ex.buffer<std::uint32_t>(std::size_t(p.topology->tile_count()) * Moves<D>::starts)};
  ex.parallel_chunks(
      p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
        for (int tile = int(begin); tile < int(end); ++tile) {
          const std::uint32_t from = p.tile_begin(tile), to = p.tile_end(tile);
          auto* key = static_cast<std::uint16_t*>(ex.scratch(worker, (to - from) * sizeof(std::uint16_t)));
          std::uint32_t next[neighbourhood<D>] = {};
          for (std::uint32_t i = from; i < to; ++i) {
            int neighbour = 0, cell = 0;
            for (std::size_t a = 0; a < D; ++a) {
              const float x = p.position[a][i];
              CHECK(x >= -tile_side && x < 2 * tile_side, "a particle has moved too far at once");
              const int step = int(x >= float(tile_side)) - int(x < 0);
              const float local = std::min(x - float(step * tile_side), below_side);
              p.position[a][i] = local;
              neighbour = neighbour * 3 + step + 1;
              cell = cell * tile_side + int(local);
            }
            key[i - from] = std::uint16_t(neighbour * tile_cells<D> + cell);
            ++next[neighbour];
          }
          std::uint32_t* start = moves.start.data() + std::size_t(tile) * Moves<D>::starts;
          start[0] = from;
          for (int k = 0; k < neighbourhood<D>; ++k) start[k + 1] = start[k] + next[k];
          std::copy(start, start + neighbourhood<D>, next);
          for (std::uint32_t i = from; i < to; ++i) {
            const unsigned k = key[i - from];
            const std::uint32_t place = next[k / tile_cells<D>]++;
            moves.order[place] = i;
            moves.cell[place] = std::uint16_t(k % tile_cells<D>);
          }
        }
      });
  return moves;
}

template <int D>
TopologyPtr<D> tiles_after(Exec& ex, const Topology<D>& topology, const Moves<D>& moves) {
  std::vector<Coord<D>> tiles;
  for (int tile = 0; tile < topology.tile_count(); ++tile) {
    const std::uint32_t* start = moves.start.data() + std::size_t(tile) * Moves<D>::starts;
    for (int k = 0; k < neighbourhood<D>; ++k)
      if (start[k + 1] > start[k])
        tiles.push_back(topology.tiles()[std::size_t(tile)] + neighbour_offset<D>(k));
  }
  return Topology<D>::of_tiles(ex, topology.domain(), std::move(tiles));
}

}  // namespace

float place_in_cell(int cell, float part) {
  return std::min(float(cell) + part, std::nextafter(float(cell + 1), 0.f));
}

template <int D>
void sort_particles(Exec& ex, ParticleSet<D>& p) {
  const Zone zone(ex.profile(), "sort_particles");
  if (p.size() == 0) return;
  const Moves<D> moves = find_moves(ex, p);
  const TopologyPtr<D> before = p.topology, after = tiles_after(ex, *before, moves);
  const std::vector<int> table = after->table_into(ex, *before);
  // Calls f(place in moves.order) for all that come to a tile.
  const auto for_arrivals = [&](std::int64_t tile, const auto& f) {
    for (int k = 0; k < neighbourhood<D>; ++k) {
      const int from = table[std::size_t(tile) * neighbourhood<D> + std::size_t(k)];
      if (from == before->tile_count()) continue;
      const std::uint32_t* start =
          moves.start.data() + std::size_t(from) * Moves<D>::starts + (neighbourhood<D> - 1 - k);
      for (std::uint32_t place = start[0]; place < start[1]; ++place) f(place);
    }
  };
  Buffer<std::uint32_t> first = zero_counts(ex, *after);
  ex.parallel_for(after->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      std::uint32_t* counts = first.data() + std::size_t(tile) * tile_cells<D>;
      for_arrivals(tile, [&](std::uint32_t place) { ++counts[moves.cell[place]]; });
    }
  });
  counts_to_first(ex, first);
  CHECK(first[first.size() - 1] == p.size(), "a particle has left the domain");
  Buffer<std::uint32_t> source = ex.buffer<std::uint32_t>(std::size_t(p.size()));
  ex.parallel_for(after->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::uint32_t next[tile_cells<D>];
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const std::uint32_t* start = first.data() + std::size_t(tile) * tile_cells<D>;
      std::copy(start, start + tile_cells<D>, next);
      for_arrivals(tile,
                   [&](std::uint32_t place) { source[next[moves.cell[place]]++] = moves.order[place]; });
    }
  });
  take(ex, p, std::span(source.data(), source.size()));
  p.first = std::move(first);
  p.topology = after;
}

template <int D>
void put_on(Exec& ex, ParticleSet<D>& p, const TopologyPtr<D>& topology) {
  if (p.topology == topology) return;
  Buffer<std::uint32_t> first = zero_counts(ex, *topology);
  ex.parallel_for(topology->tile_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int from = p.topology ? p.topology->map().find(topology->tiles()[std::size_t(tile)]) : -1;
      if (from < 0) continue;
      const std::uint32_t* start = p.first.data() + std::size_t(from) * tile_cells<D>;
      std::uint32_t* counts = first.data() + std::size_t(tile) * tile_cells<D>;
      for (int c = 0; c < tile_cells<D>; ++c) counts[c] = start[c + 1] - start[c];
    }
  });
  counts_to_first(ex, first);
  CHECK(first[first.size() - 1] == p.size(), "a tile that has particles is missing");
  p.first = std::move(first);
  p.topology = topology;
}

template <int D>
void add_particles(Exec& ex, ParticleSet<D>& p, const Domain<D>& domain, const NewParticles<D>& more) {
  const std::size_t old = std::size_t(p.size()), added = more.position.size();
  if (added == 0) return;
  // Where they are, on a topology that has their tiles, too.
  std::vector<Coord<D>> tile_of(added), tiles;
  if (p.topology) tiles.assign(p.topology->tiles().begin(), p.topology->tiles().end());
  std::vector<Vec<float, D>> local(added);
  for (std::size_t i = 0; i < added; ++i) {
    for (int a = 0; a < D; ++a) {
      tile_of[i][a] = int(std::floor(more.position[i][a] / tile_side));
      local[i][a] =
          std::clamp(float(more.position[i][a] - double(tile_of[i][a]) * tile_side), 0.f, below_side);
    }
    tile_of[i] = domain.wrap_tile(tile_of[i]);
    if (tiles.empty() || !(tiles.back() == tile_of[i])) tiles.push_back(tile_of[i]);  // they come in clusters
  }
  const TopologyPtr<D> topology = Topology<D>::of_tiles(ex, domain, std::move(tiles));
  put_on(ex, p, topology);

  Buffer<std::uint64_t> key = ex.buffer<std::uint64_t>(added);
  Buffer<std::uint32_t> which = ex.buffer<std::uint32_t>(added);
  for_points(ex, std::int64_t(added), [&](std::int64_t i) {
    const int tile = topology->map().find(tile_of[std::size_t(i)]);
    CHECK(tile >= 0, "a new particle lies outside the domain");
    Coord<D> cell;
    for (int a = 0; a < D; ++a) cell[a] = int(local[std::size_t(i)][a]);
    key[std::size_t(i)] = std::uint64_t(tile) * tile_cells<D> + std::uint64_t(cell_offset<D>(cell));
    which[std::size_t(i)] = std::uint32_t(i);
  });
  sort_by_key(ex, key, which);

  // Old ones first, in every cell.
  Buffer<std::uint32_t> source = ex.buffer<std::uint32_t>(old + added);
  std::size_t taken = 0;
  for (std::size_t cell = 0; cell + 1 < p.first.size(); ++cell) {
    const std::uint32_t begin = p.first[cell], end = p.first[cell + 1];
    p.first[cell] = std::uint32_t(begin + taken);
    for (std::uint32_t i = begin; i < end; ++i) source[i + taken] = i;
    for (; taken < added && key[taken] == cell; ++taken)
      source[end + taken] = std::uint32_t(old + which[taken]);
  }
  p.first[p.first.size() - 1] = std::uint32_t(old + added);

  const auto append = [&]<class T>(Buffer<T>& array, const auto& value) {
    Buffer<T> longer = ex.buffer<T>(old + added);
    std::copy(array.begin(), array.end(), longer.begin());
    for (std::size_t i = 0; i < added; ++i) longer[old + i] = value(i);
    std::swap(array, longer);
  };
  for (int a = 0; a < D; ++a) {
    append(p.position[std::size_t(a)], [&](std::size_t i) { return local[i][a]; });
    append(p.velocity[std::size_t(a)], [&](std::size_t i) { return more.velocity[i][a]; });
  }
  for (auto* carried : {&p.modes, &p.others})
    for (Buffer<float>& q : *carried) append(q, [](std::size_t) { return 0.f; });
  append(p.id, [&](std::size_t i) { return p.made + i; });
  p.made += added;
  take(ex, p, std::span<const std::uint32_t>(source.data(), source.size()));
}

template <int D>
void keep_particles(Exec& ex, ParticleSet<D>& p, std::span<const std::uint8_t> keep) {
  CHECK(std::int64_t(keep.size()) == p.size(), "one byte a particle");
  if (p.size() == 0) return;
  Buffer<std::uint32_t> place = ex.buffer<std::uint32_t>(keep.size() + 1);
  std::copy(keep.begin(), keep.end(), place.begin());
  place[keep.size()] = 0;
  const std::uint32_t kept = exclusive_scan(ex, place.data(), place.data(), std::int64_t(place.size()));
  Buffer<std::uint32_t> source = ex.buffer<std::uint32_t>(kept);
  for_points(ex, p.size(), [&](std::int64_t i) {
    if (keep[std::size_t(i)]) source[place[std::size_t(i)]] = std::uint32_t(i);
  });
  for_points(ex, std::int64_t(p.first.size()),
             [&](std::int64_t k) { p.first[std::size_t(k)] = place[p.first[std::size_t(k)]]; });
  take(ex, p, std::span<const std::uint32_t>(source.data(), source.size()));
}

template <int D>
NewInCells resize_cells(Exec& ex, ParticleSet<D>& p, Buffer<std::uint32_t> counts) {
  constexpr std::uint32_t none = ~0u;
  const std::size_t cells = p.first.size() - 1;
  CHECK(counts.size() == cells + 1, "a number a cell, and one more");
  NewInCells fresh{ex.buffer<std::uint32_t>(cells + 1), {}};
  counts[cells] = fresh.first[cells] = 0;
  for_points(ex, std::int64_t(cells), [&](std::int64_t i) {
    const std::size_t k = std::size_t(i);
    const std::uint32_t before = p.first[k + 1] - p.first[k];
    fresh.first[k] = counts[k] > before ? counts[k] - before : 0;
  });
  const std::uint32_t all = exclusive_scan(ex, counts.data(), counts.data(), std::int64_t(cells + 1));
  fresh.index = ex.buffer<std::uint32_t>(
      exclusive_scan(ex, fresh.first.data(), fresh.first.data(), std::int64_t(cells + 1)));
  // Most cells stay as they are, so that their particles move in long runs.
  struct Run {
    std::uint32_t from, to, count;
  };
  constexpr std::int64_t chunk_size = 1 << 13;  // cells
  std::vector<std::vector<Run>> runs((cells + chunk_size - 1) / chunk_size);
  ex.parallel_chunks(
      std::int64_t(cells), chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
        std::vector<Run>& list = runs[std::size_t(chunk)];
        const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t count) {
          if (count == 0) return;
          Run* last = list.empty() ? nullptr : &list.back();
          const bool goes_on =
              last &&
              (from == none ? last->from == none : last->from != none && last->from + last->count == from);
          if (goes_on) return void(last->count += count);
          list.push_back({from, to, count});
        };
        for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
          const std::uint32_t count = counts[k + 1] - counts[k];
          const std::uint32_t stay = std::min(p.first[k + 1] - p.first[k], count);
          add(p.first[k], counts[k], stay);
          add(none, counts[k] + stay, count - stay);
          for (std::uint32_t n = stay; n < count; ++n) fresh.index[fresh.first[k] + n - stay] = counts[k] + n;
        }
      });
  p.for_each_array([&]<class T>(Buffer<T>& array) {
    Buffer<T> taken = ex.buffer<T>(all);
    ex.parallel_for(std::int64_t(runs.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk)
        for (const Run& run : runs[std::size_t(chunk)])
          if (run.from == none)
            std::fill_n(taken.data() + run.to, run.count, T(0));
          else
            std::copy_n(array.data() + run.from, run.count, taken.data() + run.to);
    });
    std::swap(array, taken);
  });
  for_points(ex, std::int64_t(fresh.index.size()),
             [&](std::int64_t n) { p.id[fresh.index[std::size_t(n)]] = p.made + std::uint64_t(n); });
  p.made += fresh.index.size();
  p.first = std::move(counts);
  return fresh;
}

template <int D>
ParticleSet<D> clone(Exec& ex, const ParticleSet<D>& p) {
  const auto copy = [&]<class T>(const Buffer<T>& from) {
    Buffer<T> to = ex.buffer<T>(from.size());
    std::copy(from.begin(), from.end(), to.begin());
    return to;
  };
  ParticleSet<D> same;
  same.topology = p.topology;
  same.first = copy(p.first);
  for (std::size_t a = 0; a < D; ++a) {
    same.position[a] = copy(p.position[a]);
    same.velocity[a] = copy(p.velocity[a]);
  }
  for (const Buffer<float>& q : p.modes) same.modes.push_back(copy(q));
  for (const Buffer<float>& q : p.others) same.others.push_back(copy(q));
  same.id = copy(p.id);
  same.made = p.made;
  return same;
}

#define WHORL_INSTANTIATE(D)                                                                     \
  template void sort_particles(Exec&, ParticleSet<D>&);                                          \
  template void put_on(Exec&, ParticleSet<D>&, const TopologyPtr<D>&);                           \
  template void add_particles(Exec&, ParticleSet<D>&, const Domain<D>&, const NewParticles<D>&); \
  template void keep_particles(Exec&, ParticleSet<D>&, std::span<const std::uint8_t>);           \
  template NewInCells resize_cells(Exec&, ParticleSet<D>&, Buffer<std::uint32_t>);               \
  template ParticleSet<D> clone(Exec&, const ParticleSet<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
