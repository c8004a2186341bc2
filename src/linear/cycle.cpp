#include "linear/cycle.h"

namespace whorl {

namespace {

using Real = Lane<float>;
constexpr int half_tile = tile_side / 2;

// D⁻¹ b as if it were a field.
template <int D>
struct ScaledView {
  FieldView<const float, D> b;
  SystemView<D> system;
  const float* plain_inverse;  // [cell] of a plain tile

  WHORL_INLINE Real operator()(const RowIndex<D>& i) const { return scaled(i.tile, i.offset()); }
  WHORL_INLINE Real operator()(const RowIndex<D>& i, int axis, int step) const {
    const bool inside = axis < D - 1 && unsigned(i.at[axis] + step) < unsigned(tile_side);
    const int next = i.neighbours[centre_of_neighbourhood<D> + step * neighbour_step<D>(axis)];
    if (inside) return scaled(i.tile, i.offset() + step * tile_stride<D>(axis));
    if (axis < D - 1) return scaled(next, i.offset() - step * (tile_side - 1) * tile_stride<D>(axis));
    const Real own = (*this)(i), other = scaled(next, i.offset());
    return step < 0 ? shift_in_low(own, other[tile_side - 1]) : shift_in_high(own, other[0]);
  }

 private:
  WHORL_INLINE Real scaled(int tile, std::ptrdiff_t offset) const {
    const float* inverse = system.slot[tile] < 0
                               ? plain_inverse
                               : system.stored_tile(tile).data + StoredTile<D>::inverse * tile_cells<D>;
    return Real::load(b.data + std::size_t(tile) * tile_cells<D> + offset) * Real::load(inverse + offset);
  }
};

template <int D>
struct FirstTwoSweeps {
  static constexpr bool tells_deep = true;
  FieldView<float, D> x;
  ScaledView<D> scaled;
  float first, second;

  WHORL_INLINE void prefetch(const RowIndex<D>& i) const { scaled.b.prefetch(i); }
  WHORL_INLINE void operator()(const RowIndex<D>& i, const DeepTile<D>& tile) const {
    constexpr float inverse = 1.f / (2 * D);
    const Real own(inverse * (first * (1 - second) + second)), others(inverse * inverse * first * second);
    x.store(i, own * scaled.b(i) + others * tile.linked(scaled.b, i));
  }
  template <class Tile>
  WHORL_INLINE void operator()(const RowIndex<D>& i, const Tile& tile) const {
    const Real inverse = tile.template inverse_diagonal<Real>(i);
    x.store(i, Real(first * (1 - second) + second) * scaled.b(i) * inverse +
                   Real(first * second) * tile.linked(scaled, i) * inverse);
  }
};

template <int D>
struct Sweep {
  FieldView<const float, D> x, b;
  float weight;

  template <class Tile>
  WHORL_INLINE Real operator()(const RowIndex<D>& i, const Tile& tile) const {
    const Real inverse = tile.template inverse_diagonal<Real>(i);
    return Real(1 - weight) * x(i) + Real(weight) * inverse * (b(i) + tile.linked(x, i));
  }
};

template <int D>
struct Residual {
  FieldView<const float, D> x, b;

