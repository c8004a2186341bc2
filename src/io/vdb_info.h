// What a VDB file holds: a summary to show, a hash to compare by, and the values themselves.
#pragma once

#include "whorl/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whorl {

struct VdbGridInfo {
  std::string name;
  std::string type;                    // "float", "vec3s", … as OpenVDB calls it
  std::string grid_class;              // "fog volume", "level set", "staggered", "unknown"
  std::string vector_type;             // "contravariant relative", …; empty for scalars
  std::string unit;                    // empty: none given
  bool half = false;                   // stored in 16 bits
  std::array<double, 3> voxel_size{};  // m
  std::array<double, 3> origin{};      // m: the centre of voxel (0, 0, 0)
  std::vector<double> background;      // the components of the value elsewhere; empty: no numbers
  std::int64_t active_voxels = 0;
  std::array<int, 3> first{}, last{};  // corners of the box of active voxels, both within it
  std::optional<double> min, max;      // of the active values, of vectors their lengths; none: no numbers
  std::uint64_t memory_bytes = 0;      // when loaded
};

struct VdbMetadata {
  std::string name, value;
  bool is_number = false;
};

struct VdbInfo {
  std::uint64_t file_bytes = 0;
  std::vector<VdbMetadata> metadata;  // of the file, by name
  std::vector<VdbGridInfo> grids;     // as they stand in the file
};

// The active voxels of one grid, in the order of OpenVDB's tree.
struct VdbVoxels {
  std::vector<std::array<int, 3>> index;
  std::vector<std::array<float, 3>> value;  // of a scalar grid, the first of three
};

// ErrorCode::usage where the file cannot be read, is no VDB file, or has no such grid.
Result<VdbInfo> read_vdb_info(const std::string& path);
Result<VdbVoxels> read_vdb_voxels(const std::string& path, const std::string& grid);

// Of the grids' names, transforms, active voxels and values: the same data has the same hash, whenever and
// by whichever version it was written.
Result<std::uint64_t> hash_vdb(const std::string& path);

std::string to_json(const VdbInfo& info);
std::string to_text(const VdbInfo& info);  // a table for a terminal

}  // namespace whorl
