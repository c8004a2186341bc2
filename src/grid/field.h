// One value a cell (Field) or a face (MacField), over the tiles of a topology.
#pragma once

#include "base/check.h"
#include "exec/exec.h"
#include "exec/shapes.h"
#include "grid/field_view.h"
#include "grid/topology.h"

#include <algorithm>
#include <array>
#include <memory>

namespace whorl {

// Lets kernels over one topology (`to`) read fields that live on another (`from`).
// Between a topology and itself it costs nothing.
template <int D>
class Crossing {
 public:
  Crossing(Exec& ex, TopologyPtr<D> from, TopologyPtr<D> to) : from_(std::move(from)), to_(std::move(to)) {
    if (from_ != to_) table_ = to_->table_into(ex, *from_);
  }
  const TopologyPtr<D>& from() const { return from_; }
  const TopologyPtr<D>& to() const { return to_; }
  const int* table() const { return from_ == to_ ? to_->tile_set().neighbours : table_.data(); }

 private:
  TopologyPtr<D> from_, to_;
  std::vector<int> table_;
};

// A slab [tile][cell], cells in OpenVDB's leaf order (last axis fastest), and one tile of zeros.
template <class T, int D>
class Field {
 public:
  using Value = T;

  Field() = default;
  // Every cell starts at `background`, which is also what samplers find where no tile is.
  Field(Exec& ex, TopologyPtr<D> topology, T background = T(0))
      : Field(unfilled(ex, std::move(topology), background)) {
    fill(ex, background);
  }
  // For a stage that writes every cell itself.
  static Field unfilled(Exec& ex, TopologyPtr<D> topology, T background = T(0)) {
    Field f;
    f.background_ = background;
    f.data_ = ex.buffer<T>(std::size_t(topology->tile_count() + 1) * tile_cells<D>);
    std::fill_n(f.data_.end() - tile_cells<D>, tile_cells<D>, T(0));
    f.topology_ = std::move(topology);
    return f;
  }

  const TopologyPtr<D>& topology() const { return topology_; }
  T background() const { return background_; }
  void set_background(T value) { background_ = value; }
  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  std::size_t size() const { return std::size_t(topology_->tile_count()) * tile_cells<D>; }  // stored cells

  FieldView<T, D> view() { return FieldView<T, D>(data_.data()); }
  FieldView<const T, D> view() const { return FieldView<const T, D>(data_.data()); }
  // For kernels over another topology.
  CrossView<const T, D> view(const Crossing<D>& crossing) const {
    CHECK(crossing.from() == topology_, "the crossing starts at another topology");
    return CrossView<const T, D>(data_.data(), crossing.table());
  }

  CrossView<const T, D> view(Crossing<D>&&) const = delete;  // its table would not outlive the call

  void fill(Exec& ex, T value) {
    ex.parallel_for(std::int64_t(size()), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
      std::fill(data() + begin, data() + end, value);
    });
  }
  Field clone(Exec& ex) const {
    Field copy = unfilled(ex, topology_, background_);
    ex.parallel_for(std::int64_t(size()), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
      std::copy(data() + begin, data() + end, copy.data() + begin);
    });
    return copy;
  }

  // One cell at a time, for set-up, tests and export; kernels use views.
  T get(const Coord<D>& cell) const {
    const T* p = find(cell);
    return p ? *p : background_;
  }
  void set(const Coord<D>& cell, T value) {
    T* p = const_cast<T*>(find(cell));
    CHECK(p, "no tile holds cell ", cell);
    *p = value;
  }
  bool stores(const Coord<D>& cell) const { return find(cell) != nullptr; }

 private:
  const T* find(const Coord<D>& cell) const {
    Coord<D> tile, at;
    for (int a = 0; a < D; ++a) {
      at[a] = cell[a] & (tile_side - 1);
      tile[a] = (cell[a] - at[a]) / tile_side;
    }
    const int slot = topology_->map().find(topology_->domain().wrap_tile(tile));
    return slot < 0 ? nullptr : data_.data() + std::size_t(slot) * tile_cells<D> + cell_offset<D>(at);
  }

  TopologyPtr<D> topology_;
  Buffer<T> data_;
  T background_ = T(0);
};

// The staggered velocity (Harlow & Welch 1965): component a of a cell is on its low face along a.
template <class T, int D>
class MacField {
 public:
  MacField() = default;
  MacField(Exec& ex, const TopologyPtr<D>& topology, const Vec<T, D>& background = {}) {
    for (int a = 0; a < D; ++a) (*this)[a] = Field<T, D>(ex, topology, background[a]);
  }
  static MacField unfilled(Exec& ex, const TopologyPtr<D>& topology, const Vec<T, D>& background = {}) {
    MacField f;
    for (int a = 0; a < D; ++a) f[a] = Field<T, D>::unfilled(ex, topology, background[a]);
    return f;
  }

  Field<T, D>& operator[](int axis) { return components_[std::size_t(axis)]; }
  const Field<T, D>& operator[](int axis) const { return components_[std::size_t(axis)]; }
  const TopologyPtr<D>& topology() const { return (*this)[0].topology(); }
  Vec<T, D> background() const {
    Vec<T, D> b;
    for (int a = 0; a < D; ++a) b[a] = (*this)[a].background();
    return b;
  }

  MacView<T, D> view() {
    MacView<T, D> v;
    for (int a = 0; a < D; ++a) v.component[a] = (*this)[a].view();
    return v;
  }
  MacView<const T, D> view() const {
    MacView<const T, D> v;
    for (int a = 0; a < D; ++a) v.component[a] = (*this)[a].view();
    return v;
  }
  MacView<const T, D, CrossView> view(const Crossing<D>& crossing) const {
    MacView<const T, D, CrossView> v;
    for (int a = 0; a < D; ++a) v.component[a] = (*this)[a].view(crossing);
    return v;
  }
  MacView<const T, D, CrossView> view(Crossing<D>&&) const = delete;
  MacField clone(Exec& ex) const {
    MacField copy;
    for (int a = 0; a < D; ++a) copy[a] = (*this)[a].clone(ex);
    return copy;
  }

 private:
  std::array<Field<T, D>, D> components_;
};

}  // namespace whorl
