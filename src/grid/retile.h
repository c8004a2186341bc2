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

// Some cells of a topology: a byte a row, a bit a cell.
template <int D>
struct CellMask {
  TopologyPtr<D> topology;
  Buffer<std::uint8_t> rows;
};

// The active cells for which condition(index) holds; it returns a lane's mask.
template <int D, class Condition>
CellMask<D> cells_where(Exec& ex, const TopologyPtr<D>& topology, const Condition& condition) {
  CellMask<D> mask{topology, ex.buffer<std::uint8_t>(std::size_t(topology->tile_count()) * tile_rows<D>)};
  std::uint8_t* rows = mask.rows.data();
  const TopologyView<D> cells = topology->view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    rows[std::size_t(r.tile) * tile_rows<D> + std::size_t(r.offset() / tile_side)] =
        std::uint8_t(cells.active_bits(r) & bits(condition(r)));
  });
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
