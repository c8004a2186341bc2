#include "linear/regions.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace whorl {

namespace {

// Union by the smaller name: a region is called after its first member, whatever the order of joining.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int x) {
    while (parent_[std::size_t(x)] != x)
      x = parent_[std::size_t(x)] = parent_[std::size_t(parent_[std::size_t(x)])];
    return x;
  }
  void join(int x, int y) {
    x = find(x), y = find(y);
    if (x != y) parent_[std::size_t(std::max(x, y))] = std::min(x, y);
  }

 private:
  std::vector<int> parent_;
};

// A stored tile, a byte a row and a bit a cell.
template <int D>
struct TileBits {
  std::uint8_t unknown[tile_rows<D>];
  std::uint8_t air[tile_rows<D>];
  std::uint8_t link[D][tile_rows<D>];  // to the low neighbour

  explicit TileBits(const StoredTile<D>& tile) {
    const auto positive = [&](int part, int row) {
      return std::uint8_t(
          bits(Lane<float>::load(tile.data + part * tile_cells<D> + row * tile_side) > Lane<float>(0.f)));
    };
    for (int row = 0; row < tile_rows<D>; ++row) {
      unknown[row] = positive(StoredTile<D>::inverse, row);
      air[row] = positive(StoredTile<D>::air, row);
      for (int a = 0; a < D; ++a) link[a][row] = positive(StoredTile<D>::link(a, -1), row);
    }
  }
};

// Spreads a seed along the links of one row, both ways.
inline unsigned spread_in_row(unsigned seed, unsigned low_links) {
  for (unsigned before = 0; before != seed;) {
    before = seed;
    seed |= (seed << 1 & low_links) | (seed & low_links) >> 1;
  }
  return seed;
}

// The cells of a tile linked to a seed within it.
template <int D>
void flood(const TileBits<D>& tile, std::uint8_t (&filled)[tile_rows<D>]) {
  const auto visit = [&](int row) {
    unsigned here = filled[row];
    for (int a = 0; a < D - 1; ++a) {
      const int stride = tile_stride<D>(a) / tile_side, at = row / stride % tile_side;
      if (at > 0) here |= filled[row - stride] & tile.link[a][row];
      if (at < tile_side - 1) here |= filled[row + stride] & tile.link[a][row + stride];
    }
    if (here) here = spread_in_row(here, tile.link[D - 1][row] & 0xfe);
    const bool grown = here != filled[row];
    filled[row] = std::uint8_t(here);
    return grown;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (int row = 0; row < tile_rows<D>; ++row) grown = visit(row) || grown;
    for (int row = tile_rows<D> - 1; row >= 0; --row) grown = visit(row) || grown;
  }
}

// The regions within one stored tile: a label a cell, -1 where there is no unknown.
template <int D>
struct TileRegions {
  std::int16_t label[tile_cells<D>];
  int count = 0;
  bool air[tile_cells<D>];  // of each label: does it touch air?

  explicit TileRegions(const StoredTile<D>& stored) {
    const TileBits<D> tile(stored);
    std::fill_n(label, tile_cells<D>, std::int16_t(-1));
    for (int row = 0; row < tile_rows<D>; ++row)
      for (unsigned rest = tile.unknown[row]; rest; rest &= rest - 1) {
        const int k = std::countr_zero(rest);
        if (label[row * tile_side + k] >= 0) continue;
        std::uint8_t filled[tile_rows<D>] = {};
        filled[row] = std::uint8_t(1u << k);
        flood(tile, filled);
        air[count] = false;
        for (int r = 0; r < tile_rows<D>; ++r) {
          air[count] = air[count] || (filled[r] & tile.air[r]);
          for (unsigned cells = filled[r]; cells; cells &= cells - 1)
            label[r * tile_side + std::countr_zero(cells)] = std::int16_t(count);
        }
        ++count;
      }
  }
};

