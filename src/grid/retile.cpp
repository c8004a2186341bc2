#include "grid/retile.h"

#include "base/check.h"

#include <atomic>
#include <bit>
#include <mutex>

namespace whorl {

namespace {

// Calls visit(offset) for every tile, counted from this one, that has a cell within `reach` of a
// marked cell of this one. `rows` are the marks; an offset may come more than once.
template <int D, class Visit>
void for_touched_tiles(const std::uint8_t* rows, int reach, const Visit& visit) {
  Box<D> seen{};  // most rows touch what the row before them does
  for (int row = 0; row < tile_rows<D>; ++row) {
    if (!rows[row]) continue;
    Coord<D> first, last;  // marked cells of this row
    for (int a = D - 2, rest = row; a >= 0; --a, rest /= tile_side) first[a] = last[a] = rest % tile_side;
    first[D - 1] = std::countr_zero(unsigned(rows[row]));
    last[D - 1] = std::bit_width(unsigned(rows[row])) - 1;
    Box<D> touched;
    for (int a = 0; a < D; ++a) {
      touched.lo[a] = floor_div(first[a] - reach, tile_side);
      touched.hi[a] = floor_div(last[a] + reach, tile_side) + 1;
    }
    if (touched.lo == seen.lo && touched.hi == seen.hi) continue;
    seen = touched;
    for_each_coord(touched, visit);
  }
}

// A small set of tile offsets, so that each is looked up once a tile.
template <int D>
class OffsetSet {
 public:
  explicit OffsetSet(int reach)
      : radius_(floor_div(reach - 1, tile_side) + 1), seen_(std::size_t(ipow<D>(2 * radius_ + 1))) {}

  void clear() { std::fill(seen_.begin(), seen_.end(), char(0)); }
  bool insert(const Coord<D>& offset) {
    int i = 0;
    for (int a = 0; a < D; ++a) i = i * (2 * radius_ + 1) + offset[a] + radius_;
    return !std::exchange(seen_[std::size_t(i)], char(1));
  }

 private:
  int radius_;
  std::vector<char> seen_;
};

}  // namespace

template <int D>
TopologyPtr<D> retile(Exec& ex, const TopologyPtr<D>& current, const CellMask<D>& fluid,
                      const RetileParams& params, std::span<const Box<D>> always) {
  const Zone zone(ex.profile(), "retile");
  CHECK(fluid.topology == current, "the mask lives on another topology");
  CHECK(params.reach >= 1 && params.hysteresis >= 0, "reach ", params.reach, ", hysteresis ",
        params.hysteresis);
  const Domain<D>& domain = current->domain();
  const std::size_t count = current->tiles().size();

  std::vector<std::atomic<std::uint8_t>> near(count), wanted(count);
  std::vector<Coord<D>> created;
  std::mutex created_mutex;
  const auto mark = [&](Coord<D> tile, auto& flags, std::vector<Coord<D>>* missing) {
    tile = domain.wrap_tile(tile);
    const int slot = current->map().find(tile);
    if (slot >= 0)
      flags[std::size_t(slot)].store(1, std::memory_order_relaxed);
    else if (missing)
      missing->push_back(tile);
  };
  const auto touch = [&](int tile, int reach, auto& flags, std::vector<Coord<D>>* missing,
                         OffsetSet<D>& seen) {
    seen.clear();
    for_touched_tiles<D>(&fluid.rows[std::size_t(tile) * tile_rows<D>], reach, [&](const Coord<D>& offset) {
      if (seen.insert(offset)) mark(current->tiles()[std::size_t(tile)] + offset, flags, missing);
    });
  };
  for (const Box<D>& cells : always) {
    const Box<D> inside = cells.intersect(domain.cells);
    if (inside.empty()) continue;
    const Coord<D> reach = Coord<D>::filled(params.reach);
    for_each_coord(tiles_of(Box<D>{inside.lo - reach, inside.hi + reach}),
                   [&](const Coord<D>& tile) { mark(tile, wanted, &created); });
  }
  ex.parallel_for(std::int64_t(count), tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Coord<D>> missing;
    OffsetSet<D> seen(params.reach + params.hysteresis);
    for (std::int64_t tile = begin; tile < end; ++tile) {
      touch(int(tile), params.reach, wanted, &missing, seen);
      touch(int(tile), params.reach + params.hysteresis, near, nullptr, seen);
    }
    if (missing.empty()) return;
    const std::lock_guard lock(created_mutex);
    created.insert(created.end(), missing.begin(), missing.end());  // in any order: they are sorted later
  });

  const auto in_domain = [&](const Coord<D>& tile) {
    const Box<D> cells{tile * tile_side, (tile + Coord<D>::filled(1)) * tile_side};
    return !cells.intersect(domain.cells).empty();
  };
  std::erase_if(created, [&](const Coord<D>& tile) { return !in_domain(tile); });
  bool changed = !created.empty();
  for (std::size_t slot = 0; slot < count; ++slot) {
    const bool active = current->has_active(int(slot));
    const Coord<D>& tile = current->tiles()[slot];
    const bool stays = wanted[slot] || (active && near[slot]);
    if (stays && in_domain(tile)) {
      created.push_back(tile);
      changed = changed || !active;
    } else {
      changed = changed || active;
    }
  }
  return changed ? Topology<D>::of_tiles(ex, domain, std::move(created)) : current;
}

template <class T, int D>
Field<T, D> carry_over(Exec& ex, const Field<T, D>& field, const Crossing<D>& crossing) {
  const Zone zone(ex.profile(), "carry_over");
  Field<T, D> moved = Field<T, D>::unfilled(ex, crossing.to(), field.background());
  const CrossView<const T, D> from = field.view(crossing);
  const FieldView<T, D> to = moved.view();
  const int* slots = crossing.table();
  const int absent = crossing.from()->tile_count();
  const Lane<T> background(field.background());
  for_rows(ex, crossing.to()->tile_set(), [=](const RowIndex<D>& r) {
    const bool has_tile =
        slots[std::size_t(r.tile) * neighbourhood<D> + centre_of_neighbourhood<D>] != absent;
    to.store(r, has_tile ? from(r) : background);
  });
  return moved;
}

template TopologyPtr<2> retile(Exec&, const TopologyPtr<2>&, const CellMask<2>&, const RetileParams&,
                               std::span<const Box<2>>);
template TopologyPtr<3> retile(Exec&, const TopologyPtr<3>&, const CellMask<3>&, const RetileParams&,
                               std::span<const Box<3>>);
template Field<float, 2> carry_over(Exec&, const Field<float, 2>&, const Crossing<2>&);
template Field<float, 3> carry_over(Exec&, const Field<float, 3>&, const Crossing<3>&);
template Field<double, 2> carry_over(Exec&, const Field<double, 2>&, const Crossing<2>&);
template Field<double, 3> carry_over(Exec&, const Field<double, 3>&, const Crossing<3>&);

}  // namespace whorl
