// A pressure system with some of everything: walls, cut faces, holes of air, closed cells, and tiles that are
// deep, plain and stored.
#pragma once

#include "base/rng.h"
#include "linear/pressure_system.h"
#include "stages/sides.h"

#include <algorithm>

namespace whorl {

enum class SystemKind {
  open_sides,  // two sides of the domain and holes lead to air, one cell away
  surface,     // and the liquid's surface cuts links
  floating,    // nothing leads to air
};

// f(index, cell) for every cell of the tiles with active cells.
template <int D, class F>
void for_system_cells(const Topology<D>& topology, const F& f) {
  const TileSet<D> tiles = topology.active_tile_set();
  for (int k = 0; k < tiles.count; ++k) {
    const int tile = tiles.tile(k);
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      f(CellIndex<D>{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, at},
        topology.tiles()[std::size_t(tile)] * tile_side + at);
    });
  }
}

// Random on the unknowns, zero elsewhere.
template <class T, int D>
Field<T, D> random_unknowns(Exec& ex, const PressureSystem<D>& system, std::uint64_t seed) {
  Field<T, D> x(ex, system.topology);
  const SystemView<D> view = system.view();
  std::uint64_t id = 0;
  for_system_cells(*system.topology, [&](const CellIndex<D>& i, const Coord<D>&) {
    const float value = Rng(seed, id++).uniform(-1, 1);
    if (view.diagonal(i) > 0) x.view().store(i, T(value));
  });
  return x;
}

template <int D>
class SystemCase {
 public:
  // The cells of this plane are air, and the faces on its low side three quarters open: that is a conductance
  // of just one on the next coarser grid.
  static constexpr int slit = 2;

  TopologyPtr<D> topology;
  PressureSystem<D> system;

  SystemCase(Exec& ex, SystemKind kind) : kind_(kind) {
    const Box<D> cells{Coord<D>::filled(-3), Coord<D>::filled(D == 2 ? 61 : 37)};
    Domain<D> domain = box_domain<D>(cells, Side::wall);
    if (kind != SystemKind::floating) domain.sides[0][0] = domain.sides[D - 1][1] = Side::open;
    const auto box = Topology<D>::of_box(ex, domain);
    std::vector<std::uint8_t> active(box->active().begin(), box->active().end());
    for (std::size_t tile = 0; tile < box->tiles().size(); ++tile)
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        if (is_hole(box->tiles()[tile] * tile_side + at))
          active[tile * tile_rows<D> + std::size_t(cell_offset<D>(at) / tile_side)] &=
              std::uint8_t(~(1u << at[D - 1]));
      });
    topology = Topology<D>::of_cells(ex, domain, {box->tiles().begin(), box->tiles().end()}, active);

    MacField<float, D> open = open_fraction(ex, topology);
    for (int a = 0; a < D; ++a)
      for_each_coord(Box<D>{cells.lo, cells.hi + Coord<D>::unit(a)}, [&](const Coord<D>& c) {
        if (open[a].stores(c) && open[a].get(c) > 0) open[a].set(c, fraction(a, c));
      });
    Field<float, D> surface;
    if (kind == SystemKind::surface) {
      surface = Field<float, D>(ex, topology, 0.5f);
      for_each_coord(cells, [&](const Coord<D>& c) {
        if (!surface.stores(c)) return;
        const bool air = draw(1, c) < 0.1 && !near_core(c) && !in_band(c);
        surface.set(c, float(air ? 0.1 + draw(2, c) : -0.2 - draw(2, c)));
      });
    }
    system = pressure_system(ex, std::move(open), std::move(surface));
  }

 private:
  static double draw(std::uint64_t seed, const Coord<D>& c) {
    std::uint64_t id = 0;
    for (int a = 0; a < D; ++a) id = id * 256 + std::uint64_t(c[a] + 64);
    return double(Rng(seed, id).uniform(0, 1));
  }
  static Coord<D> tile_of(Coord<D> c) {
    for (int a = 0; a < D; ++a) c[a] = floor_div(c[a], tile_side);
    return c;
  }
  // A tile and those across its faces are left alone, so that it is deep and they are plain.
  static bool in_core(const Coord<D>& c) {
    int steps = 0;
    for (int a = 0; a < D; ++a) steps += std::abs(tile_of(c)[a] - (D == 2 ? 4 : 2));
    return steps <= 1;
  }
  static bool near_core(const Coord<D>& c) {
    bool near = in_core(c);
    for (int a = 0; a < D; ++a)
      near = near || in_core(c + Coord<D>::unit(a)) || in_core(c - Coord<D>::unit(a));
    return near;
  }
  static bool in_band(const Coord<D>& c) { return c[0] >= slit - 3 && c[0] <= slit + 1; }
  bool is_hole(const Coord<D>& c) const {
    if (in_band(c)) return c[0] == slit && kind_ != SystemKind::floating;
    return draw(3, c) < 0.02 && !near_core(c);
  }
  static bool is_closed(const Coord<D>& c) { return draw(4, c) < 0.02 && !near_core(c) && !in_band(c); }

  // Of a low face. Some tiles have walls, some cuts and walls, and some neither.
  float fraction(int a, const Coord<D>& c) const {
    const Coord<D> below = c - Coord<D>::unit(a);
    if (in_core(c) || in_core(below)) return 1;
    if (is_closed(c) || is_closed(below)) return 0;
    if (kind_ == SystemKind::floating && (is_hole(c) || is_hole(below))) return 0;
    if (in_band(c) || in_band(below)) return a == 0 && c[0] == slit ? 0.75f : 1.f;
    const double kind = draw(5, tile_of(c)), x = draw(6 + std::uint64_t(a), c);
    if (kind > 0.7) return 1;
    if (x < 0.1) return 0;
    return kind < 0.35 && x < 0.4 ? float(0.1 + 0.9 * draw(10 + std::uint64_t(a), c)) : 1.f;
  }

  SystemKind kind_;
};

}  // namespace whorl
