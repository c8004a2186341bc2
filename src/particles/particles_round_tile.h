// The particles of a tile and of the cells round it, side by side in memory: for sums over all that are
// within one cell of a place in the tile.
#pragma once

#include "particles/particles_near.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace whorl {

// Three arrays, one an axis, each with an entry a particle. An image across a side has its mirror image.
using ParticleVectors = std::array<const float*, 3>;

inline ParticleVectors velocities(const ParticleSet<3>& p) {
  return {p.velocity[0].data(), p.velocity[1].data(), p.velocity[2].data()};
}

class ParticlesRoundTile {
 public:
  // Also what `carried` has of them. The tile need not be one of the particles' own.
  void gather(const ParticleSet<3>& p, const Coord<3>& tile, std::span<const ParticleVectors> carried) {
    for (auto& x : position_) x.clear();
    carried_.resize(carried.size());
    for (auto& vectors : carried_) vectors.clear();
    first_.assign(1, 0);
    Box<3> box;
    for (int a = 0; a < 3; ++a) {
      box.lo[a] = tile[a] * tile_side - 1;
      box.hi[a] = box.lo[a] + side;
    }
    for_cells_near(p, box,
                   [&](const Coord<3>&, std::uint32_t from, std::uint32_t to, const Vec<float, 3>& sign,
                       const Vec<float, 3>& origin) {
                     for (std::uint32_t i = from; i < to; ++i) {
                       for (int a = 0; a < 3; ++a)
                         position_[a].push_back(origin[a] + sign[a] * p.position[std::size_t(a)][i] - 1);
                       for (std::size_t c = 0; c < carried.size(); ++c) {
                         Vec<float, 3> v;
                         for (int a = 0; a < 3; ++a) v[a] = sign[a] * carried[c][std::size_t(a)][i];
                         carried_[c].push_back(v);
                       }
                     }
                     first_.push_back(std::uint32_t(position_[0].size()));
                   });
  }

  const Vec<float, 3>& vector(std::size_t list, std::uint32_t k) const { return carried_[list][k]; }

  // f(k, d, r) for every particle k less than a cell away from x, in cells from the tile's low corner, and
  // not at it: d leads there, and is r long.
  template <class F>
  void for_near(const Vec<float, 3>& x, const F& f) const {
    Coord<3> cell;
    for (int a = 0; a < 3; ++a) cell[a] = std::clamp(int(x[a]), 0, tile_side - 1);
    for (int i = cell[0]; i < cell[0] + 3; ++i)
      for (int j = cell[1]; j < cell[1] + 3; ++j) {
        const std::size_t row = std::size_t((i * side + j) * side + cell[2]);
        for (std::uint32_t k = first_[row]; k < first_[row + 3]; ++k) {
          Vec<float, 3> d;
          for (int a = 0; a < 3; ++a) d[a] = position_[a][k] - x[a];
          const float square = dot(d, d);
          if (square < 1 && square > 0) f(k, d, std::sqrt(square));
        }
      }
  }

 private:
  static constexpr int side = tile_side + 2;

  std::vector<float> position_[3];  // cells from the tile's low corner
  std::vector<std::vector<Vec<float, 3>>> carried_;
  std::vector<std::uint32_t> first_;  // [cell of the box], and their number
};

}  // namespace whorl