// All labels of a system: those of a tile begin at first[tile]; a plain tile has one.
template <int D>
struct Labels {
  std::vector<std::int16_t> local;  // [slot][cell]
  std::vector<int> first;           // [tile]
  std::vector<std::uint8_t> air;    // [label]

  int at(const SystemView<D>& system, int tile, int cell) const {
    const int slot = system.slot[tile];
    if (slot < 0) return first[std::size_t(tile)];
    return first[std::size_t(tile)] + local[std::size_t(slot) * tile_cells<D> + std::size_t(cell)];
  }
};

template <int D>
Labels<D> label_tiles(Exec& ex, const PressureSystem<D>& system) {
  const TileSet<D> tiles = system.topology->active_tile_set();
  const SystemView<D> view = system.view();
  Labels<D> labels;
  labels.local.resize(system.stored_tiles() * tile_cells<D>);
  std::vector<int> count(system.slot.size());
  std::vector<std::uint8_t> air(system.stored_tiles() * tile_cells<D>);
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const int tile = tiles.tile(k), slot = view.slot[tile];
      if (slot < 0) {
        count[std::size_t(tile)] = slot == dry_tile ? 0 : 1;
        continue;
      }
      const TileRegions<D> regions(view.stored_tile(tile));
      count[std::size_t(tile)] = regions.count;
      std::copy_n(regions.label, tile_cells<D>, &labels.local[std::size_t(slot) * tile_cells<D>]);
      std::copy_n(regions.air, regions.count, air.data() + std::size_t(slot) * tile_cells<D>);
    }
  });
  labels.first.resize(count.size());
  std::exclusive_scan(count.begin(), count.end(), labels.first.begin(), 0);
  labels.air.assign(std::size_t(labels.first.back() + count.back()), 0);
  for (std::size_t tile = 0; tile + 1 < count.size(); ++tile)
    if (const int slot = view.slot[tile]; slot >= 0)
      std::copy_n(air.data() + std::size_t(slot) * tile_cells<D>, count[tile],
                  labels.air.data() + labels.first[tile]);
  return labels;
}

template <int D>
DisjointSets join_across_tiles(const PressureSystem<D>& system, const Labels<D>& labels) {
  const TileSet<D> tiles = system.topology->active_tile_set();
  const SystemView<D> view = system.view();
  DisjointSets sets(labels.air.size());
  for (std::int64_t k = 0; k < tiles.count; ++k) {
    const int tile = tiles.tile(k);
    if (view.slot[tile] == dry_tile) continue;
    const int* near = tiles.neighbours + std::size_t(tile) * neighbourhood<D> + centre_of_neighbourhood<D>;
    for (int a = 0; a < D; ++a) {
      const int below = near[-neighbour_step<D>(a)];
      if (view.slot[below] == dry_tile) continue;
      if (view.slot[tile] < 0 && view.slot[below] < 0) {
        sets.join(labels.first[std::size_t(tile)], labels.first[std::size_t(below)]);
        continue;
      }
      const float* links = view.slot[tile] < 0
                               ? nullptr
                               : view.stored_tile(tile).data + StoredTile<D>::link(a, -1) * tile_cells<D>;
      int own_last = -1, below_last = -1;  // joined just before
      Coord<D> face = Coord<D>::filled(tile_side);
      face[a] = 1;
      for_each_coord(Box<D>{{}, face}, [&](const Coord<D>& at) {
        const int c = int(cell_offset<D>(at)), other = c + (tile_side - 1) * tile_stride<D>(a);
        if (links && links[c] <= 0) return;
        const int own = labels.at(view, tile, c), low = labels.at(view, below, other);
        if (own == own_last && low == below_last) return;
        sets.join(own_last = own, below_last = low);
      });
    }
  }
  return sets;
}

}  // namespace

