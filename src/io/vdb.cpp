#include "io/vdb.h"

#include "exec/shapes.h"
#include "io/vdb_file.h"
#include "whorl/version.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <openvdb/openvdb.h>

namespace whorl {

namespace {

using openvdb::FloatGrid;
using openvdb::GridBase;
using openvdb::Vec3SGrid;

// A grid of the tiles' cells. written(r) has a bit for each cell of the row that becomes an active voxel;
// row_values(r, eight) gives the values. Inactive voxels get the background, which compresses away.
template <class Grid, int D, class Written, class RowValues>
typename Grid::Ptr make_grid(Exec& ex, const Topology<D>& topology,
                             const typename Grid::ValueType& background, const Written& written,
                             const RowValues& row_values) {
  using Value = typename Grid::ValueType;
  using Leaf = typename Grid::TreeType::LeafNodeType;
  static_assert(Leaf::DIM == tile_side && openvdb::Index(tile_cells<3>) == Leaf::SIZE);
  constexpr int leaf_stride = ipow<3 - D>(tile_side);  // between neighbouring cells of a row, in a leaf

  const TileSet<D> tiles = topology.tile_set();
  std::vector<std::uint8_t> is_written(std::size_t(topology.tile_count()));
  ex.parallel_for(tiles.count, tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for_rows_of_tile<D>(tiles, tile,
                          [&](const RowIndex<D>& r) { is_written[std::size_t(tile)] |= written(r) != 0; });
  });

  // Here and not in the threads below, which must not throw.
  typename Grid::Ptr grid = Grid::create(background);
  std::vector<std::pair<int, Leaf*>> leaves;  // each beside its tile
  for (int tile = 0; tile < topology.tile_count(); ++tile) {
    if (!is_written[std::size_t(tile)]) continue;
    openvdb::Coord low(0, 0, 0);
    for (int a = 0; a < D; ++a) low[a] = topology.tiles()[std::size_t(tile)][a] * tile_side;
    auto leaf = std::make_unique<Leaf>(openvdb::PartialCreate(), low, background);
    leaf->allocate();
    leaves.emplace_back(tile, leaf.get());
    grid->tree().addLeaf(leaf.release());
  }

  ex.parallel_for(std::int64_t(leaves.size()), tiles_per_chunk<3>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const auto [tile, leaf] = leaves[std::size_t(n)];
      Value* values = leaf->buffer().data();
      std::fill_n(values, std::size_t(Leaf::SIZE), background);
      for_rows_of_tile<D>(tiles, tile, [&, leaf = leaf](const RowIndex<D>& r) {
        const unsigned on = written(r);
        if (on == 0) return;
        Value row[tile_side];
        row_values(r, row);
        for (int k = 0; k < tile_side; ++k) {
          if (!(on >> k & 1)) continue;
          const auto at = openvdb::Index(r.offset() + k) * leaf_stride;
          values[at] = row[k];
          leaf->setValueOn(at);
        }
      });
    }
  });
  return grid;
}

// 16 bits reach to 65504; beyond, and for what is not a number at all, they would make it infinite.
template <int D>
bool fits_half(Exec& ex, const Field<float, D>& field) {
  const auto f = field.view();
  const TopologyView<D> cells = field.topology()->view();
  const float most = max_rows<float>(ex, field.topology()->active_tile_set(), 0.f, [=](const RowIndex<D>& r) {
    return select(Lane<float>::mask_from_bits(cells.active_bits(r)), abs(f(r)), Lane<float>(0.f));
  });
  return most <= 65504;
}

template <int D>
GridBase::Ptr scalar_grid(Exec& ex, const std::string& name, const Field<float, D>& field,
                          const VdbOptions& options) {
  const auto f = field.view();
  const TopologyView<D> cells = field.topology()->view();
  const Lane<float> background(field.background());
  GridBase::Ptr grid = make_grid<FloatGrid>(
      ex, *field.topology(), field.background(),
      [=](const RowIndex<D>& r) { return cells.active_bits(r) & bits(!(f(r) == background)); },
      [=](const RowIndex<D>& r, float* row) { f(r).store(row); });
  // Fog is nothing outside and something inside. Temperature is not: it has the ambient all round.
  const bool fog = name == "density" || name == "flame" || name == "fuel";
  if (fog) grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  if (fog && options.half) grid->setSaveFloatAsHalf(fits_half(ex, field));
  if (name == "surface" && D == 3) grid->setGridClass(openvdb::GRID_LEVEL_SET);
  if (name == "temperature") grid->insertMeta("unit", openvdb::StringMetadata("K"));
  return grid;
}

