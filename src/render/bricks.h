// A scalar field made ready for sampling at points: every tile that shows anything, with two cells more on
// each side, so that a sample never looks at a second tile; and a quick way past the tiles that do not.
#pragma once

#include "grid/field.h"
#include "grid/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace whorl {

typedef float Float4 __attribute__((vector_size(16)));

// Mitchell & Netravali 1988, B = C = 1/3: smoother than linear, sharper than a B-spline. The weights of the
// samples at -1, 0, 1, 2 for a point at t in [0, 1].
inline Float4 mitchell(float t) {
  const Float4 c0 = {1 / 18.f, 8 / 9.f, 1 / 18.f, 0}, c1 = {-0.5f, 0, 0.5f, 0};
  const Float4 c2 = {5 / 6.f, -2, 1.5f, -1 / 3.f}, c3 = {-7 / 18.f, 7 / 6.f, -7 / 6.f, 7 / 18.f};
  return c0 + t * (c1 + t * (c2 + t * c3));
}

// Which tiles of its topology a field shows in: those where a sample may be larger than `cutoff` in size.
template <int D>
std::vector<int> tiles_that_show(Exec& ex, const Field<float, D>& field, float cutoff);

template <int D>
class Bricks {
 public:
  static constexpr int pad = 2, side = tile_side + 2 * pad;

  // Values are what the field has above its background; what is not finite counts as nothing. Tiles where
  // none is larger than `cutoff` in size are left out.
  Bricks(Exec& ex, const Field<float, D>& field, float cutoff)
      : Bricks(ex, field, cutoff, tiles_that_show(ex, field, cutoff)) {}
  // The tiles told, in that order: the same for several fields, and one brick's number serves them all.
  Bricks(Exec& ex, const Field<float, D>& field, float cutoff, const std::vector<int>& tiles);

  bool empty() const { return tiles_.empty(); }
  const std::vector<Coord<D>>& tiles() const { return tiles_; }
  Box<D> tile_bounds() const { return bounds_; }  // of the tiles that are kept
  const float* values(int brick) const { return values_.data() + std::size_t(brick) * ipow<D>(side); }

  // Which brick has a tile, or -1 and how many tiles a side are empty round it, aligned to that number.
  int find(const Coord<D>& tile, int& empty_side) const {
    empty_side = 1;
    if (!bounds_.contains(tile)) return -1;
    if (occupied_[block_offset(tile)]) return map_.find(tile);
    empty_side = 1 << shift_;
    return -1;
  }

  // Whether the field may be more than the cutoff at a point of a brick's tile, in cells from the tile's low
  // corner.
  bool shows(int brick, const Vec<float, D>& at) const {
    int bit = 0;
    for (int a = 0; a < D; ++a) bit = bit * quarters + (int(at[a]) >> 1 & (quarters - 1));
    return shows_[std::size_t(brick)] >> bit & 1;
  }
  // The field there.
  float sample(int brick, const Vec<float, D>& at) const {
    Float4 weight[D];
    std::size_t base = 0;
    for (int a = 0; a < D; ++a) {
      const float q = at[a] + (pad - 0.5f);
      const int cell = std::clamp(int(q), 1, side - 3);
      weight[a] = mitchell(q - float(cell));
      base = base * side + std::size_t(cell - 1);
    }
    const float* row = values(brick) + base;
    Float4 sum = {};
    for (int i = 0; i < 4; ++i) {
      if constexpr (D == 2) {
        sum += weight[0][i] * load(row + i * side);
      } else {
        Float4 plane = {};
        for (int j = 0; j < 4; ++j) plane += weight[1][j] * load(row + (i * side + j) * side);
        sum += weight[0][i] * plane;
      }
    }
    sum *= weight[D - 1];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
  }
  // At any point, in cells; round the corner where the domain is periodic.
  float sample(const Vec<double, D>& at) const;

 private:
  static constexpr int quarters = tile_side / 2;
  void index();
  static std::uint64_t what_shows(const float* values, float cutoff);
  std::size_t block_offset(const Coord<D>& tile) const {
    std::size_t block = 0;
    for (int a = 0; a < D; ++a)
      block = block * std::size_t(blocks_[a]) + std::size_t((tile[a] >> shift_) - (bounds_.lo[a] >> shift_));
    return block;
  }
  static Float4 load(const float* p) {
    typedef float InMemory __attribute__((vector_size(16), aligned(4)));
    return *reinterpret_cast<const InMemory*>(p);
  }

  Domain<D> domain_;
  std::vector<Coord<D>> tiles_;
  TileMap<D> map_;
  Buffer<float> values_;              // [brick][side^D]
  std::vector<std::uint64_t> shows_;  // [brick] a bit for each two cells a side, the last axis lowest
  Box<D> bounds_{};
  std::vector<std::uint8_t> occupied_;  // [block of 2^shift tiles a side]
  Coord<D> blocks_{};
  int shift_ = 0;
};

}  // namespace whorl
