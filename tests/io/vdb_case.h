// A snapshot with a handful of irregular tiles on both sides of zero, for what writes and reads VDB files.
#pragma once

#include "base/rng.h"
#include "grid/snapshot.h"

#include <vector>

namespace whorl {

template <int D>
struct VdbCase {
  Exec& ex;
  TopologyPtr<D> topology;
  Field<float, D> density, temperature;
  MacField<float, D> velocity;

  explicit VdbCase(Exec& exec) : VdbCase(exec, ragged(exec)) {}
  // Every stored cell gets a value, active or not, so that one written by mistake shows.
  VdbCase(Exec& exec, TopologyPtr<D> cells)
      : ex(exec), topology(std::move(cells)), density(ex, topology, 0.f), temperature(ex, topology, 290.f) {
    Vec<float, D> wind;
    for (int a = 0; a < D; ++a) wind[a] = 0.5f + float(a);
    velocity = MacField<float, D>(ex, topology, wind);
    Rng rng(7, D);
    for (std::size_t i = 0; i < density.size(); ++i) {
      if (rng.uniform() < 0.6f) density.data()[i] = rng.uniform(0.01f, 3.f);
      if (rng.uniform() < 0.5f) temperature.data()[i] = rng.uniform(250.f, 1500.f);
      for (int a = 0; a < D; ++a) velocity[a].data()[i] = rng.uniform(-4.f, 4.f);
    }
    // One tile is all background.
    std::fill_n(density.data(), tile_cells<D>, density.background());
  }

  Snapshot<D> snapshot() const {
    Snapshot<D> s;
    s.frame = 12;
    s.time = 12 / 23.976;
    s.fps = 23.976;
    for (int a = 0; a < D; ++a) s.origin[a] = -0.3 + 0.7 * a;
    s.h = 0.05;
    s.scalars = {{"density", &density}, {"temperature", &temperature}};
    s.velocity = &velocity;
    return s;
  }

  bool is_active(const Coord<D>& cell) const {
    Coord<D> tile, at;
    for (int a = 0; a < D; ++a) {
      tile[a] = floor_div(cell[a], tile_side);
      at[a] = cell[a] - tile[a] * tile_side;
    }
    const int slot = topology->map().find(topology->domain().wrap_tile(tile));
    if (slot < 0) return false;
    const auto row = std::size_t(slot) * tile_rows<D> + std::size_t(cell_offset<D>(at) / tile_side);
    return topology->active()[row] >> at[D - 1] & 1;
  }

  // Every stored cell.
  template <class F>
  void for_each_cell(const F& f) const {
    for (const Coord<D>& tile : topology->tiles())
      for_each_coord<D>({tile * tile_side, tile * tile_side + Coord<D>::filled(tile_side)}, f);
  }

 private:
  static TopologyPtr<D> ragged(Exec& ex) {
    std::vector<Coord<D>> tiles;
    for (const int along : {-40, -3, -1, 0, 5, 517}) {
      tiles.push_back(Coord<D>::unit(0, along));
      tiles.push_back(Coord<D>::unit(D - 1, -2) + Coord<D>::unit(0, along));
    }
    std::vector<std::uint8_t> active(tiles.size() * tile_rows<D>);
    Rng rng(3, D);
    for (std::uint8_t& row : active) row = std::uint8_t(rng.bits());
    return Topology<D>::of_cells(ex, {}, tiles, active);
  }
};

}  // namespace whorl