  template <class Tile>
  WHORL_INLINE Real operator()(const RowIndex<D>& i, const Tile& tile) const {
    return b(i) - tile.applied(x, i);
  }
};

}  // namespace

template <int D>
void first_two_sweeps(Exec& ex, const PressureSystem<D>& system, Field<float, D>& x, const Field<float, D>& b,
                      float first, float second) {
  float plain_inverse[tile_cells<D>];
  std::fill_n(plain_inverse, tile_cells<D>, 1.f / (2 * D));
  for_system_rows(ex, system,
                  FirstTwoSweeps<D>{x.view(), {b.view(), system.view(), plain_inverse}, first, second});
}

template <int D>
void sweep(Exec& ex, const PressureSystem<D>& system, Field<float, D>& out, const Field<float, D>& x,
           const Field<float, D>& b, float weight) {
  const Sweep<D> swept{x.view(), b.view(), weight};
  const FieldView<float, D> o = out.view();
  for_system_rows(ex, system,
                  reading_round(swept.x, [=](const RowIndex<D>& i, const auto& tile)
                                             WHORL_INLINE_LAMBDA { o.store(i, swept(i, tile)); }));
}

template <int D>
double last_sweep(Exec& ex, const PressureSystem<D>& system, Field<float, D>& out, const Field<float, D>& x,
                  const Field<float, D>& b, float weight) {
  const Sweep<D> swept{x.view(), b.view(), weight};
  const FieldView<float, D> o = out.view();
  const auto add_swept = [=](const RowIndex<D>& i, const auto& tile, Totals<float>& t) WHORL_INLINE_LAMBDA {
    const Real value = swept(i, tile);
    o.store(i, value);
    t.add_product(value, swept.b(i));
  };
  return total_system_rows<float>(ex, system, reading_round(swept.x, add_swept)).sum;
}

namespace {

// The sum of the residuals of the 2^(D-1) rows that begin at `first`.
template <int D, class Tile>
WHORL_INLINE Real residual_of_rows(const Residual<D>& residual, RowIndex<D> first, const Tile& tile) {
  Real sum(0.f);
  const Coord<D> at = first.at;
  for (int part = 0; part < ipow<D - 1>(2); ++part) {
    for (int a = 0; a < D - 1; ++a) first.at[a] = at[a] + (part >> (D - 2 - a) & 1);
    sum += residual(first, tile);
  }
  return sum;
}

}  // namespace

template <int D>
void restrict_residual(Exec& ex, Field<float, D>& coarse, const PressureSystem<D>& system,
                       const Field<float, D>& x, const Field<float, D>& b, const CoarseSystem<D>& level) {
  constexpr int half_rows = ipow<D - 1>(half_tile);
  const Residual<D> residual{x.view(), b.view()};
  const SystemView<D> view = system.view();
  const TileSet<D> tiles = system.topology->active_tile_set();
  const Real scale(4.f / ipow<D>(2));
  const auto restrict_tile = [&](float* out, int tile) {
    Real sums[half_rows];
    if (view.slot[tile] < 0) {
      RowIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
      for (int row = 0; row < half_rows; row += half_tile) {
        if constexpr (D == 3) i.at[0] = 2 * (row / half_tile);
#pragma GCC unroll 4
        for (int k = 0; k < half_tile; ++k) {
          i.at[D - 2] = 2 * k;
          sums[row + k] = residual_of_rows(residual, i, PlainTile<D>{});
        }
      }
    } else {
      for (Real& s : sums) s = Real(0.f);
      for_rows_of_stored_tile<D>(tiles, view, tile,
                                 [&](const RowIndex<D>& i, const auto& kind) WHORL_INLINE_LAMBDA {
                                   int row = 0;
                                   for (int a = 0; a < D - 1; ++a) row = row * half_tile + i.at[a] / 2;
                                   sums[row] += residual(i, kind);
                                 });
    }
    for (int row = 0; row < half_rows; ++row) {
      std::ptrdiff_t offset = 0;
      for (int a = D - 2, rest = row; a >= 0; --a, rest /= half_tile)
        offset += rest % half_tile * tile_stride<D>(a);
      store_low_half(scale * add_pairs(sums[row], sums[row]), out + offset);
    }
  };
  const Coord<D>* place = system.topology->tiles().data();
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const int tile = tiles.tile(k);
      if (view.slot[tile] == dry_tile) continue;
      Coord<D> corner;  // of the part of the coarse tile that this one is
      for (int a = 0; a < D; ++a) corner[a] = (place[tile][a] & 1) * half_tile;
      restrict_tile(coarse.data() + std::size_t(level.parent[std::size_t(tile)]) * tile_cells<D> +
                        cell_offset<D>(corner),
                    tile);
    }
  });
}

template <int D>
void prolong_add(Exec& ex, Field<float, D>& fine, const PressureSystem<D>& system,
                 const Field<float, D>& coarse, const CoarseSystem<D>& level) {
  const FieldView<float, D> out = fine.view();
  const Coord<D>* tiles = system.topology->tiles().data();
  const float* in = coarse.data();
  const int* parent = level.parent.data();
  for_system_rows(ex, system, [=](const RowIndex<D>& i, const auto& tile) WHORL_INLINE_LAMBDA {
    Coord<D> at{};
    for (int a = 0; a < D - 1; ++a) at[a] = (tiles[i.tile][a] & 1) * half_tile + i.at[a] / 2;
    const Real row = Real::load(in + std::size_t(parent[i.tile]) * tile_cells<D> + cell_offset<D>(at));
    const Real value = tiles[i.tile][D - 1] & 1 ? repeat_high_half(row) : repeat_low_half(row);
    out.store(i, out(i) + tile.on_unknowns(i, value));
  });
}

#define WHORL_INSTANTIATE(D)                                                                                 \
  template void first_two_sweeps(Exec&, const PressureSystem<D>&, Field<float, D>&, const Field<float, D>&,  \
                                 float, float);                                                              \
  template void sweep(Exec&, const PressureSystem<D>&, Field<float, D>&, const Field<float, D>&,             \
                      const Field<float, D>&, float);                                                        \
  template double last_sweep(Exec&, const PressureSystem<D>&, Field<float, D>&, const Field<float, D>&,      \
                             const Field<float, D>&, float);                                                 \
  template void restrict_residual(Exec&, Field<float, D>&, const PressureSystem<D>&, const Field<float, D>&, \
                                  const Field<float, D>&, const CoarseSystem<D>&);                           \
  template void prolong_add(Exec&, Field<float, D>&, const PressureSystem<D>&, const Field<float, D>&,       \
                            const CoarseSystem<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