template <int D>
Regions<D> find_regions(Exec& ex, const PressureSystem<D>& system) {
  const Zone zone(ex.profile(), "find_regions");
  const Labels<D> labels = label_tiles(ex, system);
  DisjointSets sets = join_across_tiles(system, labels);
  std::vector<std::uint8_t> air(labels.air.size());
  for (std::size_t k = 0; k < air.size(); ++k) air[std::size_t(sets.find(int(k)))] |= labels.air[k];
  Regions<D> regions;
  std::vector<int> number(air.size(), -1);  // of a root, among the floating
  for (std::size_t k = 0; k < air.size(); ++k) {
    if (sets.find(int(k)) != int(k)) continue;
    ++regions.count;
    if (!air[k]) number[k] = int(regions.floating.size()), regions.floating.emplace_back();
  }
  if (regions.floating.empty()) return regions;

  const SystemView<D> view = system.view();
  for (int tile = 0; tile < system.topology->tile_count(); ++tile) {
    if (!system.topology->has_active(tile)) continue;
    const int slot = view.slot[tile];
    if (slot == dry_tile) continue;
    for (int row = 0; row < tile_rows<D>; ++row) {
      const std::int32_t place = tile * tile_rows<D> + row;
      const auto add = [&](int label, unsigned bits) {
        const int k = number[std::size_t(sets.find(label))];
        if (k < 0) return;
        FloatingRegion& region = regions.floating[std::size_t(k)];
        if (region.rows.empty() || region.rows.back().row != place) region.rows.push_back({place, 0});
        region.rows.back().bits = std::uint8_t(region.rows.back().bits | bits);
        region.cells += std::popcount(bits);
      };
      if (slot < 0) {
        add(labels.first[std::size_t(tile)], 0xff);
        continue;
      }
      for (int k = 0; k < tile_side; ++k)
        if (const int cell = row * tile_side + k;
            labels.local[std::size_t(slot) * tile_cells<D> + std::size_t(cell)] >= 0)
          add(labels.at(view, tile, cell), 1u << k);
    }
  }
  return regions;
}

template <class T, int D>
std::vector<double> remove_means(Exec& ex, Field<T, D>& field, const Regions<D>& regions) {
  constexpr std::int64_t rows_per_chunk = 4096;
  using Wide = Lane<double>;
  T* const data = field.data();
  std::vector<double> means;
  for (const FloatingRegion& region : regions.floating) {
    const auto part = [&](std::int64_t k) { return region.rows[std::size_t(k)]; };
    const auto value = [&](RowPart p) {
      return convert<Wide>(Lane<T>::load(data + std::ptrdiff_t(p.row) * tile_side));
    };
    const std::int64_t rows = std::int64_t(region.rows.size());
    const double total = reduce(
        ex, rows, rows_per_chunk, 0.,
        [&](std::int64_t begin, std::int64_t end) {
          Wide lanes(0.);
          for (std::int64_t k = begin; k < end; ++k)
            lanes += select(Wide::mask_from_bits(part(k).bits), value(part(k)), Wide(0.));
          return sum(lanes);
        },
        [](double x, double y) { return x + y; });
    const double mean = total / double(region.cells);
    means.push_back(mean);
    ex.parallel_for(rows, rows_per_chunk, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const Wide less = value(part(k)) - select(Wide::mask_from_bits(part(k).bits), Wide(mean), Wide(0.));
        convert<Lane<T>>(less).store(data + std::ptrdiff_t(part(k).row) * tile_side);
      }
    });
  }
  return means;
}

template Regions<2> find_regions(Exec&, const PressureSystem<2>&);
template Regions<3> find_regions(Exec&, const PressureSystem<3>&);
template std::vector<double> remove_means(Exec&, Field<float, 2>&, const Regions<2>&);
template std::vector<double> remove_means(Exec&, Field<float, 3>&, const Regions<3>&);
template std::vector<double> remove_means(Exec&, Field<double, 2>&, const Regions<2>&);
template std::vector<double> remove_means(Exec&, Field<double, 3>&, const Regions<3>&);

}  // namespace whorl
