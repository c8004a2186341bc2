#include "io/vdb_fields.h"

#include "exec/shapes.h"
#include "io/vdb_file.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace whorl {
namespace {

using openvdb::FloatGrid;

// Voxels are cells to within a thousandth of one; a 2D field is one voxel thick at z = 0.
template <int D>
bool lies_there(const FloatGrid& grid, const VdbPlace<D>& place) {
  const openvdb::Vec3d first = grid.indexToWorld(openvdb::Coord(0, 0, 0));
  const openvdb::Vec3d size = grid.voxelSize();
  const double close = 1e-3 * place.h;
  for (int a = 0; a < 3; ++a) {
    const double centre = a < D ? place.origin[a] + 0.5 * place.h : 0;
    const bool same = std::abs(first[a] - centre) <= close && std::abs(size[a] - place.h) <= close;
    if (!same) return false;
  }
  return true;
}

template <int D>
openvdb::Coord low_voxel(const Coord<D>& tile) {
  openvdb::Coord low(0, 0, 0);
  for (int a = 0; a < D; ++a) low[a] = tile[a] * tile_side;
  return low;
}

// Whether Whorl can have written a leaf there: not beyond the space that tiles have, nor beside the plane.
template <int D>
bool is_tile(const openvdb::Coord& low) {
  bool is = true;
  for (int a = 0; a < 3; ++a) {
    const int most = a < D ? Domain<D>::far_away : 0;
    is = is && -most <= low[a] && low[a] <= most;
  }
  return is;
}

// Those with a leaf and all round them: between two tiles there is something of both.
template <int D>
void add_tiles(const FloatGrid& grid, std::vector<Coord<D>>& tiles) {
  for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
    for (int k = 0; k < ipow<D>(3) && is_tile<D>(leaf->origin()); ++k) {
      Coord<D> tile;
      for (int a = 0, left = k; a < D; ++a, left /= 3) tile[a] = leaf->origin()[a] / tile_side + left % 3 - 1;
      tiles.push_back(tile);
    }
}

// A leaf has the cells of a tile in the same order.
template <int D>
Field<float, D> field_of(Exec& ex, const TopologyPtr<D>& topology, const FloatGrid& grid) {
  constexpr int leaf_stride = ipow<3 - D>(tile_side);
  Field<float, D> field(ex, topology, grid.background());
  ex.parallel_for(topology->tile_count(), tiles_per_chunk<D>, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const auto* leaf = grid.tree().probeConstLeaf(low_voxel(topology->tiles()[std::size_t(tile)]));
      float* cells = field.data() + tile * tile_cells<D>;
      for (int k = 0; leaf && k < tile_cells<D>; ++k)
        cells[k] = leaf->getValue(openvdb::Index(k * leaf_stride));
    }
  });
  return field;
}

}  // namespace

template <int D>
Result<std::vector<VdbField<D>>> read_vdb_fields(Exec& ex, const std::string& path, const VdbPlace<D>& place,
                                                 const std::vector<std::string>& names) {
  const Result<VdbFile> file = load_vdb_file(path);
  if (!file) return file.error();
  std::vector<std::pair<std::string, FloatGrid::ConstPtr>> grids;
  std::vector<Coord<D>> tiles;
  for (const std::string& name : names)
    for (const openvdb::GridBase::Ptr& any : file.value().grids) {
      const FloatGrid::ConstPtr grid = openvdb::gridConstPtrCast<FloatGrid>(any);
      if (!grid || any->getName() != name) continue;
      if (!lies_there(*grid, place))
        return Error{ErrorCode::usage,
                     fmt::format("{}: the voxels of '{}' are not the cells of the scene", path, name)};
      add_tiles(*grid, tiles);
      grids.emplace_back(name, grid);
      break;
    }
  const TopologyPtr<D> topology = Topology<D>::of_tiles(ex, place.domain, std::move(tiles));
  std::vector<VdbField<D>> fields;
  for (const auto& [name, grid] : grids) fields.push_back({name, field_of(ex, topology, *grid)});
  return fields;
}

template Result<std::vector<VdbField<2>>> read_vdb_fields(Exec&, const std::string&, const VdbPlace<2>&,
                                                          const std::vector<std::string>&);
template Result<std::vector<VdbField<3>>> read_vdb_fields(Exec&, const std::string&, const VdbPlace<3>&,
                                                          const std::vector<std::string>&);

}  // namespace whorl
