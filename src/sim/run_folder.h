// The folder of a run, and what is where in it.
//
//   scene.toml          the scene as it was run
//   vdb/plume.0001.vdb  volumes
//   png/plume.0001.png  previews
//   exr/plume.0001.exr  their light
//   mesh/dam.0001.ply   the surface of a liquid
//   particles/dam.0001.ply
//   particles/dam_whitewater.0001.ply
//   frames.jsonl        a line of statistics a frame, written when the frame's files are there
//   stages.jsonl        what the files of its stages were made of (sim/stage_record.h)
//   plume.mp4           the previews as a video
//   report.html         all of it on one page
//   checkpoint/plume.0040.whorl  the state after frame 40, or in the middle of the next one
//   (sim/checkpoint.h)
#pragma once

#include "whorl/error.h"

#include <set>
#include <string>
#include <vector>

namespace whorl {

struct RunPaths {
  std::string folder;
  std::string name;

  std::string scene() const { return folder + "/scene.toml"; }
  std::string volumes() const { return folder + "/vdb"; }
  std::string images() const { return folder + "/png"; }
  std::string exr_files() const { return folder + "/exr"; }
  std::string meshes() const { return folder + "/mesh"; }
  std::string particle_files() const { return folder + "/particles"; }
  std::string solids() const { return folder + "/solid"; }  // of an export
  std::string volume(int frame) const { return numbered(volumes(), frame, ".vdb"); }
  std::string image(int frame) const { return numbered(images(), frame, ".png"); }
  std::string exr(int frame) const { return numbered(exr_files(), frame, ".exr"); }
  std::string mesh(int frame) const { return numbered(meshes(), frame, ".ply"); }
  std::string particles(int frame) const { return numbered(particle_files(), frame, ".ply"); }
  std::string whitewater(int frame) const { return whitewater_paths().particles(frame); }
  std::string checkpoints() const { return folder + "/checkpoint"; }
  std::string checkpoint(int frame) const { return numbered(checkpoints(), frame, ".whorl"); }
  std::string statistics() const { return folder + "/frames.jsonl"; }
  std::string stages() const { return folder + "/stages.jsonl"; }
  std::string video() const { return folder + "/" + name + ".mp4"; }
  std::string report() const { return folder + "/report.html"; }

  // The frames that have a file, by the names of the files.
  std::set<int> volume_frames() const;
  std::set<int> image_frames() const;
  std::set<int> exr_frames() const;
  std::set<int> mesh_frames() const;
  std::set<int> particle_frames() const;
  std::set<int> checkpoint_frames() const;
  std::set<int> whitewater_frames() const { return whitewater_paths().particle_frames(); }

 private:
  RunPaths whitewater_paths() const { return {folder, name + "_whitewater"}; }
  std::string numbered(const std::string& in, int frame, const char* extension) const;
};

// Removes the files of the run called `paths.name`, and those that a killed one left half-written; nothing
// else. Returns how many frames there were.
Result<int> remove_run(const RunPaths& paths);

// The same for files of frames later than `last`, and for checkpoints later than that.
Result<void> remove_later(const RunPaths& paths, int last);

// Away with an export of the run called `paths.name`: first what says what there is and the scripts that open
// it, then volumes, meshes and particles, and the files of solids of these names; half-written ones as well,
// nothing else.
Result<void> remove_exported(const RunPaths& paths, const std::vector<std::string>& solids);

// No two runs write to one folder at once. Held until destroyed.
class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

// A new line at the end of a file, whole or not at all.
Result<void> append_line(const std::string& path, const std::string& line);

// The whole of a file. Unreadable is ErrorCode::usage.
Result<std::string> read_text(const std::string& path);

}  // namespace whorl
