#include "stages/match_volume.h"

#include "exec/shapes.h"
#include "particles/particles_near.h"
#include "stages/between_cells.h"
#include "stages/smooth_field.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;

constexpr float faint = 0.05f;  // area a cell, of h²: of less a surface is not moved for the volume's sake

// Of each cell, what part is inside, and how fast that grows as phi sinks. Like the triangles of a mesh it
// goes by the places where phi, linear between centres, is 0: along the axis on which it changes most.
struct Inside {
  Field<float, 3> part, growth;

  Inside(Exec& ex, const Field<float, 3>& phi, float outside)
      : part(Field<float, 3>::unfilled(ex, phi.topology())),
        growth(Field<float, 3>::unfilled(ex, phi.topology())) {
    const FieldView<float, 3> p = part.view(), g = growth.view();
    const FieldView<const float, 3> stored = phi.view();
    const Real none(0.f), half(0.5f), one(1.f), level(outside);
    for_rows(ex, phi.topology()->tile_set(), [=](const RowIndex<3>& r) {
      const Real here = stored(r) + level;
      Real low = here, high = here;
      for (int a = 0; a < 3; ++a) {
        const Real before = stored(r, a, -1) + level, after = stored(r, a, +1) + level;
        const auto steeper = abs(after - before) > abs(high - low);
        low = select(steeper, before, low);
        high = select(steeper, after, high);
      }
      Real inside(0.f), grows(0.f);
      for (const Real& there : {low, high}) {  // half the way to each neighbour
        const Real slope = abs(there - here), end = half * (here + there);
        const Real crossed = min(abs(here) / max(slope, Real(1e-6f)), half);
        const auto within = here * end < none;
        inside +=
            select(within, select(here < none, crossed, half - crossed), select(here < none, half, none));
        grows += select(within, one / max(slope, Real(1e-6f)), none);
      }
      p.store(r, inside);
      g.store(r, grows);
    });
  }
};

// What there is in each of the particles' cells.
struct Contents {
  Field<float, 3> lack;  // of volume, particles less surface, cells
  Field<float, 3> area;  // of the surface, cells²
};

// Adds up a tile of fine cells, of which each has a volume of 1 / r³.
void take_off(const float* inside, const float* growth, const Coord<3>& first, int r, float* lack,
              float* area) {
  const float volume = 1 / float(r * r * r);
  for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)}, [&](const Coord<3>& c) {
    Coord<3> at;
    for (int a = 0; a < 3; ++a) at[a] = (first[a] + c[a]) / r;
    lack[cell_offset<3>(at)] -= volume * *inside++;
    area[cell_offset<3>(at)] += volume * *growth++;
  });
}

Contents contents(Exec& ex, const Field<float, 3>& phi, float outside, const ParticleSet<3>& p,
                  const TopologyPtr<3>& coarse, const std::vector<std::uint8_t>& left_out,
                  const MatchVolumeParams& params) {
  const Inside surface(ex, phi, outside);
  Contents found{Field<float, 3>::unfilled(ex, coarse), Field<float, 3>(ex, coarse)};
  const int r = params.refinement;
  ex.parallel_for(coarse->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const Coord<3> tile = coarse->tiles()[std::size_t(t)], lo = tile * tile_side;
      float* lack = found.lack.data() + t * tile_cells<3>;
      float* next = lack;
      for_cells_near(p, Box<3>{lo, lo + Coord<3>::filled(tile_side)},
                     [&](const Coord<3>&, std::uint32_t from, std::uint32_t to, const auto&, const auto&) {
                       int count = 0;
                       for (std::uint32_t i = from; i < to; ++i) count += !left_out[i];
                       *next++ = float(double(count) / params.per_cell);
                     });
      for_each_coord(Box<3>{{}, Coord<3>::filled(r)}, [&](const Coord<3>& n) {
        const int slot = phi.topology()->map().find(tile * r + n);
        if (slot < 0) return;
        const std::size_t place = std::size_t(slot) * tile_cells<3>;
        take_off(surface.part.data() + place, surface.growth.data() + place, n * tile_side, r, lack,
                 found.area.data() + t * tile_cells<3>);
      });
    }
  });
  return found;
}

// Takes away from phi what `far` says at its cells, between the centres of the particles' cells.
void move_out(Exec& ex, Field<float, 3>& phi, const Field<float, 3>& far, int r) {
  const auto& tiles = phi.topology()->tiles();
  ex.parallel_for(phi.topology()->tile_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const BetweenCells between(far, tiles[std::size_t(t)], r);
      float* out = phi.data() + t * tile_cells<3>;
      for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)},
                     [&](const Coord<3>& c) { *out++ -= between.at(c); });
    }
  });
}

}  // namespace

void match_volume(Exec& ex, Field<float, 3>& phi, float outside, const ParticleSet<3>& p,
                  const TopologyPtr<3>& coarse, const std::vector<std::uint8_t>& left_out,
                  const MatchVolumeParams& params) {
  const Zone zone(ex.profile(), "match_volume");
  Contents found = contents(ex, phi, outside, p, coarse, left_out, params);
  blur_field(ex, found.lack, params.width);
  blur_field(ex, found.area, params.width);
  const FieldView<float, 3> lack = found.lack.view();
  const FieldView<const float, 3> area = std::as_const(found.area).view();
  const Real least(faint * faint), most(float(params.most));
  for_rows(ex, coarse->tile_set(), [=](const RowIndex<3>& row) {
    const Real a = area(row), way = lack(row) * a / (a * a + least);
    lack.store(row, min(max(way, Real(0.f) - most), most));
  });
  move_out(ex, phi, found.lack, params.refinement);
}

}  // namespace whorl
