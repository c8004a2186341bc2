#include "stages/render_phi.h"

#include "exec/shapes.h"
#include "particles/particles_near.h"
#include "stages/between_cells.h"

#include <algorithm>
#include <cmath>

namespace whorl {

// Particles round a tile of fine cells, counted in these from the tile's low corner.
struct NearPoints {
  std::vector<float> x[3];
  bool full = true;  // every cell has some
};

namespace {

using Real = Lane<float>;

constexpr int thick_reach = render_reach, thin_reach = 1;  // cells
constexpr float no_bridge = 1;  // cells: further from every particle nothing is inside

// Sums over the particles in reach of each cell of a tile, a row at a time.
struct RowSums {
  float weight[tile_side], moment[3][tile_side], nearest[tile_side];  // the last squared
};

template <bool with_nearest>
void add_points(const NearPoints& points, float radius, RowSums* rows) {
  const float square = radius * radius;
  for (std::size_t n = 0; n < points.x[0].size(); ++n) {
    const float x[3] = {points.x[0][n], points.x[1][n], points.x[2][n]};
    if (x[2] < -radius || x[2] > tile_side + radius) continue;
    int first[2], last[2];
    for (int a = 0; a < 2; ++a) {
      first[a] = std::max(0, int(std::ceil(x[a] - radius - 0.5f)));
      last[a] = std::min(tile_side - 1, int(std::floor(x[a] + radius - 0.5f)));
    }
    const Real dz = Real::iota() + Real(0.5f - x[2]), dz2 = dz * dz;
    for (int i = first[0]; i <= last[0]; ++i)
      for (int j = first[1]; j <= last[1]; ++j) {
        const float dx = float(i) + 0.5f - x[0], dy = float(j) + 0.5f - x[1], d2 = dx * dx + dy * dy;
        if (d2 >= square) continue;
        RowSums& row = rows[i * tile_side + j];
        const Real distance = dz2 + Real(d2);
        const Real near = max(Real(1.f) - distance * Real(1 / square), Real(0.f));
        const Real w = near * near * near;
        (Real::load(row.weight) + w).store(row.weight);
        for (int a = 0; a < 3; ++a) (Real::load(row.moment[a]) + w * Real(x[a])).store(row.moment[a]);
        if constexpr (with_nearest) min(Real::load(row.nearest), distance).store(row.nearest);
      }
  }
}

void reset(std::vector<RowSums>& rows) {
  for (RowSums& row : rows) {
    row = {};
    std::fill_n(row.nearest, tile_side, HUGE_VALF);
  }
}

// f(cell, distance to the mean, weight, distance to the nearest)
template <class F>
void for_each_cell(const std::vector<RowSums>& rows, const F& f) {
  for (int c = 0; c < tile_cells<3>; ++c) {
    const RowSums& row = rows[std::size_t(c / tile_side)];
    const int k = c % tile_side;
    const float centre[3] = {float(c / 64) + 0.5f, float(c / 8 % 8) + 0.5f, float(k) + 0.5f};
    float square = HUGE_VALF;
    if (row.weight[k] > 1e-9f) {
      square = 0;
      for (int a = 0; a < 3; ++a) {
        const float d = row.moment[a][k] / row.weight[k] - centre[a];
        square += d * d;
      }
    }
    f(c, std::sqrt(square), row.weight[k], std::sqrt(row.nearest[k]));
  }
}

}  // namespace

void RenderPhi::tile(const Coord<3>& tile, float* phi, float* thick) const {
  NearPoints points;
  gather(tile, points);
  if (points.x[0].empty()) {
    std::fill_n(phi, tile_cells<3>, 0.f);
    std::fill_n(thick, tile_cells<3>, 0.f);
    return;
  }
  const auto [least, most] = thickness_of(tile, thick);
  if (points.full && least == 1) {
    std::fill_n(phi, tile_cells<3>, -2 * render_band);
    return;
  }
  std::vector<RowSums> rows(tile_rows<3>);
  std::fill_n(phi, tile_cells<3>, 0.f);
  if (most > 0) {
    reset(rows);
    add_points<true>(points, float(thick_reach * r_), rows.data());
    for_each_cell(rows, [&](int cell, float s, float, float nearest) {
      const float height =
          std::max(thick_reach * height_(s / (float(thick_reach * r_))), nearest / float(r_) - no_bridge);
      phi[cell] += thick[cell] * std::clamp(height, -render_band, render_band);
    });
  }
  if (least < 1) {
    reset(rows);
    add_points<false>(points, float(thin_reach * r_), rows.data());
    for_each_cell(rows, [&](int cell, float s, float weight, float) {
      const float height = thin_reach * height_(s / float(thin_reach * r_)) - rounder(weight);
      phi[cell] += (1 - thick[cell]) * std::clamp(height, -render_band, render_band);
    });
  }
  for (int c = 0; c < tile_cells<3>; ++c) phi[c] -= render_band;
}

// Round a line of particles, a clump of a few or a small ball the mean lies deeper than under a flat
// surface, and the weight there is less.
float RenderPhi::rounder(float weight) const {
  constexpr float flat = 2.55f, gain = 0.12f, most = 0.1f;  // at eight a cell
  return std::clamp(gain * (flat - weight * float(8 / per_cell_)), 0.f, most);
}

void RenderPhi::gather(const Coord<3>& tile, NearPoints& points) const {
  const Coord<3> lo = tile * tile_side;
  Box<3> box;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = floor_div(lo[a] - render_reach * r_, r_);
    box.hi[a] = floor_div(lo[a] + tile_side - 1 + render_reach * r_, r_) + 1;
  }
  for_cells_near(
      p_, box,
      [&](const Coord<3>&, std::uint32_t from, std::uint32_t to, const Vec<float, 3>& sign,
          const Vec<float, 3>& origin) {
        points.full = points.full && from < to;
        for (std::uint32_t i = from; i < to; ++i) {
          if (left_out_[i]) continue;
          for (int a = 0; a < 3; ++a)
            points.x[a].push_back((origin[a] + sign[a] * p_.position[std::size_t(a)][i]) * float(r_) +
                                  float(box.lo[a] * r_ - lo[a]));
        }
      });
}

// The least and the largest value beside it.
std::pair<float, float> RenderPhi::thickness_of(const Coord<3>& tile, float* out) const {
  const BetweenCells between(thick_, tile, r_);
  const float least = between.least(), most = between.most();
  if (least == most)
    std::fill_n(out, tile_cells<3>, least);
  else
    for_each_coord(Box<3>{{}, Coord<3>::filled(tile_side)},
                   [&](const Coord<3>& c) { *out++ = std::min(between.at(c), 1.f); });
  return {least, most};
}

}  // namespace whorl
