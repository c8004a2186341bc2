#include "stages/sides.h"

namespace whorl {

namespace {

// Calls f(axis, high, view of the faces, mask of those on that side) for each row that has some.
template <int D, class F>
void for_faces_on_sides(Exec& ex, MacField<float, D>& field, const F& f) {
  const Topology<D>& topology = *field.topology();
  const Domain<D>& domain = topology.domain();
  const TopologyView<D> cells = topology.view();
  const MacView<float, D> faces = field.view();
  for (int a = 0; a < D; ++a)
    for (int high = 0; high < 2; ++high) {
      const Side side = domain.sides[std::size_t(a)][std::size_t(high)];
      if (side != Side::wall && side != Side::inflow) continue;
      const int at = high ? domain.cells.hi[a] : domain.cells.lo[a];
      std::vector<int> list;
      for (int tile = 0; tile < topology.tile_count(); ++tile)
        if (topology.tiles()[std::size_t(tile)][a] == floor_div(at, tile_side)) list.push_back(tile);
      const TileSet<D> tiles{topology.tile_set().neighbours, int(list.size()), list.data()};
      for_rows(ex, tiles, [=](const RowIndex<D>& r) {
        const unsigned bits = bits_on_side(cells.tiles[r.tile], r, a, at) & cells.live_face_bits(r, a);
        if (bits) f(a, high, faces[a], r, Lane<float>::mask_from_bits(bits));
      });
    }
}

}  // namespace

template <int D>
void enforce_sides(Exec& ex, MacField<float, D>& velocity, const Inflow<D>& inflow) {
  const Zone zone(ex.profile(), "enforce_sides");
  const Domain<D> domain = velocity.topology()->domain();
  for_faces_on_sides(ex, velocity, [=](int a, int high, const auto& u, const RowIndex<D>& r, auto on_side) {
    const bool wall = domain.sides[std::size_t(a)][std::size_t(high)] == Side::wall;
    u.store(r, select(on_side, Lane<float>(wall ? 0.f : inflow.velocity[a][high][a]), u(r)));
  });
}

template <int D>
MacField<float, D> open_fraction(Exec& ex, const TopologyPtr<D>& topology) {
  const Zone zone(ex.profile(), "open_fraction");
  MacField<float, D> open = MacField<float, D>::unfilled(ex, topology);
  const MacView<float, D> w = open.view();
  const TopologyView<D> cells = topology->view();
  for_rows(ex, topology->tile_set(), [=](const RowIndex<D>& r) {
    for (int a = 0; a < D; ++a)
      w[a].store(r, select(Lane<float>::mask_from_bits(cells.live_face_bits(r, a)), Lane<float>(1.f),
                           Lane<float>(0.f)));
  });
  for_faces_on_sides(ex, open, [](int, int, const auto& f, const RowIndex<D>& r, auto on_side) {
    f.store(r, select(on_side, Lane<float>(0.f), f(r)));
  });
  return open;
}

template void enforce_sides(Exec&, MacField<float, 2>&, const Inflow<2>&);
template void enforce_sides(Exec&, MacField<float, 3>&, const Inflow<3>&);
template MacField<float, 2> open_fraction(Exec&, const TopologyPtr<2>&);
template MacField<float, 3> open_fraction(Exec&, const TopologyPtr<3>&);

}  // namespace whorl
