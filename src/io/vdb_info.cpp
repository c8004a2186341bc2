#include "io/vdb_info.h"

#include "base/rng.h"
#include "io/vdb_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <span>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>
#include <openvdb/openvdb.h>

namespace whorl {

namespace {

using openvdb::GridBase;

// A value as a list of its components.
template <class T>
std::span<const T> components(const T& x) {
  return {&x, 1};
}
template <class T>
std::span<const T> components(const openvdb::math::Vec3<T>& x) {
  return {x.asPointer(), 3};
}

// What a vector or a number amounts to.
template <class T>
double amount(const T& x) {
  return double(x);
}
template <class T>
double amount(const openvdb::math::Vec3<T>& x) {
  return std::hypot(double(x[0]), double(x[1]), double(x[2]));
}

std::array<double, 3> array_of(const openvdb::Vec3d& x) { return {x[0], x[1], x[2]}; }
std::array<int, 3> array_of(const openvdb::Coord& x) { return {x[0], x[1], x[2]}; }

// The better of two; a NaN, once met, stays: a frame that has gone wrong must not look well.
template <class Better>
double extreme(std::optional<double> best, double x, const Better& better) {
  return !best || std::isnan(x) || better(x, *best) ? x : *best;
}

VdbGridInfo grid_info(const GridBase& grid) {
  VdbGridInfo info;
  info.name = grid.getName();
  info.type = grid.valueType();
  info.grid_class = GridBase::gridClassToString(grid.getGridClass());
  if (info.type.starts_with("vec")) info.vector_type = GridBase::vecTypeToString(grid.getVectorType());
  if (const auto unit = grid.getMetadata<openvdb::StringMetadata>("unit")) info.unit = unit->value();
  info.half = grid.saveFloatAsHalf();
  info.voxel_size = array_of(grid.voxelSize());
  info.origin = array_of(grid.indexToWorld(openvdb::Coord(0, 0, 0)));
  info.active_voxels = std::int64_t(grid.activeVoxelCount());
  info.memory_bytes = grid.memUsage();
  const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  if (!box.empty()) {
    info.first = array_of(box.min());
    info.last = array_of(box.max());
  }
  grid.apply<NumberGrids>([&](const auto& typed) {
    for (const auto x : components(typed.background())) info.background.push_back(double(x));
    for (auto value = typed.cbeginValueOn(); value; ++value) {
      const double x = amount(*value);
      info.min = extreme(info.min, x, std::less<>());
      info.max = extreme(info.max, x, std::greater<>());
    }
  });
  return info;
}

// In full, where Metadata::str() keeps six digits.
template <class... Numbers>
VdbMetadata metadata_entry(const std::string& name, const openvdb::Metadata& value) {
  VdbMetadata entry{name, value.str(), false};
  const auto try_as = [&]<class T>(std::type_identity<T>) {
    if (value.typeName() != openvdb::TypedMetadata<T>::staticTypeName()) return;
    entry.value = fmt::format("{}", static_cast<const openvdb::TypedMetadata<T>&>(value).value());
    entry.is_number = true;
  };
  (try_as(std::type_identity<Numbers>()), ...);
  return entry;
}

std::vector<VdbMetadata> metadata_of(const openvdb::MetaMap& map) {
  std::vector<VdbMetadata> list;
  for (auto entry = map.beginMeta(); entry != map.endMeta(); ++entry)
    list.push_back(metadata_entry<float, double, std::int32_t, std::int64_t>(entry->first, *entry->second));
  return list;
}

template <class T>
std::uint64_t hash_components(std::uint64_t hash, const T& value) {
  for (const auto x : components(value)) {
    if constexpr (sizeof(x) == 8)
      hash = mix64(hash, std::bit_cast<std::uint64_t>(x));
    else
      hash = mix64(hash, std::bit_cast<std::uint32_t>(x));
  }
  return hash;
}

std::uint64_t hash_text(std::uint64_t hash, const std::string& text) {
  for (const char c : text) hash = mix64(hash, std::uint8_t(c));
  return mix64(hash, text.size());
}

template <class Grid>
std::uint64_t hash_values(std::uint64_t hash, const Grid& grid) {
  hash = hash_components(hash, grid.background());
  for (auto value = grid.cbeginValueOn(); value; ++value) {
    const openvdb::CoordBBox box = value.getBoundingBox();  // one voxel, or a tile of one value
    hash = hash_components(hash, openvdb::Vec3i(box.min().asPointer()));
    hash = mix64(hash, value.getVoxelCount());  // box.volume() overflows where space ends
    hash = hash_components(hash, *value);
  }
  return hash;
}

std::uint64_t hash_transform(std::uint64_t hash, const GridBase& grid) {
  // Where four voxels are says it all of a linear transform.
  for (const openvdb::Coord at :
       {openvdb::Coord(0, 0, 0), openvdb::Coord(1, 0, 0), openvdb::Coord(0, 1, 0), openvdb::Coord(0, 0, 1)})
    hash = hash_components(hash, grid.indexToWorld(at));
  return hash;
}

Error not_numbers(const std::string& path, const GridBase& grid, const char* what) {
  return {ErrorCode::usage, fmt::format("cannot {} grid '{}' of {}: its values are of type {}", what,
                                        grid.getName(), path, grid.valueType())};
}

}  // namespace

Result<VdbInfo> read_vdb_info(const std::string& path) {
  const Result<VdbFile> file = load_vdb_file(path);
  if (!file) return file.error();
  VdbInfo info;
  std::error_code ignored;
  info.file_bytes = std::filesystem::file_size(path, ignored);
  info.metadata = metadata_of(*file.value().metadata);
  for (const GridBase::Ptr& grid : file.value().grids) info.grids.push_back(grid_info(*grid));
  return info;
}

Result<VdbVoxels> read_vdb_voxels(const std::string& path, const std::string& name) {
  const Result<VdbFile> file = load_vdb_file(path);
  if (!file) return file.error();
  const auto found = std::ranges::find(file.value().grids, name, &GridBase::getName);
  if (found == file.value().grids.end())
    return Error{ErrorCode::usage, fmt::format("there is no grid '{}' in {}", name, path)};
  VdbVoxels voxels;
  const GridBase& grid = **found;
  const bool numbers = grid.apply<NumberGrids>([&](const auto& typed) {
    for (auto value = typed.cbeginValueOn(); value; ++value) {
      const openvdb::CoordBBox box = value.getBoundingBox();
      std::array<float, 3> x{};
      std::ranges::transform(components(*value), x.begin(), [](auto c) { return float(c); });
      for (auto at = box.begin(); at != box.end(); ++at) {
        voxels.index.push_back(array_of(*at));
        voxels.value.push_back(x);
      }
    }
  });
  if (!numbers) return not_numbers(path, grid, "read");
  return voxels;
}

Result<std::uint64_t> hash_vdb(const std::string& path) {
  Result<VdbFile> file = load_vdb_file(path);
  if (!file) return file.error();
  openvdb::GridPtrVec& grids = file.value().grids;
  std::ranges::stable_sort(grids, {}, &GridBase::getName);
  std::uint64_t hash = 0;
  for (const GridBase::Ptr& grid : grids) {
    hash = hash_text(hash, grid->getName());
    hash = hash_text(hash, grid->valueType());
    hash = hash_transform(hash, *grid);
    if (!grid->apply<NumberGrids>([&](const auto& typed) { hash = hash_values(hash, typed); }))
      return not_numbers(path, *grid, "hash");
  }
  return hash;
}

}  // namespace whorl
