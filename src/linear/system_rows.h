// Kernels over the rows of a pressure system: kernel(index, tile's coefficients), once compiled for plain
// tiles and once for stored ones. As in exec/shapes.h a kernel may have a prefetch(index), called in plain
// tiles.
#pragma once

#include "linear/pressure_system.h"

namespace whorl {

// Rows that differ, each with the coefficients it needs.
template <int D, class Kernel>
WHORL_INLINE void for_rows_of_stored_tile(const TileSet<D>& tiles, const SystemView<D>& system, int tile,
                                          const Kernel& kernel) {
  const StoredTile<D> stored = system.stored_tile(tile);
  const MaskedRows<D> masked = system.masked_rows(tile);
  const RowKinds kinds = system.kinds[system.slot[tile]];
  RowIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
  for (int row = 0; row < tile_rows<D>; ++row) {
    for (int a = D - 2, rest = row; a >= 0; --a, rest /= tile_side) i.at[a] = rest % tile_side;
    if (kinds.plain >> row & 1)
      kernel(i, PlainTile<D>{});
    else if (kinds.masked >> row & 1)
      kernel(i, masked);
    else
      kernel(i, stored);
  }
}

// A kernel with the coefficients that all rows of a tile share.
template <int D, class Kernel, class Tile>
struct OnTile {
  const Kernel& kernel;
  WHORL_INLINE void operator()(const RowIndex<D>& i) const { kernel(i, Tile{}); }
  WHORL_INLINE void prefetch(const auto& i) const requires requires { kernel.prefetch(i); }
  { kernel.prefetch(i); }
};

// A kernel that asks for what a stencil on a field will read.
template <class View, class Kernel>
struct ReadingRound : Kernel {
  View field;
  WHORL_INLINE void prefetch(const auto& i) const { field.prefetch(i); }
};
template <class View, class Kernel>
ReadingRound<View, Kernel> reading_round(const View& field, const Kernel& kernel) {
  return {kernel, field};
}

// The k-th tile.
template <int D, class Kernel>
WHORL_INLINE void for_rows_of_system_tile(const TileSet<D>& tiles, const SystemView<D>& system,
                                          std::int64_t k, const Kernel& kernel) {
  const int tile = tiles.tile(k), slot = system.slot[tile];
  if (slot >= 0) return for_rows_of_stored_tile(tiles, system, tile, kernel);
  if (slot == dry_tile) return;
  if constexpr (requires { Kernel::tells_deep; })
    if (slot == deep_tile)
      return for_rows_of_tile_and_ahead(tiles, k, OnTile<D, Kernel, DeepTile<D>>{kernel});
  for_rows_of_tile_and_ahead(tiles, k, OnTile<D, Kernel, PlainTile<D>>{kernel});
}

template <int D, class Kernel>
void for_system_rows(Exec& ex, const PressureSystem<D>& system, const Kernel& kernel) {
  const TileSet<D> tiles = system.tile_set();
  const SystemView<D> view = system.view();
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    const Kernel local = kernel;
    for (std::int64_t k = begin; k < end; ++k) for_rows_of_system_tile<D>(tiles, view, k, local);
  });
}

// What a pass adds up on its way: a sum, within each tile in T and over tiles in double, and the largest size
// of a value.
template <class T>
struct Totals {
  Lane<double> sum{0.};
  Lane<T> tile_sum{T(0)}, most{T(0)};

  WHORL_INLINE void add(Lane<T> x) {
    tile_sum += x * x;
    most = max_or_nan(abs(x), most);
  }
  WHORL_INLINE void add_product(Lane<T> x, Lane<T> y) { tile_sum += x * y; }
  WHORL_INLINE void end_tile() {
    sum += convert<Lane<double>>(tile_sum);
    tile_sum = Lane<T>(T(0));
  }
};
struct Total {
  double sum = 0, most = 0;
};

// kernel(index, tile, totals), and where its totals go.
template <class T, class Kernel>
struct Totalling {
  const Kernel& kernel;
  Totals<T>& totals;
  WHORL_INLINE void operator()(const auto& i, const auto& tile) const { kernel(i, tile, totals); }
  WHORL_INLINE void prefetch(const auto& i) const requires requires { kernel.prefetch(i); }
  { kernel.prefetch(i); }
};

template <class T, int D, class Kernel>
Total total_system_rows(Exec& ex, const PressureSystem<D>& system, const Kernel& kernel) {
  const TileSet<D> tiles = system.tile_set();
  const SystemView<D> view = system.view();
  return reduce(
      ex, tiles.count, tiles_per_chunk<D>, Total{},
      [&](std::int64_t begin, std::int64_t end) {
        const Kernel local = kernel;
        Totals<T> totals;
        for (std::int64_t k = begin; k < end; ++k) {
          for_rows_of_system_tile<D>(tiles, view, k, Totalling<T, Kernel>{local, totals});
          totals.end_tile();
        }
        return Total{sum(totals.sum), double(max_element(totals.most))};
      },
      [](const Total& x, const Total& y) {
        return Total{x.sum + y.sum, max_or_nan(y.most, x.most)};
      });
}

template <class T, int D>
double dot(Exec& ex, const PressureSystem<D>& system, const Field<T, D>& x, const Field<T, D>& y) {
  const FieldView<const T, D> u = x.view(), v = y.view();
  return total_system_rows<T>(ex, system,
                              [=](const RowIndex<D>& i, const auto&, Totals<T>& t)
                                  WHORL_INLINE_LAMBDA { t.add_product(u(i), v(i)); })
      .sum;
}

}  // namespace whorl