template <int D>
GridBase::Ptr velocity_grid(Exec& ex, const MacField<float, D>& velocity, bool staggered) {
  const auto u = velocity.view();
  const TopologyView<D> cells = velocity.topology()->view();
  openvdb::Vec3f background(0);
  for (int a = 0; a < D; ++a) background[a] = velocity.background()[a];
  GridBase::Ptr grid = make_grid<Vec3SGrid>(
      ex, *velocity.topology(), background,
      [=](const RowIndex<D>& r) {
        unsigned on = cells.active_bits(r);
        for (int a = 0; a < D && staggered; ++a) on |= cells.live_face_bits(r, a);
        return on;
      },
      [=](const RowIndex<D>& r, openvdb::Vec3f* row) {
        std::fill_n(row, tile_side, openvdb::Vec3f(0));
        for (int a = 0; a < D; ++a) {
          const Lane<float> low = u[a](r);
          const Lane<float> x = staggered ? low : Lane<float>(0.5f) * (low + u[a](r, a, +1));
          for (int k = 0; k < tile_side; ++k) row[k][a] = x[k];
        }
      });
  if (staggered) grid->setGridClass(openvdb::GRID_STAGGERED);
  grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);  // turns and scales with the grid, is not moved
  grid->insertMeta("unit", openvdb::StringMetadata("m/s"));
  return grid;
}

template <int D>
openvdb::math::Transform::Ptr cell_transform(const Snapshot<D>& snapshot) {
  auto transform = openvdb::math::Transform::createLinearTransform(snapshot.h);
  const Vec<double, D> first = snapshot.centre(Coord<D>{});
  openvdb::Vec3d origin(0);
  for (int a = 0; a < D; ++a) origin[a] = first[a];
  transform->postTranslate(origin);
  return transform;
}

template <int D>
void add_moment(openvdb::MetaMap& metadata, const Snapshot<D>& snapshot) {
  metadata.insertMeta("fps", openvdb::FloatMetadata(float(snapshot.fps)));
  metadata.insertMeta("frame", openvdb::Int32Metadata(snapshot.frame));
  metadata.insertMeta("time", openvdb::DoubleMetadata(snapshot.time));
  metadata.insertMeta(GridBase::META_GRID_CREATOR,
                      openvdb::StringMetadata(fmt::format("Whorl {}", version())));
}

}  // namespace

template <int D>
Result<void> write_vdb(Exec& ex, const std::string& path, const Snapshot<D>& snapshot,
                       const VdbOptions& options) try {
  openvdb::initialize();
  openvdb::GridCPtrVec grids;
  const openvdb::math::Transform::Ptr transform = cell_transform(snapshot);
  for (const std::string& name : options.grids) {
    const Field<float, D>* scalar = snapshot.find(name);
    if (!scalar && name != "vel")
      return Error{ErrorCode::usage, fmt::format("there is no field '{}' to write to {}", name, path)};
    const GridBase::Ptr grid = scalar ? scalar_grid(ex, name, *scalar, options)
                                      : velocity_grid(ex, *snapshot.velocity, options.staggered);
    grid->setName(name);
    grid->setTransform(transform);
    add_moment(*grid, snapshot);
    grids.push_back(grid);
  }
  openvdb::MetaMap metadata;
  add_moment(metadata, snapshot);
  return write_vdb_file(path, grids, metadata);
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::resources, fmt::format("not enough memory to write {}", path)};
} catch (const std::exception& e) {
  return Error{ErrorCode::resources, fmt::format("cannot write {}: {}", path, e.what())};
}

template Result<void> write_vdb(Exec&, const std::string&, const Snapshot<2>&, const VdbOptions&);
template Result<void> write_vdb(Exec&, const std::string&, const Snapshot<3>&, const VdbOptions&);

}  // namespace whorl
