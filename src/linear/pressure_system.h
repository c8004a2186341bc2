// The pressure equation on one grid, in the form that solvers and preconditioners share:
//
//   (A p)_i = 1/h² (d_i p_i - Σ_j w_ij p_j)      over the unknowns j next to i
//
// w_ij is the open fraction of the face between two cells. The diagonal d_i is the sum of i's links w_ij, and
// w/θ for each face to air, whose pressure is zero θ cells away from the centre of i (the ghost fluid method:
// Gibou et al. 2002; Bridson & Müller-Fischer 2007, §4.5.1). A cell whose diagonal is zero is no unknown.
// Diffusion has the same links and a shift σ, with σ p_i added in the brackets; its unknowns may be faces.
//
// Most tiles are *plain*: every link is one and every neighbour an unknown. They store nothing. Nor do those
// round a liquid that are *dry*, without an unknown: no pass visits them, so fields must be zero there
// before.
#pragma once

#include "grid/field.h"
#include "grid/retile.h"

#include <vector>

namespace whorl {

inline constexpr int plain_tile = -1;
inline constexpr int deep_tile = -2;  // plain, and so are the tiles across its faces
inline constexpr int dry_tile = -3;

// A tile's coefficients as kernels read them.
//
//   linked(x, i)    Σ_j w_ij x_j
//   applied(x, i)   d_i x_i - Σ_j w_ij x_j, as a sum of differences: they are exact, or nearly, where x is
//                   smooth, and a difference of large sums is not
template <int D>
struct PlainTile {
  template <class Value, class Index>
  WHORL_INLINE Value inverse_diagonal(const Index&) const {
    return Value(1.f / (2 * D));
  }
  template <class X, class Index>
  WHORL_INLINE auto linked(const X& x, const Index& i) const {
    auto sum = x(i, 0, -1) + x(i, 0, +1);
    for (int a = 1; a < D; ++a) sum = sum + (x(i, a, -1) + x(i, a, +1));  // in pairs: mirrors exactly
    return sum;
  }
  template <class X, class Index>
  WHORL_INLINE auto applied(const X& x, const Index& i) const {
    const auto own = x(i);
    auto sum = (own - x(i, 0, -1)) + (own - x(i, 0, +1));
    for (int a = 1; a < D; ++a) sum = sum + ((own - x(i, a, -1)) + (own - x(i, a, +1)));
    return sum;
  }
  template <class Value, class Index>
  WHORL_INLINE Value on_unknowns(const Index&, Value x) const {
    return x;
  }
};

template <int D>
struct DeepTile : PlainTile<D> {};

// Where each link is one or zero and air, if there is some, one cell away: the sides that are open, a byte a
// row and a bit a cell. Air needs no other care, for fields are zero there.
template <int D>
struct MaskedRows {
  const float* inverse;      // [cell]
  const std::uint8_t* open;  // [side][row]

  template <class Value, class Index>
  WHORL_INLINE auto mask(int axis, int step, const Index& i) const {
    const unsigned bits = open[(2 * axis + (step > 0)) * tile_rows<D> + i.offset() / tile_side];
    return mask_of<Value>(LaneTraits<Value>::width == 1 ? bits >> i.at[D - 1] : bits);
  }
  template <class Value, class Index>
  WHORL_INLINE Value inverse_diagonal(const Index& i) const {
    return convert<Value>(read<typename Index::Real>(inverse + i.offset()));
  }
  template <class X, class Index>
  WHORL_INLINE auto linked(const X& x, const Index& i) const {
    using Value = std::remove_const_t<decltype(x(i))>;
    const Value zero(0);
    Value sum(0);
    for (int a = 0; a < D; ++a)
      sum = sum + (select(mask<Value>(a, -1, i), x(i, a, -1), zero) +
                   select(mask<Value>(a, +1, i), x(i, a, +1), zero));
    return sum;
  }
  template <class X, class Index>
  WHORL_INLINE auto applied(const X& x, const Index& i) const {
    const auto own = x(i);
    using Value = std::remove_const_t<decltype(own)>;
    const Value zero(0);
    Value sum(0);
    for (int a = 0; a < D; ++a)
      sum = sum + (select(mask<Value>(a, -1, i), own - x(i, a, -1), zero) +
                   select(mask<Value>(a, +1, i), own - x(i, a, +1), zero));
    return sum;
  }
  template <class Value, class Index>
  WHORL_INLINE Value on_unknowns(const Index& i, Value x) const {
    return select(inverse_diagonal<Value>(i) > Value(0), x, Value(0));
  }
};

template <int D>
struct StoredTile {
  // d_i - Σ_j w_ij, that is, what leads to air; 1/d_i, zero where there is no unknown; and the low and the
  // high link along each axis.
  static constexpr int air = 0, inverse = 1, links = 2, parts = links + 2 * D;
  const float* data;  // [part][cell]

  static constexpr int link(int axis, int step) { return links + 2 * axis + (step > 0); }

