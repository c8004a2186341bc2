// Whole VDB files, read and written so that what is wrong with a file or a disk is told. For src/io alone: it
// includes OpenVDB.
#pragma once

#include "whorl/error.h"

#include <string>

#include <openvdb/openvdb.h>

namespace whorl {

// Those whose values Whorl looks at.
using NumberGrids = openvdb::TypeList<openvdb::FloatGrid, openvdb::DoubleGrid, openvdb::Int32Grid,
                                      openvdb::Int64Grid, openvdb::Vec3SGrid, openvdb::Vec3DGrid>;

struct VdbFile {
  openvdb::GridPtrVec grids;
  openvdb::MetaMap::Ptr metadata;
};

// ErrorCode::usage where it cannot be read or is no VDB file.
Result<VdbFile> load_vdb_file(const std::string& path);

// ErrorCode::resources where it cannot be written. It appears whole or not at all.
Result<void> write_vdb_file(const std::string& path, const openvdb::GridCPtrVec& grids,
                            const openvdb::MetaMap& metadata);

}  // namespace whorl
