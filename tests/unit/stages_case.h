// Small grids and fields that the tests of the stages share.
#pragma once

#include "base/rng.h"
#include "grid/field.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace whorl {

template <class T>
class Stages : public testing::Test {
 public:
  static constexpr int dimension = T::value;
  Exec ex{{.threads = 2}};
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Stages, Dimensions);

template <int D>
void randomise(MacField<float, D>& u, std::uint64_t seed) {
  for (int a = 0; a < D; ++a)
    for (std::size_t k = 0; k < u[a].size(); ++k)
      u[a].data()[k] = Rng(seed + std::uint64_t(a), k).uniform(-1, 1);
}

template <int D>
Domain<D> mixed_domain() {  // walls below and above the first axis, open and inflow along the others
  Domain<D> domain = box_domain<D>({Coord<D>::filled(-4), Coord<D>::filled(16)}, Side::open);
  domain.sides[0] = {Side::wall, Side::wall};
  domain.sides[1] = {Side::inflow, Side::open};
  return domain;
}

template <int D, class F>
void for_active_cells(const Topology<D>& topology, const F& f) {
  for (int tile = 0; tile < topology.tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const CellIndex<D> i{tile, topology.tile_set().neighbours + tile * neighbourhood<D>, at};
      if (topology.view().active_bits(i)) f(topology.tiles()[std::size_t(tile)] * tile_side + at);
    });
}

}  // namespace whorl
