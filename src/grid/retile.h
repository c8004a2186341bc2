// Retiling: the grid follows the fluid.
//
// Tiles within `reach` cells of a cell that holds fluid exist. One that exists already stays until
// fluid is `reach + hysteresis` cells away, so that a topology lasts for several steps; one that did
// not change keeps its pointer.
#pragma once

#include "exec/shapes.h"
#include "grid/field.h"
#include "grid/topology.h"

#include <span>

namespace whorl {

// Some cells (or low faces) of a topology: a byte a row, a bit a cell, and one tile more, all zero.
template <int D>
struct CellMask {
  TopologyPtr<D> topology;
  Buffer<std::uint8_t> rows;

  // Reads like the active cells of a topology.
  TopologyView<D> view() const { return {rows.data(), topology->view().tiles}; }
  bool has(std::size_t cell) const { return rows[cell / tile_side] >> cell % tile_side & 1; }  // [tile][cell]
  // A function that sets the bits of a row.
  auto store() {
    return [data = rows.data()](const RowIndex<D>& r, unsigned bits) {
      data[std::size_t(r.tile) * tile_rows<D> + std::size_t(r.offset() / tile_side)] = std::uint8_t(bits);
    };
  }
};

template <int D>
CellMask<D> empty_mask(Exec& ex, const TopologyPtr<D>& topology) {
  CellMask<D> mask{topology, ex.buffer<std::uint8_t>(std::size_t(topology->tile_count() + 1) * tile_rows<D>)};
  std::fill(mask.rows.begin(), mask.rows.end(), std::uint8_t(0));
  return mask;
}

// The active cells for which condition(index) holds; it returns a lane's mask.
template <int D, class Condition>
CellMask<D> cells_where(Exec& ex, const TopologyPtr<D>& topology, const Condition& condition) {
  CellMask<D> mask = empty_mask(ex, topology);
  const auto store = mask.store();
  const TopologyView<D> cells = topology->view();
  for_rows(ex, topology->tile_set(),
           [=](const RowIndex<D>& r) { store(r, cells.active_bits(r) & bits(condition(r))); });
  return mask;
}

struct RetileParams {
  int reach = 4;       // cells
  int hysteresis = 4;  // cells
};

// `always`: boxes of cells that count as fluid whether they hold any or not, such as those of sources.
template <int D>
TopologyPtr<D> retile(Exec& ex, const TopologyPtr<D>& current, const CellMask<D>& fluid,
                      const RetileParams& params, std::span<const Box<D>> always = {});

// The field on another topology: copied where both have a tile, the background elsewhere.
template <class T, int D>
Field<T, D> carry_over(Exec& ex, const Field<T, D>& field, const Crossing<D>& crossing);

}  // namespace whorl
