#include "stages/crowding.h"

#include "exec/shapes.h"
#include "stages/binomial_means.h"

#include <algorithm>
#include <vector>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr float most_growth = 3, most_shrinkage = 0.5f;  // of a cell's volume
constexpr int passes = 3;  // of the means: wide enough not to follow the noise of a few particles
template <int D>
constexpr float clumped = 1 + 6.f / (1 << D);  // times full: far beyond chance …
constexpr float clump_gain = 3;                // … and what the rest then counts
constexpr float least_room = 0.05f;            // of a cell's, for counts to say anything

// Tiles that means may change: all but those that have one value, as have the tiles round them.
template <int D>
std::vector<int> uneven_tiles(Exec& ex, const Field<float, D>& q) {
  const TileSet<D> tiles = q.topology()->tile_set();
  const FieldView<const float, D> in = q.view();
  struct Range {
    float lo = 0, hi = 0;
  };
  std::vector<Range> ranges(std::size_t(tiles.count) + 1);  // the last one's is that of no tile
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const int tile = tiles.tile(k);
      Real lo(q.data()[std::size_t(tile) * tile_cells<D>]), hi = lo;
      for_rows_of_tile<D>(tiles, tile, [&](const RowIndex<D>& r) {
        lo = min(lo, in(r));
        hi = max(hi, in(r));
      });
      ranges[std::size_t(tile)] = {min_element(lo), max_element(hi)};
    }
  });
  std::vector<int> list;
  for (std::int64_t k = 0; k < tiles.count; ++k) {
    const int tile = tiles.tile(k);
    const int* near = tiles.neighbours + std::size_t(tile) * neighbourhood<D>;
    const float value = ranges[std::size_t(tile)].lo;
    if (!std::all_of(near, near + neighbourhood<D>, [&](int other) {
          return ranges[std::size_t(other)].lo == value && ranges[std::size_t(other)].hi == value;
        }))
      list.push_back(tile);
  }
  return list;
}

template <int D>
void take_means(Exec& ex, Field<float, D>& q) {
  static_assert(passes < tile_side);
  const std::vector<int> list = uneven_tiles(ex, q);
  const TileSet<D> tiles{q.topology()->tile_set().neighbours, int(list.size()), list.data()};
  take_binomial_means(
      ex, q, tiles, passes, [](const RowIndex<D>&) { return true; },
      [](const FieldView<const float, D>& from, const RowIndex<D>& r, int a, int step) {
        return from(r, a, step);
      });
}

}  // namespace

template <int D>
Field<float, D> crowding(Exec& ex, const ParticleSet<D>& p, const Field<float, D>& surface,
                         const Field<float, D>& room, double h, const CellMask<D>& core) {
  const Zone zone(ex.profile(), "crowding");
  const TopologyPtr<D>& topology = p.topology;
  Field<float, D> particles(ex, topology), liquid(ex, topology), place = room.clone(ex);
  const FieldView<float, D> count = particles.view(), wet = liquid.view(), free = place.view();
  const FieldView<const float, D> phi = surface.view();
  const std::uint32_t* first = p.first.data();
  const Real none(0.f), one(1.f), half(0.5f), cells_a_metre(float(1 / h));
  const bool has_core = core.topology != nullptr;
  const TopologyView<D> inside = has_core ? core.view() : TopologyView<D>{};
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const std::uint32_t* cell = first + std::size_t(r.tile) * tile_cells<D> + std::size_t(r.offset());
    float found[tile_side];
    for (int k = 0; k < tile_side; ++k) found[k] = float(cell[k + 1] - cell[k]) / (1 << D);
    const unsigned full = has_core ? inside.active_bits(r) : 0;
    count.store(r, select(Real::mask_from_bits(full), one, Real::load(found)));
    wet.store(r, free(r) * min(max(half - phi(r) * cells_a_metre, none), one));
  });
  take_means(ex, particles);
  take_means(ex, liquid);
  take_means(ex, place);

  const FieldView<const float, D> found = std::as_const(particles).view(),
                                  filled = std::as_const(liquid).view(), there = std::as_const(place).view();
  Field<float, D> growth(ex, topology);
  const FieldView<float, D> out = growth.view();
  const FieldView<const float, D> given = room.view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    const Real all = max(there(r), Real(least_room));
    const auto whole = filled(r) > half * all;
    const Real excess = found(r) / select(whole, filled(r), all) - one;
    // A clump of one cell is lost in the mean.
    const std::uint32_t* cell = first + std::size_t(r.tile) * tile_cells<D> + std::size_t(r.offset());
    float here[tile_side];
    for (int k = 0; k < tile_side; ++k) here[k] = float(cell[k + 1] - cell[k]) / (1 << D);
    const Real clump =
        max(Real::load(here) / max(given(r), half) - Real(clumped<D>), none) * Real(clump_gain);
    out.store(r, min(max(excess, select(whole, Real(-most_shrinkage), none)) + clump, Real(most_growth)));
  });
  return growth;
}

template Field<float, 2> crowding(Exec&, const ParticleSet<2>&, const Field<float, 2>&,
                                  const Field<float, 2>&, double, const CellMask<2>&);
template Field<float, 3> crowding(Exec&, const ParticleSet<3>&, const Field<float, 3>&,
                                  const Field<float, 3>&, double, const CellMask<3>&);

}  // namespace whorl
