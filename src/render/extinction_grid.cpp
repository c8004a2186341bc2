#include "render/extinction_grid.h"

#include "exec/shapes.h"

namespace whorl {
namespace {

constexpr double most_cubes = 1 << 20;

// How many cells a side of the grid's cubes spans: a power of two. Chosen by what is framed, so that shadows
// are as fine as the picture and stay so; coarser only for smoke that reaches far beyond it.
int cells_a_cube(const Snapshot<3>& snapshot, const Bounds<3>& framed, const Box<3>& cells) {
  double shown = 1, all = 1;
  for (int a = 0; a < 3; ++a) {
    shown *= (framed.hi[a] - framed.lo[a]) / snapshot.h;
    all *= cells.hi[a] - cells.lo[a];
  }
  int cube = 1;
  while (std::max(shown, all / 4) > most_cubes * std::pow(cube, 3)) cube *= 2;
  return cube;
}

}  // namespace

DenseGrid<float> extinction_grid(Exec& ex, const Snapshot<3>& snapshot, const Bricks<3>& density,
                                 double unit_extinction, const Bounds<3>& framed) {
  const Zone zone(ex.profile(), "extinction_grid");
  const Box<3> cells{density.tile_bounds().lo * tile_side, density.tile_bounds().hi * tile_side};
  const int cube = cells_a_cube(snapshot, framed, cells);
  Coord<3> first, size;
  Point origin;
  for (int a = 0; a < 3; ++a) {
    first[a] = floor_div(cells.lo[a], cube) - 1;
    size[a] = floor_div(cells.hi[a] - 1, cube) + 2 - first[a];
    origin[a] = snapshot.origin[a] + first[a] * cube * snapshot.h;
  }
  DenseGrid<float> grid(origin, cube * snapshot.h, size);
  const float scale = float(unit_extinction / std::pow(cube, 3));
  // Within a tile's own cubes nobody else writes; cubes larger than that are filled by one chunk.
  const std::int64_t count = std::int64_t(density.tiles().size());
  const auto add_tile = [&](std::size_t k) {
    const float* values = density.values(int(k));
    const Coord<3> corner = density.tiles()[k] * tile_side;
    for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& at) {
      Coord<3> to;
      std::size_t from = 0;
      for (int a = 0; a < 3; ++a) {
        to[a] = floor_div(corner[a] + at[a], cube) - first[a];
        from = from * Bricks<3>::side + std::size_t(at[a] + Bricks<3>::pad);
      }
      grid.values[grid.offset(to)] += scale * std::max(values[from], 0.f);
    });
  };
  ex.parallel_for(count, cube <= tile_side ? tiles_per_chunk<3> : count,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t k = begin; k < end; ++k) add_tile(std::size_t(k));
                  });
  return grid;
}

void add_solids(Exec& ex, DenseGrid<float>& extinction, const Solids& solids) {
  const Zone zone(ex.profile(), "add_solids");
  const float opaque = float(8 / extinction.cell);
  ex.parallel_for(extinction.size[0], 1, [&](std::int64_t x, std::int64_t) {
    for (int y = 0; y < extinction.size[1]; ++y) {
      float inside = 0;
      for (int z = 0, next = 0; z < extinction.size[2]; ++z) {
        const Coord<3> at{int(x), y, z};
        if (z == next) {
          const double d = solids.distance(extinction.centre(at)) / extinction.cell;
          inside = float(std::clamp(0.5 - d, 0., 1.));
          // No surface is nearer than that: as much as half a cube further, nothing changes.
          next = z + std::max(1, int(std::min(std::abs(d) + 0.5, 1e6)));
        }
        extinction.values[extinction.offset(at)] += opaque * inside;
      }
    }
  });
}

}  // namespace whorl
