// The files of a run as another program opens them, and a script that opens them there.
//
//   vdb/plume.0001.vdb    volumes, with the program's names for grids
//   mesh/dam.0001.ply     meshes; for Houdini mesh/dam.0001.usda, and mesh/dam.usda, which plays them
//   particles/dam.0001.ply, particles/dam_whitewater.0001.ply
//   solid/block.ply       the scene's solids, in 3D; solid/paddle.0001.ply … of those that move
//   export.json           what there is, the camera, the light and the looks of the run's own pictures
//   open_in_blender.py    or open_in_houdini.py, which set up a scene from all that
//
// One frame is in memory at a time. Nothing of the run is touched.
#pragma once

#include "whorl/error.h"

#include <set>
#include <string>
#include <vector>

namespace whorl {

enum class ExportTarget { blender, houdini };

struct ExportOptions {
  std::string run = {};     // its folder
  std::string folder = {};  // to write to; empty: export-blender or export-houdini in the run's
  ExportTarget target = ExportTarget::blender;
  int first_frame = 1;
  int last_frame = 0;  // 0: all from the first on
  // On top of the scene that the run has kept: what pictures were rendered with since, say.
  std::vector<std::string> overrides = {};
};

struct ExportReport {
  Result<void> outcome;  // ErrorCode::interrupted where the observer stopped it
  std::string folder;
  std::set<int> frames;  // written, whatever the outcome
  std::string script;    // what to open it with; empty where the export was not finished
};

class ExportObserver {
 public:
  virtual ~ExportObserver() = default;
  virtual void on_frame(int /*frame*/, int /*done*/, int /*all*/) {}  // its files are written
  virtual void on_warning(const std::string&) {}
  virtual bool should_stop() { return false; }  // asked after every frame
};

// Replaces an earlier export in the folder. ErrorCode::usage where there is no run, or nothing in it to
// export, or where the folder is a run's own; ErrorCode::resources where it cannot be written to.
ExportReport export_run(const ExportOptions& options, ExportObserver& observer);

}  // namespace whorl
