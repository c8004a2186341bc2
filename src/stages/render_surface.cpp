#include "stages/render_surface.h"

#include "base/check.h"
#include "particles/particles_near.h"
#include "stages/liquid_thickness.h"
#include "stages/match_volume.h"
#include "stages/render_phi.h"
#include "stages/smooth_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace whorl {

namespace {

constexpr int finest = 4;      // of the refinements
constexpr double alone = 0.8;  // cells: others count as near a particle within this
// For the filter: what the mean of the particles in a ball and the end of the band lose goes as one over the
// ball's radius, and so does what the filter puts back. Measured on balls of 3 to 15 cells.
constexpr float restored = 2.5f;

// Which particles have too few others near them for the grid to show them as more than drops.
std::vector<std::uint8_t> find_lone(Exec& ex, const ParticleSet<3>& p, const Field<float, 3>& thick, int r) {
  const int enough = std::max(2, finest - r + 1);
  std::vector<std::uint8_t> lone(std::size_t(p.size()), 0);
  ex.parallel_for(p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t)
      for (int c = 0; c < tile_cells<3>; ++c) {
        const std::uint32_t* first = p.first.data() + std::size_t(t) * tile_cells<3> + std::size_t(c);
        const Coord<3> at{c / 64, c / 8 % 8, c % 8};
        const Coord<3> cell = p.topology->tiles()[std::size_t(t)] * tile_side + at;
        if (first[0] == first[1] || thick.get(cell) >= 0.5f) continue;
        const Box<3> box{cell - Coord<3>::filled(1), cell + Coord<3>::filled(2)};
        for (std::uint32_t i = first[0]; i < first[1]; ++i) {
          Vec<float, 3> x;
          for (int a = 0; a < 3; ++a) x[a] = p.position[std::size_t(a)][i] - float(at[a] - 1);
          int found = 0;
          for_cells_near(p, box,
                         [&](const Coord<3>&, std::uint32_t from, std::uint32_t to, const Vec<float, 3>& sign,
                             const Vec<float, 3>& origin) {
                           for (std::uint32_t j = from; j < to && found < enough; ++j) {
                             float square = 0;
                             for (int a = 0; a < 3; ++a) {
                               const float d = origin[a] + sign[a] * p.position[std::size_t(a)][j] - x[a];
                               square += d * d;
                             }
                             found += j != i && square < float(alone * alone);
                           }
                         });
          lone[i] = found < enough;
        }
      }
  });
  return lone;
}

// The tiles of cells of h / r in reach of a particle; and their images beyond the sides, for as far as the
// filter looks.
std::vector<Coord<3>> fine_tiles(Exec& ex, const ParticleSet<3>& p, int r, int beyond) {
  const int side = r + 2;  // tiles in reach of a tile's particles, along an axis
  const auto tiles_along = [&](int first, int last) {
    return std::pair(floor_div(first * r - render_reach * r, tile_side),
                     floor_div((last + 1) * r - 1 + render_reach * r, tile_side));
  };
  std::vector<std::vector<Coord<3>>> found(std::size_t(p.topology->tile_count()));
  ex.parallel_for(p.topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      std::vector<std::uint8_t> marked(std::size_t(side) * std::size_t(side) * std::size_t(side), 0);
      const std::uint32_t* first = p.first.data() + std::size_t(t) * tile_cells<3>;
      for (int c = 0; c < tile_cells<3>; ++c) {
        if (first[c] == first[c + 1]) continue;
        const int at[3] = {c / 64, c / 8 % 8, c % 8};
        Box<3> box;
        for (int a = 0; a < 3; ++a) {
          const auto [lo, hi] = tiles_along(at[a], at[a]);
          box.lo[a] = lo + 1;
          box.hi[a] = hi + 2;
        }
        for_each_coord(
            box, [&](const Coord<3>& n) { marked[std::size_t((n[0] * side + n[1]) * side + n[2])] = 1; });
      }
      const Coord<3> corner = p.topology->tiles()[std::size_t(t)] * r - Coord<3>::filled(1);
      auto mark = marked.begin();
      for_each_coord(Box<3>{{}, Coord<3>::filled(side)}, [&](const Coord<3>& n) {
        if (*mark++) found[std::size_t(t)].push_back(corner + n);
      });
    }
  });
  std::vector<Coord<3>> tiles;
  for (const auto& some : found) tiles.insert(tiles.end(), some.begin(), some.end());
  const auto unique = [&] {
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  };
  unique();
  const Domain<3>& domain = p.topology->domain();
  for (int a = 0; a < 3; ++a) {
    const std::int64_t lo = std::int64_t(domain.cells.lo[a]) * r, hi = std::int64_t(domain.cells.hi[a]) * r;
    const std::int64_t period = hi - lo;
    const std::size_t count = tiles.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t first = tiles[k][a] * tile_side, end = first + tile_side;
      // Where the tile's cells are seen across the low and the high side.
      const std::pair<std::int64_t, std::int64_t> images[2] = {
          domain.periodic(a) ? std::pair(first - period, end - period)
                             : std::pair(2 * lo - end, 2 * lo - first),
          domain.periodic(a) ? std::pair(first + period, end + period)
                             : std::pair(2 * hi - end, 2 * hi - first)};
      for (const auto& [from, to] : images) {
        if (to <= lo - beyond || from >= hi + beyond) continue;
        for (int n = floor_div(int(from), tile_side); n <= floor_div(int(to - 1), tile_side); ++n) {
          tiles.push_back(tiles[k]);
          tiles.back()[a] = n;
        }
      }
    }
    unique();
  }
  return tiles;
}

