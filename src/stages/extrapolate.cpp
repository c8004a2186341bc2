#include "stages/extrapolate.h"

#include "grid/grow_mask.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {

namespace {

// The tiles with a place that is wanted and not known, in the order in which kernels visit them.
template <int D>
std::vector<int> tiles_short_of(const CellMask<D>& wanted, const CellMask<D>& known) {
  const TileSet<D> all = wanted.topology->tile_set();
  std::vector<int> list;
  for (std::int64_t k = 0; k < all.count; ++k) {
    const std::size_t first = std::size_t(all.tile(k)) * tile_rows<D>;
    unsigned missing = 0;
    for (std::size_t row = first; row < first + tile_rows<D>; ++row)
      missing |= unsigned(wanted.rows[row] & ~known.rows[row]);
    if (missing) list.push_back(all.tile(k));
  }
  return list;
}

// The cell one step along an axis; false where there is no tile.
template <int D>
bool step_to(const Topology<D>& topology, CellIndex<D>& i, int axis, int step) {
  i.at[axis] += step;
  if (unsigned(i.at[axis]) < unsigned(tile_side)) return true;
  i.at[axis] -= step * tile_side;
  i.tile = i.neighbours[centre_of_neighbourhood<D> + step * neighbour_step<D>(axis)];
  i.neighbours = topology.tile_set().neighbours + std::size_t(i.tile) * neighbourhood<D>;
  return i.tile < topology.tile_count();
}

}  // namespace

template <int D>
void extrapolate_straight(Exec& ex, Field<float, D>& q, const Field<float, D>& level, CellMask<D>& known,
                          const CellMask<D>& wanted, const StraightLimit& limit) {
  const Topology<D>& topology = *q.topology();
  const TileSet<D> tiles = topology.tile_set();
  const TopologyView<D> want = wanted.view(), know = known.view();
  const FieldView<const float, D> value = std::as_const(q).view(), height = level.view();
  struct Found {
    CellIndex<D> at;
    float value;
  };
  std::vector<std::vector<Found>> found(std::size_t(tiles.count));
  ex.parallel_for(tiles.count, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        const CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, at};
        if (!want.active_bits(i) || know.active_bits(i)) return;
        float sum = 0, weights = 0;
        for (int a = 0; a < D; ++a)
          for (const int step : {-1, +1}) {
            CellIndex<D> next = i;
            if (!step_to(topology, next, a, step) || !know.active_bits(next)) continue;
            const float fall = std::max(height(i) - height(next), 0.f), weight = fall * fall;
            const float one = value(next);
            const bool two = step_to(topology, next, a, step) && know.active_bits(next);
            const float before = two ? value(next) : one,
                        most = std::max(limit.part * std::max(std::abs(one), std::abs(before)), limit.least);
            const float change = one - before;
            sum += weight *
                   (std::abs(change) <= most ? 2 * one - before : one + std::clamp(change, -most, most));
            weights += weight;
          }
        if (weights > 0) found[std::size_t(tile)].push_back({i, sum / weights});
      });
  });
  ex.parallel_for(tiles.count, 64, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (const Found& f : found[std::size_t(tile)]) {
        q.view().store(f.at, f.value);
        known.rows[std::size_t(tile) * tile_rows<D> + std::size_t(f.at.offset() / tile_side)] |=
            std::uint8_t(1u << f.at.at[D - 1]);
      }
  });
}

template <int D>
int extrapolate(Exec& ex, Field<float, D>& q, CellMask<D>& known, const CellMask<D>& wanted, int layers) {
  using Real = Lane<float>;
  const std::vector<int> list = tiles_short_of(wanted, known);
  const TopologyView<D> know = known.view();
  const auto learn = known.store();
  const FieldView<float, D> value = q.view();
  // A layer is written aside first: its own cells must not be taken for known while it is.
  CellMask<D> next = empty_mask(ex, q.topology());
  Field<float, D> aside = Field<float, D>::unfilled(ex, q.topology());
  const TopologyView<D> found_here = next.view();
  const FieldView<float, D> out = aside.view();
  for (int layer = 0; layer < layers; ++layer) {
    const std::vector<int> now = find_next_to(ex, next, known, wanted, list);
    if (now.empty()) return layer;
    const TileSet<D> tiles{q.topology()->tile_set().neighbours, int(now.size()), now.data()};
    for_rows(ex, tiles, [=](const RowIndex<D>& r) {
      if (!found_here.active_bits(r)) return;
      Real sum(0.f), count(0.f);
      for (int a = 0; a < D; ++a)
        for (const int step : {-1, +1}) {
          const auto there = Real::mask_from_bits(know.active_bits(r, a, step));
          sum += select(there, value(r, a, step), Real(0.f));
          count += select(there, Real(1.f), Real(0.f));
        }
      out.store(r, sum / count);
    });
    for_rows(ex, tiles, [=](const RowIndex<D>& r) {
      const unsigned found = found_here.active_bits(r);
      if (!found) return;
      value.store(r, select(Real::mask_from_bits(found), out(r), value(r)));
      learn(r, know.active_bits(r) | found);
    });
  }
  return layers;
}

template void extrapolate_straight(Exec&, Field<float, 2>&, const Field<float, 2>&, CellMask<2>&,
                                   const CellMask<2>&, const StraightLimit&);
template void extrapolate_straight(Exec&, Field<float, 3>&, const Field<float, 3>&, CellMask<3>&,
                                   const CellMask<3>&, const StraightLimit&);
template int extrapolate(Exec&, Field<float, 2>&, CellMask<2>&, const CellMask<2>&, int);
template int extrapolate(Exec&, Field<float, 3>&, CellMask<3>&, const CellMask<3>&, int);

}  // namespace whorl
