#include "render/bricks.h"

#include "exec/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace whorl {
namespace {

constexpr std::int64_t most_blocks = 1 << 22;

// Nothing for what is not finite, and nothing so large that a sum of it would not be.
template <class Real>
Real tame(Real x) {
  const Real most(1e9f), finite = select(abs(x) < Real(std::numeric_limits<float>::infinity()), x, Real(0.f));
  return min(max(finite, -most), most);
}

// The largest size of a value among n, a multiple of the lane's width.
float largest(const float* values, int n, float background) {
  Lane<float> most(0.f);
  for (int k = 0; k < n; k += lane_width)
    most = max(abs(tame(Lane<float>::load(values + k) - Lane<float>(background))), most);
  return max_element(most);
}

template <int D>
const int* neighbours(const Field<float, D>& field, int tile) {
  return field.topology()->tile_set().neighbours + std::size_t(tile) * neighbourhood<D>;
}

// Fills a brick from its tile and those round it.
template <int D>
void gather(const Field<float, D>& field, const int* neighbours, float* out) {
  constexpr int pad = Bricks<D>::pad, side = Bricks<D>::side;
  const int absent = field.topology()->tile_count();
  for_each_coord(Box<D - 1>{{}, Coord<D - 1>::filled(side)}, [&](const Coord<D - 1>& row) {
    int place = 0, offset = 0;
    for (int a = 0; a < D - 1; ++a) {
      const int cell = row[a] + tile_side - pad;
      place = place * 3 + cell / tile_side;
      offset += cell % tile_side * tile_stride<D>(a);
    }
    for (int n = 0; n < 3; ++n) {
      const int slot = neighbours[place * 3 + n];
      const float* from = field.data() + std::size_t(slot) * tile_cells<D> + offset;
      const int begin = n == 0 ? tile_side - pad : 0, end = n == 2 ? pad : tile_side;
      for (int k = begin; k < end; ++k) *out++ = slot == absent ? 0 : tame(from[k] - field.background());
    }
  });
}

}  // namespace

template <int D>
std::vector<int> tiles_that_show(Exec& ex, const Field<float, D>& field, float cutoff) {
  const Zone zone(ex.profile(), "bricks");
  constexpr int brick_cells = ipow<D>(Bricks<D>::side);
  const int count = field.topology()->tile_count();
  std::vector<float> most(std::size_t(count) + 1);  // the last stands for every absent tile
  ex.parallel_for(count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k)
      most[std::size_t(k)] = largest(field.data() + k * tile_cells<D>, tile_cells<D>, field.background());
  });
  // A tile shows if it, or the rim of another beside it, has something: gather to see.
  std::vector<std::uint8_t> shows(std::size_t(count), 0);
  ex.parallel_chunks(count, tiles_per_chunk<D>,
                     [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
                       float* brick = static_cast<float*>(ex.scratch(worker, brick_cells * sizeof(float)));
                       for (int tile = int(begin); tile < int(end); ++tile) {
                         const int* near = neighbours(field, tile);
                         bool maybe = false;
                         for (int n = 0; n < neighbourhood<D>; ++n)
                           maybe = maybe || most[std::size_t(near[n])] > cutoff;
                         if (maybe) gather(field, near, brick);
                         shows[std::size_t(tile)] = maybe && largest(brick, brick_cells, 0) > cutoff;
                       }
                     });
  std::vector<int> kept;
  for (int tile = 0; tile < count; ++tile)
    if (shows[std::size_t(tile)]) kept.push_back(tile);
  return kept;
}

template <int D>
Bricks<D>::Bricks(Exec& ex, const Field<float, D>& field, float cutoff, const std::vector<int>& tiles)
    : domain_(field.topology()->domain()) {
  const Zone zone(ex.profile(), "bricks");
  constexpr int brick_cells = ipow<D>(side);
  if (tiles.empty()) return;
  for (const int tile : tiles) tiles_.push_back(field.topology()->tiles()[std::size_t(tile)]);
  values_ = ex.buffer<float>(tiles.size() * brick_cells);
  shows_.resize(tiles.size());
  ex.parallel_for(std::int64_t(tiles.size()), tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      float* brick = values_.data() + k * brick_cells;
      gather(field, neighbours(field, tiles[std::size_t(k)]), brick);
      shows_[std::size_t(k)] = what_shows(brick, cutoff);
    }
  });
  index();
}

// A sample in one pair of cells reads that pair and one more on each side.
template <int D>
std::uint64_t Bricks<D>::what_shows(const float* values, float cutoff) {
  constexpr int pairs = side / 2;
  const auto offset = [](const Coord<D>& pair) {
    int sum = 0;
    for (int a = 0; a < D; ++a) sum = sum * pairs + pair[a];
    return std::size_t(sum);
  };
  std::array<bool, ipow<D>(pairs)> has{};
  for_each_coord(Box<D>{{}, Coord<D>::filled(side)}, [&](Coord<D> at) {
    for (int a = 0; a < D; ++a) at[a] /= 2;
    if (std::abs(*values++) > cutoff) has[offset(at)] = true;
  });
  std::uint64_t bits = 0;
  int bit = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(quarters)}, [&](const Coord<D>& low) {
    bool any = false;
    for_each_coord(Box<D>{low, low + Coord<D>::filled(3)},
                   [&](const Coord<D>& pair) { any |= has[offset(pair)]; });
    bits |= std::uint64_t(any) << bit++;
  });
  return bits;
}

template <int D>
void Bricks<D>::index() {
  map_ = TileMap<D>(tiles_);
  bounds_ = {tiles_[0], tiles_[0]};
  for (const Coord<D>& tile : tiles_)
    for (int a = 0; a < D; ++a) {
      bounds_.lo[a] = std::min(bounds_.lo[a], tile[a]);
      bounds_.hi[a] = std::max(bounds_.hi[a], tile[a] + 1);
    }
  for (shift_ = 0;; ++shift_) {
    for (int a = 0; a < D; ++a) blocks_[a] = ((bounds_.hi[a] - 1) >> shift_) - (bounds_.lo[a] >> shift_) + 1;
    if (Box<D>{{}, blocks_}.volume() <= most_blocks) break;
  }
  occupied_.assign(std::size_t(Box<D>{{}, blocks_}.volume()), 0);
  for (const Coord<D>& tile : tiles_) occupied_[block_offset(tile)] = 1;
}

template <int D>
float Bricks<D>::sample(const Vec<double, D>& at) const {
  Coord<D> tile;
  Vec<float, D> local;
  for (int a = 0; a < D; ++a) {
    const double t = std::floor(at[a] / tile_side);
    if (!(std::abs(t) < Domain<D>::far_away)) return 0;
    tile[a] = int(t);
    local[a] = float(at[a] - t * tile_side);
  }
  int empty_side;
  const int brick = find(domain_.wrap_tile(tile), empty_side);
  return brick < 0 ? 0 : sample(brick, local);
}

template std::vector<int> tiles_that_show(Exec&, const Field<float, 2>&, float);
template std::vector<int> tiles_that_show(Exec&, const Field<float, 3>&, float);
template class Bricks<2>;
template class Bricks<3>;

}  // namespace whorl
