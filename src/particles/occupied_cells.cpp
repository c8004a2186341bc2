#include "particles/occupied_cells.h"

#include "base/check.h"

namespace whorl {

template <int D>
CellMask<D> occupied_cells(Exec& ex, const ParticleSet<D>& p, const CellMask<D>& more) {
  CHECK(!more.topology || more.topology == p.topology, "the cells live on another topology");
  CellMask<D> occupied = empty_mask(ex, p.topology);
  const auto store = occupied.store();
  const std::uint8_t* besides = more.topology ? more.rows.data() : occupied.rows.data();
  const std::uint32_t* first = p.first.data();
  for_rows(ex, p.topology->tile_set(), [=](const RowIndex<D>& r) {
    const std::size_t at = std::size_t(r.tile) * tile_cells<D> + std::size_t(r.offset());
    const std::uint32_t* cell = first + at;
    unsigned bits = besides[at / tile_side];
    for (int k = 0; k < tile_side; ++k) bits |= unsigned(cell[k] < cell[k + 1]) << k;
    store(r, bits);
  });
  return occupied;
}

template CellMask<2> occupied_cells(Exec&, const ParticleSet<2>&, const CellMask<2>&);
template CellMask<3> occupied_cells(Exec&, const ParticleSet<3>&, const CellMask<3>&);

}  // namespace whorl
