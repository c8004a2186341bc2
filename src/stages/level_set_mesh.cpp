#include "stages/level_set_mesh.h"

#include "exec/shapes.h"
#include "grid/field_sampler.h"
#include "stages/liquid_mesh.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {

namespace {

constexpr double band = 1.5;  // cells of air next to the liquid that the mesh is made from

Domain<3> refined(Domain<3> domain, int r) {
  for (int a = 0; a < 3; ++a)
    for (int* end : {&domain.cells.lo[a], &domain.cells.hi[a]})
      *end = std::abs(*end) >= Domain<3>::far_away / r ? *end : *end * r;
  return domain;
}

// The tiles of finer cells that are in the liquid or near it.
std::vector<Coord<3>> fine_tiles(const Field<float, 3>& phi, double h, int r) {
  const Topology<3>& topology = *phi.topology();
  std::vector<Coord<3>> tiles;
  for (int tile = 0; tile < topology.tile_count(); ++tile) {
    const float* value = phi.data() + std::size_t(tile) * tile_cells<3>;
    if (std::none_of(value, value + tile_cells<3>, [&](float v) { return double(v) < band * h; })) continue;
    const Coord<3> first = topology.tiles()[std::size_t(tile)] * r;
    for_each_coord(Box<3>{first, first + Coord<3>::filled(r)},
                   [&](const Coord<3>& t) { tiles.push_back(t); });
  }
  const Domain<3> domain = refined(topology.domain(), r);
  std::erase_if(tiles, [&](const Coord<3>& tile) {
    return Box<3>{tile * tile_side, tile * tile_side + Coord<3>::filled(tile_side)}
        .intersect(domain.cells)
        .empty();
  });
  std::sort(tiles.begin(), tiles.end());
  return tiles;
}

}  // namespace

SurfaceMesh level_set_mesh(Exec& ex, const Field<float, 3>& phi, const MacField<float, 3>& velocity,
                           std::span<const Shape<3>> solids, const LevelSetMeshParams& params) {
  const Zone zone(ex.profile(), "level_set_mesh");
  const int r = params.refinement;
  const double fine_h = params.h / r;
  const float air = float(band * params.h);
  const Domain<3>& domain = phi.topology()->domain();
  const auto topology = Topology<3>::of_tiles(ex, refined(domain, r), fine_tiles(phi, params.h, r));
  Field<float, 3> fine(ex, topology, air);
  const HashSampler<3> sampler = hash_sampler(phi, scalar_boundary(domain, air, air).outward());
  ex.parallel_for(topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const Coord<3> first = topology->tiles()[std::size_t(tile)] * tile_side;
      float* out = fine.data() + std::size_t(tile) * tile_cells<3>;
      for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& at) {
        Coord<3> cell;
        Vec<float, 3> d;
        Vec<double, 3> place;
        for (int a = 0; a < 3; ++a) {
          const double x = (first[a] + at[a] + 0.5) / r;
          cell[a] = int(std::floor(x));
          d[a] = float(x - cell[a] - 0.5);
          place[a] = x * params.h;
        }
        float value = sample<CatmullRom, 3>(sampler, cell, d);
        for (const Shape<3>& solid : solids) value = std::max(value, -float(solid.distance(place)));
        out[cell_offset<3>(at)] = std::min(value, air);
      });
    }
  });
  SurfaceMesh surface;
  surface.mesh = surface_mesh(ex, fine, fine_h);
  set_velocity(ex, surface, velocity, params.h);
  return surface;
}

}  // namespace whorl
