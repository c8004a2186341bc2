// A snapshot as an OpenVDB file, the form in which Houdini, Blender and renderers take volumes.
//
// Voxel (i, j, k) is centred where cell (i, j, k) is. A 2D field is one voxel thick, k = 0, centred at z = 0.
// A tile of 8 cells a side is a leaf of OpenVDB's tree, with the same cells in the same order.
#pragma once

#include "exec/exec.h"
#include "grid/snapshot.h"
#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

struct VdbOptions {
  std::vector<std::string> grids = {"density", "temperature", "vel"};  // any scalar's name, and vel
  bool half = true;  // density, fuel and flame in 16 bits, where their values fit
  bool staggered =
      false;  // vel as the solver has it: component a in the middle of the voxel's low face along a
};

// Active voxels of a scalar: the active cells that differ from the background. Of vel: all active cells;
// staggered, all cells with a face of one. ErrorCode::resources where the file cannot be written.
template <int D>
Result<void> write_vdb(Exec& ex, const std::string& path, const Snapshot<D>& snapshot,
                       const VdbOptions& options);

}  // namespace whorl