  template <class Index>
  WHORL_INLINE auto part(int k, const Index& i) const {
    return read<typename Index::Real>(data + k * tile_cells<D> + i.offset());
  }
  template <class Value, class Index>
  WHORL_INLINE Value inverse_diagonal(const Index& i) const {
    return convert<Value>(part(inverse, i));
  }
  template <class X, class Index>
  WHORL_INLINE auto linked(const X& x, const Index& i) const {
    using Value = std::remove_const_t<decltype(x(i))>;
    Value sum(0);
    for (int a = 0; a < D; ++a)
      sum = sum + (convert<Value>(part(link(a, -1), i)) * x(i, a, -1) +
                   convert<Value>(part(link(a, +1), i)) * x(i, a, +1));
    return sum;
  }
  template <class X, class Index>
  WHORL_INLINE auto applied(const X& x, const Index& i) const {
    const auto own = x(i);
    using Value = std::remove_const_t<decltype(own)>;
    Value sum = convert<Value>(part(air, i)) * own;
    for (int a = 0; a < D; ++a)
      sum = sum + (convert<Value>(part(link(a, -1), i)) * (own - x(i, a, -1)) +
                   convert<Value>(part(link(a, +1), i)) * (own - x(i, a, +1)));
    return sum;
  }
  template <class Value, class Index>
  WHORL_INLINE Value on_unknowns(const Index& i, Value x) const {
    return select(inverse_diagonal<Value>(i) > Value(0), x, Value(0));
  }
};

// The rows of a stored tile that need less than it stores, a bit a row.
struct RowKinds {
  std::uint64_t plain = 0, masked = 0;
};

template <int D>
struct SystemView {
  const int* slot;  // [tile] in what follows, or plain_tile, deep_tile or dry_tile
  const float* stored;
  const std::uint8_t* open;  // [slot][side][row]
  const RowKinds* kinds;     // [slot]

  WHORL_INLINE StoredTile<D> stored_tile(int tile) const {
    return {stored + std::size_t(slot[tile]) * StoredTile<D>::parts * tile_cells<D>};
  }
  WHORL_INLINE MaskedRows<D> masked_rows(int tile) const {
    return {stored_tile(tile).data + StoredTile<D>::inverse * tile_cells<D>,
            open + std::size_t(slot[tile]) * 2 * D * tile_rows<D>};
  }
  // One number at a time.
  WHORL_INLINE float link(const CellIndex<D>& i, int axis, int step) const {
    if (slot[i.tile] < 0) return slot[i.tile] == dry_tile ? 0.f : 1.f;
    return stored_tile(i.tile).part(StoredTile<D>::link(axis, step), i);
  }
  WHORL_INLINE double diagonal(const CellIndex<D>& i) const {
    if (slot[i.tile] < 0) return slot[i.tile] == dry_tile ? 0 : 2 * D;
    const StoredTile<D> tile = stored_tile(i.tile);
    double sum = 0;
    for (int side = 0; side < 2 * D; ++side) sum += tile.part(StoredTile<D>::links + side, i);
    return sum + tile.part(StoredTile<D>::air, i);
  }
};

template <int D>
struct PressureSystem {
  TopologyPtr<D> topology;
  MacField<float, D> open;  // the fraction of each face that lets fluid through; empty on coarser grids
  Field<float, D> surface;  // signed distance to the liquid's surface, negative inside; empty without one
  MacField<float, D> at_surface;   // p/ρ where the surface crosses from one cell to the next, on the face
                                   // between them; empty: zero
  std::vector<int> slot;           // [tile], and one more for the tile that does not exist
  Buffer<float> stored;            // [slot][part][cell]
  Buffer<std::uint8_t> open_bits;  // [slot][side][row]
  std::vector<RowKinds> kinds;     // [slot]
  float shift = 0;                 // σ; only conjugate gradients know of it
  bool every_tile = false;         // unknowns are faces, and some lie in tiles without an active cell

  TileSet<D> tile_set() const { return every_tile ? topology->tile_set() : topology->active_tile_set(); }
  SystemView<D> view() const { return {slot.data(), stored.data(), open_bits.data(), kinds.data()}; }
  std::size_t stored_tiles() const { return kinds.size(); }
};

// From the open fraction of every face. Without a surface every active cell is an unknown, and air begins at
// the centre of the next cell (θ = 1); with one, the active cells inside it, and air begins where it is.
template <int D>
PressureSystem<D> pressure_system(Exec& ex, MacField<float, D> open, Field<float, D> surface = {});

// Decides which tiles are deep, given which of the active tiles are plain, dry (see above) or stored; makes
// room for the stored.
enum class TileKind : std::uint8_t { stored, plain, dry };
template <int D>
void assign_slots(Exec& ex, PressureSystem<D>& system, const std::vector<TileKind>& kinds);

// Writes a row of a stored tile: for each side the link, and the open fraction to air over its distance.
template <int D>
void store_row(PressureSystem<D>& system, const RowIndex<D>& i, const Lane<float>* links,
               const Lane<float>* to_air);

template <class T, int D>
void clear_inactive_tiles(Field<T, D>& field) {
  const Topology<D>& topology = *field.topology();
  for (int tile = 0; tile < topology.tile_count(); ++tile)
    if (!topology.has_active(tile))
      std::fill_n(field.data() + std::size_t(tile) * tile_cells<D>, tile_cells<D>, T(0));
}

template <class T, int D>
void clear_dry_tiles(Field<T, D>& field, const PressureSystem<D>& system) {
  for (int tile = 0; tile < field.topology()->tile_count(); ++tile)
    if (system.slot[std::size_t(tile)] == dry_tile)
      std::fill_n(field.data() + std::size_t(tile) * tile_cells<D>, tile_cells<D>, T(0));
}

// A field for a solver to fill: only tiles that it does not visit hold zeros.
template <class T, int D>
Field<T, D> work_field(Exec& ex, const PressureSystem<D>& system) {
  Field<T, D> field = Field<T, D>::unfilled(ex, system.topology);
  clear_inactive_tiles(field);
  clear_dry_tiles(field, system);
  return field;
}

}  // namespace whorl