Domain<3> refined(Domain<3> domain, int r) {
  for (int a = 0; a < 3; ++a)
    for (int* end : {&domain.cells.lo[a], &domain.cells.hi[a]})
      *end = std::abs(*end) >= Domain<3>::far_away / r ? *end : *end * r;
  return domain;
}

// Drops: those alone, and those of thin parts that have no cell of phi inside next to them, because its grid
// is too coarse for them.
std::vector<std::uint32_t> find_drops(Exec& ex, const ParticleSet<3>& p, const Field<float, 3>& phi,
                                      const Field<float, 3>& thick, const std::vector<std::uint8_t>& lone,
                                      int r) {
  std::vector<std::uint8_t> drop(lone);
  const Box<3>& cells = phi.topology()->domain().cells;
  ex.parallel_for(p.topology->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const Coord<3> corner = p.topology->tiles()[std::size_t(t)] * tile_side;
      for (std::uint32_t i = p.tile_begin(int(t)); i < p.tile_end(int(t)); ++i) {
        Coord<3> cell, low;
        for (int a = 0; a < 3; ++a) {
          const float x = p.position[std::size_t(a)][i];
          cell[a] = corner[a] + int(x);
          low[a] = corner[a] * r + int(std::floor(x * float(r) - 0.5f));
        }
        if (drop[i] || thick.get(cell) >= 0.5f) continue;
        bool out = true;
        for_each_coord(Box<3>{low, low + Coord<3>::filled(2)}.intersect(cells),
                       [&](const Coord<3>& c) { out = out && phi.get(c) >= 0; });
        drop[i] = out;
      }
    }
  });
  std::vector<std::uint32_t> drops;
  for (std::size_t i = 0; i < drop.size(); ++i)
    if (drop[i]) drops.push_back(std::uint32_t(i));
  return drops;
}

}  // namespace

double drop_radius(const RenderSurfaceParams& params) {
  return params.h * std::cbrt(3 / (4 * std::numbers::pi * params.per_cell));
}

RenderSurface render_surface(Exec& ex, const ParticleSet<3>& p, const RenderSurfaceParams& params) {
  const Zone zone(ex.profile(), "render_surface");
  const int r = params.refinement;
  CHECK(r >= 1 && r <= finest, "a refinement of ", r);
  const float h = float(params.h);
  if (p.size() == 0)
    return {
        Field<float, 3>(
            ex, Topology<3>::of_tiles(ex, p.topology ? refined(p.topology->domain(), r) : Domain<3>{}, {}),
            render_band * h),
        {}};
  const Field<float, 3> thick = liquid_thickness(ex, p, params.per_cell);
  const std::vector<std::uint8_t> lone = find_lone(ex, p, thick, r);
  const int beyond = render_reach * r + smoothing_reach(params.smoothing * r);
  const auto space = Topology<3>::of_tiles(ex, {}, fine_tiles(ex, p, r, beyond));

  // Less the render_band, so that it is 0 where no tile is.
  Field<float, 3> all = Field<float, 3>::unfilled(ex, space), part = Field<float, 3>::unfilled(ex, space);
  const RenderPhi fine(p, r, params.per_cell, thick, lone);
  ex.parallel_for(space->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t)
      fine.tile(space->tiles()[std::size_t(t)], all.data() + t * tile_cells<3>,
                part.data() + t * tile_cells<3>);
  });
  smooth_field(ex, all, part, {.width = params.smoothing * r, .b = restored});
  match_volume(ex, all, render_band, p, thick.topology(), lone,
               {.refinement = r, .per_cell = params.per_cell});

  std::vector<Coord<3>> tiles(space->tiles().begin(), space->tiles().end());
  const Domain<3> domain = refined(p.topology->domain(), r);
  std::erase_if(tiles, [&](const Coord<3>& tile) {
    return Box<3>{tile * tile_side, tile * tile_side + Coord<3>::filled(tile_side)}
        .intersect(domain.cells)
        .empty();
  });
  RenderSurface surface{
      Field<float, 3>(ex, Topology<3>::of_tiles(ex, domain, std::move(tiles)), render_band * h), {}};
  const Topology<3>& topology = *surface.phi.topology();
  ex.parallel_for(topology.tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const int slot = space->map().find(topology.tiles()[std::size_t(t)]);
      if (slot < 0) continue;
      const float* from = all.data() + std::size_t(slot) * tile_cells<3>;
      float* to = surface.phi.data() + t * tile_cells<3>;
      for (int c = 0; c < tile_cells<3>; ++c) to[c] = h * (from[c] + render_band);
    }
  });
  surface.drops = find_drops(ex, p, surface.phi, thick, lone, r);
  return surface;
}

}  // namespace whorl
